from django.contrib.auth.views import LogoutView
from django.urls import path

from accounts import views

urlpatterns = [
    path("sign-up/", views.SignUp.as_view(), name="sign_up"),
    path("log-in/", views.LogIn.as_view(), name="login"),
    path("log-out/", LogoutView.as_view(), name="logout"),
    path("account/", views.Account.as_view(), name="account"),
    path("account/zone/", views.guess_zone, name="guess_zone"),
    path("account/password/", views.ChangePassword.as_view(), name="change_password"),
    path("password/", views.ResetPassword.as_view(), name="reset_password"),
    path("password/sent/", views.ResetPasswordSent.as_view(), name="reset_password_sent"),
    path("password/<uidb64>/<token>/", views.SetPassword.as_view(), name="set_password"),
]
