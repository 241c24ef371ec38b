from django.contrib.auth import views as auth
from django.urls import path

from accounts import views

urlpatterns = [
    path("sign-up/", views.sign_up, name="sign_up"),
    path("log-in/", auth.LoginView.as_view(template_name="accounts/log_in.html"), name="login"),
    path("log-out/", auth.LogoutView.as_view(), name="logout"),
]
