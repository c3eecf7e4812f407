"""The forms of signing in and signing up, with our labels; what they do is django-allauth's."""

from allauth.account.forms import AddEmailForm, LoginForm, ReauthenticateForm, ResetPasswordForm, SignupForm
from allauth.socialaccount.forms import SignupForm as SocialSignupForm
from django import forms

from campaign.models import User

HOW_LONG = "At least 8 characters, not only digits, and nothing that everybody uses."
HELP_WITH_USERNAME = "Your team and the organisers see it. Letters, digits and @ . + - _"
HELP_WITH_EMAIL = "We send a link there to confirm that it is yours. Nobody else sees it but organisers."


def described(form, **texts):
    """Give fields their labels and help texts, tie the help to its field, and take the placeholders away."""
    for name, field in form.fields.items():
        field.widget.attrs.pop("placeholder", None)
        label, help_text = texts.get(name, (field.label, field.help_text))
        field.label, field.help_text = label, help_text
        if help_text:
            field.widget.attrs["aria-describedby"] = f"id_{name}_help"


class SignInForm(LoginForm):
    """User name or e-mail address, and password."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        described(
            self,
            login=("Username or e-mail address", ""),
            password=("Password", ""),
            remember=("Stay signed in on this computer", ""),
        )
        self.fields["login"].widget.attrs |= {"autocomplete": "username", "autocapitalize": "none"}


class SignUpForm(SignupForm):
    """A new account."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        described(
            self,
            email=("E-mail address", HELP_WITH_EMAIL),
            username=("Username", HELP_WITH_USERNAME),
            password1=("Password", HOW_LONG),
        )


class NewAddressForm(AddEmailForm):
    """Another e-mail address."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        described(self, email=("New e-mail address", ""))


class ForgottenForm(ResetPasswordForm):
    """The address of an account whose password is forgotten."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        described(self, email=("E-mail address", ""))


class OnceMoreForm(ReauthenticateForm):
    """The password, before something that is hard to undo."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        described(self)


class OrcidSignUpForm(SocialSignupForm):
    """A new account for somebody who signed in with ORCID, which tells no e-mail address."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        described(self, email=("E-mail address", HELP_WITH_EMAIL), username=("Username", HELP_WITH_USERNAME))


class ProfileForm(forms.ModelForm):
    """How a person is named."""

    class Meta:
        model = User
        fields = ["first_name", "last_name"]


class DeleteForm(forms.Form):
    """The user name, typed once more by somebody who wants to be erased."""

    username = forms.CharField(label="Your username, to be sure")

    def __init__(self, *args, user, **kwargs):
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["username"].widget.attrs |= {"autocomplete": "off", "autocapitalize": "none"}

    def clean_username(self):
        """Refuse anything but the own name."""
        if self.cleaned_data["username"] != self.user.username:
            raise forms.ValidationError(f"Type {self.user.username} to delete your account.")
        return self.user.username
