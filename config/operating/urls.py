from django.urls import path

from config.operating import views

urlpatterns = [
    path("", views.operator, name="operator"),
    path("maintain/", views.maintain, name="operator_maintain"),
    path("import/", views.bring_in, name="operator_import"),
    path("people/<uuid:person>/", views.person, name="operator_person"),
]
