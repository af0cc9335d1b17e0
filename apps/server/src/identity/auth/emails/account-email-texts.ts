import type { EmailLanguage, AccountEmailContent } from '../../account-email/account-email.ts';

type Text = Pick<AccountEmailContent, 'subject' | 'paragraphs' | 'notes' | 'language'>;
/** The address comes in the moment of sending. */
type TextWithButton = Text & { button: { label: string; url: string } };

export interface AccountEmailTexts {
  confirm_sign_up: TextWithButton;
  already_registered: TextWithButton;
  sign_in_code: Text;
  reset_password: TextWithButton;
  password_changed: TextWithButton;
  password_was_reset: TextWithButton;
  /** `{account}` in it stands for the masked address of the account. */
  confirm_new_email: TextWithButton;
  email_change_asked: TextWithButton;
  email_changed: Text;
}

const button = (label: string) => ({ label, url: '' });

export const accountEmailTexts: Record<EmailLanguage, AccountEmailTexts> = {
  en: {
    confirm_sign_up: {
      subject: 'Confirm your email address',
      paragraphs: ['You signed up for Reachout. Confirm your email address, and your account is ready.'],
      button: button('Confirm email address'),
      notes: [
        'The link works once, for 24 hours.',
        'If you did not sign up, ignore this mail. Without the link there is no account.',
      ],
    },
    already_registered: {
      subject: 'You already have an account',
      paragraphs: [
        'Somebody signed up for Reachout with this email address. It already has an account: sign in, or have a new password set if you have forgotten yours.',
      ],
      button: button('Sign in'),
      notes: ['If this was not you, you need not do anything. Nothing was changed.'],
    },
    sign_in_code: {
      subject: 'Your sign-in code',
      paragraphs: ['Enter this code in the window in which you asked for it.'],
      notes: [
        'The code works once, for 10 minutes. Never pass it on: we do not ask for it.',
        'If you did not ask for it, ignore this mail.',
      ],
    },
    reset_password: {
      subject: 'Set a new password',
      paragraphs: ['You asked to set a new password. Your other sessions end when you do.'],
      button: button('Set new password'),
      notes: [
        'The link works once, for 30 minutes.',
        'If you did not ask for it, ignore this mail. Your password stays as it is.',
      ],
    },
    password_changed: {
      subject: 'Your password was changed',
      paragraphs: ['The password of your account was changed, and the other sessions were ended.'],
      button: button('This was not me'),
      notes: ['If it was you, all is well. If not, set a new password at once.'],
    },
    password_was_reset: {
      subject: 'Your password was changed',
      paragraphs: [
        'A new password was set for your account by a link that we mailed to you, and all sessions were ended.',
        'API keys that you made stay valid. If you do not recognize one, revoke it in the settings of your organization, under “API keys”.',
      ],
      button: button('This was not me'),
      notes: ['If it was you, all is well. If not, set a new password at once.'],
    },
    confirm_new_email: {
      subject: 'Confirm your new email address',
      paragraphs: [
        'Somebody asked to use this email address for the account {account} from now on. If that is your account, confirm the address.',
      ],
      button: button('Confirm new address'),
      notes: [
        'If this is not your account, do not confirm: ignore this mail.',
        'The link works once, for an hour. Until then the old address counts.',
      ],
    },
    email_change_asked: {
      subject: 'A new email address was asked for',
      paragraphs: [
        'Somebody who is signed in to your account asked to change its email address. The new address has been sent a link: once it is confirmed, you can no longer sign in with this one.',
      ],
      button: button('This was not me'),
      notes: ['If it was you, all is well. If not, set a new password at once: that stops the change.'],
    },
    email_changed: {
      subject: 'Your email address was changed',
      paragraphs: [
        'Your account has another email address from now on. You can no longer sign in with this one.',
      ],
      notes: ['If this was not you, contact whoever runs this installation at once.'],
    },
  },
  de: {
    confirm_sign_up: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      paragraphs: [
        'Sie haben sich bei Reachout registriert. Bestätigen Sie Ihre E-Mail-Adresse, dann ist Ihr Konto bereit.',
      ],
      button: button('E-Mail-Adresse bestätigen'),
      notes: [
        'Der Link gilt einmal und 24 Stunden lang.',
        'Haben Sie sich nicht registriert, ignorieren Sie diese E-Mail. Ohne den Link entsteht kein Konto.',
      ],
    },
    already_registered: {
      subject: 'Sie haben bereits ein Konto',
      paragraphs: [
        'Mit dieser E-Mail-Adresse hat sich jemand bei Reachout registriert. Sie gehört schon zu einem Konto: Melden Sie sich an, oder setzen Sie ein neues Passwort, falls Sie Ihres vergessen haben.',
      ],
      button: button('Anmelden'),
      notes: ['Waren Sie es nicht, müssen Sie nichts tun. Es wurde nichts geändert.'],
    },
    sign_in_code: {
      subject: 'Ihr Anmeldecode',
      paragraphs: ['Geben Sie diesen Code in dem Fenster ein, in dem Sie ihn angefordert haben.'],
      notes: [
        'Der Code gilt einmal und 10 Minuten lang. Geben Sie ihn nicht weiter: Wir fragen nie danach.',
        'Haben Sie ihn nicht angefordert, ignorieren Sie diese E-Mail.',
      ],
    },
    reset_password: {
      subject: 'Neues Passwort setzen',
      paragraphs: [
        'Sie möchten ein neues Passwort setzen. Ihre anderen Sitzungen enden, sobald Sie das tun.',
      ],
      button: button('Neues Passwort setzen'),
      notes: [
        'Der Link gilt einmal und 30 Minuten lang.',
        'Haben Sie ihn nicht angefordert, ignorieren Sie diese E-Mail. Ihr Passwort bleibt, wie es ist.',
      ],
    },
    password_changed: {
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: ['Das Passwort Ihres Kontos wurde geändert, die anderen Sitzungen wurden beendet.'],
      button: button('Das war ich nicht'),
      notes: ['Waren Sie es, ist alles in Ordnung. Wenn nicht, setzen Sie sofort ein neues Passwort.'],
    },
    password_was_reset: {
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: [
        'Für Ihr Konto wurde über einen Link, den wir Ihnen gesendet haben, ein neues Passwort gesetzt. Alle Sitzungen wurden beendet.',
        'API-Schlüssel, die Sie angelegt haben, gelten weiter. Kennen Sie einen davon nicht, widerrufen Sie ihn in den Einstellungen Ihrer Organisation unter „API-Schlüssel“.',
      ],
      button: button('Das war ich nicht'),
      notes: ['Waren Sie es, ist alles in Ordnung. Wenn nicht, setzen Sie sofort ein neues Passwort.'],
    },
    confirm_new_email: {
      subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
      paragraphs: [
        'Jemand möchte diese E-Mail-Adresse künftig für das Konto {account} verwenden. Ist das Ihr Konto, bestätigen Sie die Adresse.',
      ],
      button: button('Neue Adresse bestätigen'),
      notes: [
        'Ist das nicht Ihr Konto, bestätigen Sie nicht: Ignorieren Sie diese E-Mail.',
        'Der Link gilt einmal und eine Stunde lang. Bis dahin gilt die bisherige Adresse.',
      ],
    },
    email_change_asked: {
      subject: 'Eine neue E-Mail-Adresse wurde angefordert',
      paragraphs: [
        'Jemand, der in Ihrem Konto angemeldet ist, möchte dessen E-Mail-Adresse ändern. Die neue Adresse hat einen Link erhalten: Sobald sie bestätigt ist, können Sie sich mit dieser hier nicht mehr anmelden.',
      ],
      button: button('Das war ich nicht'),
      notes: [
        'Waren Sie es, ist alles in Ordnung. Wenn nicht, setzen Sie sofort ein neues Passwort: Das verhindert die Änderung.',
      ],
    },
    email_changed: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      paragraphs: [
        'Ihr Konto hat ab jetzt eine andere E-Mail-Adresse. Mit dieser können Sie sich nicht mehr anmelden.',
      ],
      notes: ['Waren Sie es nicht, wenden Sie sich sofort an die Betreiber dieser Installation.'],
    },
  },
};
