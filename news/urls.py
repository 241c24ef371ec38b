from django.urls import path

from news.views import mail

urlpatterns = [
    path("account/mail/", mail.mail, name="mail"),
    path("account/mail/link/", mail.ask_to_confirm, name="mail_link"),
    path("mail/confirm/<str:token>/", mail.confirm, name="mail_confirm"),
    path("mail/stop/<str:token>/", mail.stop, name="mail_stop"),
    path("c/<slug:slug>/mail/", mail.mail_settings, name="mail_settings"),
]
