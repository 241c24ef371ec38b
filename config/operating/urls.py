from django.urls import path

from config.importing.views import import_for_another
from config.operating import views

urlpatterns = [
    path("", views.operator, name="operator"),
    path("maintain/", views.maintain, name="operator_maintain"),
    path("import/", import_for_another, name="operator_import"),
    path("people/<uuid:person>/", views.person, name="operator_person"),
]
