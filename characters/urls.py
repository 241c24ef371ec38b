
urlpatterns = []  # noqa
