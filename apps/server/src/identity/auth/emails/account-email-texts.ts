import type { EmailLanguage, AccountEmailContent } from '../../account-email/account-email.ts';
import type { OrganizationStatus, UserStatus } from '@reachout/contract/statuses.ts';
import type { FactorChange } from '../second-factor/factor-notice.ts';

type Text = Pick<AccountEmailContent, 'subject' | 'paragraphs' | 'notes' | 'language'>;
/** The URL is added when the email is sent. */
type TextWithButton = Text & { button: { label: string; url: string } };

/** An operator changed a status: a paragraph for each, and one with the reason, in place of `{reason}`. */
export type StatusText<S extends string = string> = Omit<Text, 'paragraphs'> & {
  changes: Record<S, string>;
  reason: string;
};

export interface AccountEmailTexts {
  confirm_sign_up: TextWithButton;
  already_registered: TextWithButton;
  sign_in_code: Text;
  reset_password: TextWithButton;
  password_changed: TextWithButton;
  password_was_reset: TextWithButton;
  /** Follows `password_was_reset`, before a list of the keys. */
  api_keys_work: string;
  /** `{account}` is replaced by the masked address of the account. */
  confirm_new_email: TextWithButton;
  email_change_asked: TextWithButton;
  email_changed: Text;
  /** `{domain}` is replaced by the sending domain. */
  domain_failing: Text;
  /** `{complaints}` of `{accepted}` messages of a brand from `{domain}`; `paused` follows when its sends have paused. */
  complaints: Text & { paused: string };
  /** `{organization}` is replaced by its name. */
  organization_status: StatusText<OrganizationStatus>;
  account_status: StatusText<UserStatus>;
  /** `changes` has the one paragraph for each change. */
  second_factor_changed: Omit<TextWithButton, 'paragraphs'> & { changes: Record<FactorChange, string> };
}

const button = (label: string) => ({ label, url: '' });

export const accountEmailTexts: Record<EmailLanguage, AccountEmailTexts> = {
  en: {
    confirm_sign_up: {
      subject: 'Confirm your email address',
      paragraphs: [
        'Thanks for signing up for Reachout. Confirm your email address to finish creating your account.',
      ],
      button: button('Confirm email address'),
      notes: [
        'This link works once and expires in 24 hours.',
        'If you didn’t sign up, ignore this email. No account is created.',
      ],
    },
    already_registered: {
      subject: 'You already have an account',
      paragraphs: [
        'Someone tried to sign up for Reachout with this email address, but you already have an account. Sign in, or reset your password if you forgot it.',
      ],
      button: button('Sign in'),
      notes: ['If this wasn’t you, no action is needed. Nothing was changed.'],
    },
    sign_in_code: {
      subject: 'Your sign-in code',
      paragraphs: ['Enter this code in the window where you requested it.'],
      notes: [
        'This code works once and expires in 10 minutes. Don’t share it. We’ll never ask for it.',
        'If you didn’t request it, ignore this email.',
      ],
    },
    reset_password: {
      subject: 'Set a new password',
      paragraphs: ['You requested a new password. Setting it signs you out of all other sessions.'],
      button: button('Set new password'),
      notes: [
        'This link works once and expires in 30 minutes.',
        'If you didn’t request it, ignore this email. Your password won’t change.',
      ],
    },
    password_changed: {
      subject: 'Your password was changed',
      paragraphs: [
        'The password of your account was changed, and you were signed out of all other sessions.',
      ],
      button: button('This wasn’t me'),
      notes: ['If this was you, no action is needed. If not, set a new password immediately.'],
    },
    password_was_reset: {
      subject: 'Your password was changed',
      paragraphs: [
        'A new password was set for your account with a link that we emailed to you, and all sessions were ended.',
      ],
      button: button('This wasn’t me'),
      notes: ['If this was you, no action is needed. If not, set a new password immediately.'],
    },
    api_keys_work:
      'These API keys remain valid. If you don’t recognize one, sign in and revoke it in your account under “API keys”.',
    confirm_new_email: {
      subject: 'Confirm your new email address',
      paragraphs: [
        'Someone requested to use this email address for the account {account}. If this is your account, confirm the address.',
      ],
      button: button('Confirm new address'),
      notes: [
        'If this isn’t your account, don’t confirm. Ignore this email.',
        'This link works once and expires in one hour. Until you confirm, your old address stays in use.',
      ],
    },
    email_change_asked: {
      subject: 'Email address change requested',
      paragraphs: [
        'Someone signed in to your account requested to change its email address. We sent a link to the new address. Once it is confirmed, you can no longer sign in with this one.',
      ],
      button: button('This wasn’t me'),
      notes: [
        'If this was you, no action is needed. If not, set a new password immediately to stop the change.',
      ],
    },
    email_changed: {
      subject: 'Your email address was changed',
      paragraphs: [
        'Your account now uses a different email address. You can no longer sign in with this one.',
      ],
      notes: ['If this wasn’t you, contact the administrator of this installation immediately.'],
    },
    domain_failing: {
      subject: 'A sending domain fails its checks',
      paragraphs: [
        'DNS records of the sending domain {domain} are missing or have changed, and mail servers may reject messages from it.',
        'Reachout tells you which records these are, and what they should be. The domain is checked again every day.',
      ],
      notes: ['You get this email because you own an organization that has verified this domain.'],
    },
    complaints: {
      subject: 'Recipients complain about your emails',
      paragraphs: [
        'Recipients marked {complaints} of {accepted} messages that were sent from {domain} in the last seven days as unwanted. Mail providers expect less than one in a thousand, and filter senders with three.',
        'Their addresses get no more emails. Check who is in your audiences, what they agreed to, and how often you write.',
      ],
      paused:
        'The sends of the brand from there have paused, and those to come are held. A member can resume each of them.',
      notes: ['You get this email because you own an organization that sends from this domain.'],
    },
    organization_status: {
      subject: 'The status of {organization} changed',
      changes: {
        active:
          'Your organization {organization} can be used again without limits. Sends that were stopped go on.',
        inactive:
          'An operator of this installation has deactivated your organization {organization}. Nobody can open it, and nothing is sent. Its data is kept.',
        suspended:
          'An operator of this installation has suspended your organization {organization}. It can be read, but not changed, and nothing is sent.',
      },
      reason: 'Reason: {reason}',
      notes: ['If you have questions, contact the operator of this installation.'],
    },
    account_status: {
      subject: 'The status of your account changed',
      changes: {
        active: 'Your account can be used again. You can sign in as before.',
        suspended:
          'An operator of this installation has suspended your account. You are signed out, and cannot sign in. Your data is kept.',
      },
      reason: 'Reason: {reason}',
      notes: ['If you have questions, contact the operator of this installation.'],
    },
    second_factor_changed: {
      subject: 'Two-step sign-in of your account changed',
      changes: {
        totp_added: 'An authenticator app was added to your account. Signing in now needs a code of it.',
        totp_removed: 'The authenticator app of your account was removed.',
        passkey_added: 'A passkey was added to your account.',
        passkey_removed: 'A passkey of your account was removed.',
        recovery_codes_renewed:
          'New recovery codes were created for your account. The earlier ones no longer work.',
        recovery_code_used: 'One of your recovery codes was used to sign in. It no longer works.',
      },
      button: button('This wasn’t me'),
      notes: ['If this was you, no action is needed. If not, set a new password immediately.'],
    },
  },
  de: {
    confirm_sign_up: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      paragraphs: [
        'Willkommen bei Reachout. Bestätigen Sie Ihre E-Mail-Adresse, um Ihr Konto fertig einzurichten.',
      ],
      button: button('E-Mail-Adresse bestätigen'),
      notes: [
        'Dieser Link funktioniert einmal und läuft in 24 Stunden ab.',
        'Falls Sie sich nicht registriert haben, ignorieren Sie diese E-Mail. Es wird kein Konto angelegt.',
      ],
    },
    already_registered: {
      subject: 'Sie haben bereits ein Konto',
      paragraphs: [
        'Jemand wollte sich mit dieser E-Mail-Adresse bei Reachout registrieren, Sie haben aber bereits ein Konto. Melden Sie sich an oder setzen Sie Ihr Passwort zurück, falls Sie es vergessen haben.',
      ],
      button: button('Anmelden'),
      notes: ['Falls Sie das nicht waren, müssen Sie nichts tun. Es wurde nichts geändert.'],
    },
    sign_in_code: {
      subject: 'Ihr Anmeldecode',
      paragraphs: ['Geben Sie diesen Code in dem Fenster ein, in dem Sie ihn angefordert haben.'],
      notes: [
        'Dieser Code funktioniert einmal und läuft in 10 Minuten ab. Geben Sie ihn nicht weiter. Wir fragen nie danach.',
        'Falls Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail.',
      ],
    },
    reset_password: {
      subject: 'Neues Passwort festlegen',
      paragraphs: [
        'Sie haben ein neues Passwort angefordert. Sobald Sie es festlegen, werden Sie von allen anderen Sitzungen abgemeldet.',
      ],
      button: button('Neues Passwort festlegen'),
      notes: [
        'Dieser Link funktioniert einmal und läuft in 30 Minuten ab.',
        'Falls Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail. Ihr Passwort bleibt unverändert.',
      ],
    },
    password_changed: {
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: [
        'Das Passwort Ihres Kontos wurde geändert, und Sie wurden von allen anderen Sitzungen abgemeldet.',
      ],
      button: button('Das war ich nicht'),
      notes: [
        'Falls Sie das waren, müssen Sie nichts tun. Falls nicht, legen Sie sofort ein neues Passwort fest.',
      ],
    },
    password_was_reset: {
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: [
        'Für Ihr Konto wurde über einen Link, den wir Ihnen gesendet haben, ein neues Passwort gesetzt. Alle Sitzungen wurden beendet.',
      ],
      button: button('Das war ich nicht'),
      notes: [
        'Falls Sie das waren, müssen Sie nichts tun. Falls nicht, legen Sie sofort ein neues Passwort fest.',
      ],
    },
    api_keys_work:
      'Diese API-Schlüssel bleiben gültig. Falls Sie einen davon nicht kennen, melden Sie sich an und widerrufen Sie ihn in Ihrem Konto unter „API-Schlüssel“.',
    confirm_new_email: {
      subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
      paragraphs: [
        'Jemand möchte diese E-Mail-Adresse für das Konto {account} verwenden. Falls das Ihr Konto ist, bestätigen Sie die Adresse.',
      ],
      button: button('Neue Adresse bestätigen'),
      notes: [
        'Falls das nicht Ihr Konto ist, bestätigen Sie nicht. Ignorieren Sie diese E-Mail.',
        'Dieser Link funktioniert einmal und läuft in einer Stunde ab. Bis zur Bestätigung gilt Ihre bisherige Adresse.',
      ],
    },
    email_change_asked: {
      subject: 'Änderung der E-Mail-Adresse angefordert',
      paragraphs: [
        'Jemand, der in Ihrem Konto angemeldet ist, möchte dessen E-Mail-Adresse ändern. Wir haben einen Link an die neue Adresse gesendet. Sobald sie bestätigt ist, können Sie sich mit dieser Adresse nicht mehr anmelden.',
      ],
      button: button('Das war ich nicht'),
      notes: [
        'Falls Sie das waren, müssen Sie nichts tun. Falls nicht, legen Sie sofort ein neues Passwort fest, um die Änderung zu verhindern.',
      ],
    },
    email_changed: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      paragraphs: [
        'Ihr Konto verwendet jetzt eine andere E-Mail-Adresse. Mit dieser können Sie sich nicht mehr anmelden.',
      ],
      notes: ['Falls Sie das nicht waren, wenden Sie sich sofort an den Administrator dieser Installation.'],
    },
    domain_failing: {
      subject: 'Eine Versanddomain besteht ihre Prüfungen nicht',
      paragraphs: [
        'DNS-Einträge der Versanddomain {domain} fehlen oder haben sich geändert. Mailserver können Nachrichten von ihr ablehnen.',
        'In Reachout sehen Sie, welche Einträge das sind und wie sie lauten sollten. Die Domain wird jeden Tag wieder geprüft.',
      ],
      notes: [
        'Sie erhalten diese E-Mail, weil Ihnen eine Organisation gehört, die diese Domain bestätigt hat.',
      ],
    },
    complaints: {
      subject: 'Empfänger beschweren sich über Ihre E-Mails',
      paragraphs: [
        'Empfänger haben {complaints} von {accepted} Nachrichten, die in den letzten sieben Tagen von {domain} gesendet wurden, als unerwünscht markiert. Mailanbieter erwarten weniger als eine von tausend und filtern Absender mit dreien.',
        'Ihre Adressen erhalten keine E-Mails mehr. Prüfen Sie, wer in Ihren Zielgruppen ist, wozu diese Personen eingewilligt haben und wie oft Sie schreiben.',
      ],
      paused:
        'Der Versand dieser Marke von dort ist angehalten, auch der geplante. Ein Mitglied kann jeden fortsetzen.',
      notes: [
        'Sie erhalten diese E-Mail, weil Ihnen eine Organisation gehört, die von dieser Domain sendet.',
      ],
    },
    organization_status: {
      subject: 'Der Status von {organization} wurde geändert',
      changes: {
        active:
          'Ihre Organisation {organization} lässt sich wieder ohne Einschränkung verwenden. Angehaltener Versand geht weiter.',
        inactive:
          'Ein Betreiber dieser Installation hat Ihre Organisation {organization} deaktiviert. Niemand kann sie öffnen, und es wird nichts gesendet. Ihre Daten bleiben erhalten.',
        suspended:
          'Ein Betreiber dieser Installation hat Ihre Organisation {organization} gesperrt. Sie kann gelesen, aber nicht geändert werden, und es wird nichts gesendet.',
      },
      reason: 'Grund: {reason}',
      notes: ['Wenden Sie sich bei Fragen an den Betreiber dieser Installation.'],
    },
    account_status: {
      subject: 'Der Status Ihres Kontos wurde geändert',
      changes: {
        active: 'Ihr Konto lässt sich wieder verwenden. Sie können sich wie bisher anmelden.',
        suspended:
          'Ein Betreiber dieser Installation hat Ihr Konto gesperrt. Sie sind abgemeldet und können sich nicht anmelden. Ihre Daten bleiben erhalten.',
      },
      reason: 'Grund: {reason}',
      notes: ['Wenden Sie sich bei Fragen an den Betreiber dieser Installation.'],
    },
    second_factor_changed: {
      subject: 'Die Anmeldung in zwei Schritten wurde geändert',
      changes: {
        totp_added:
          'Ihrem Konto wurde eine Authenticator-App hinzugefügt. Die Anmeldung braucht jetzt einen Code dieser App.',
        totp_removed: 'Die Authenticator-App wurde aus Ihrem Konto entfernt.',
        passkey_added: 'Ihrem Konto wurde ein Passkey hinzugefügt.',
        passkey_removed: 'Ein Passkey wurde aus Ihrem Konto entfernt.',
        recovery_codes_renewed:
          'Für Ihr Konto wurden neue Wiederherstellungscodes angelegt. Die bisherigen gelten nicht mehr.',
        recovery_code_used:
          'Einer Ihrer Wiederherstellungscodes wurde zur Anmeldung verwendet. Er gilt nicht mehr.',
      },
      button: button('Das war ich nicht'),
      notes: [
        'Falls Sie das waren, müssen Sie nichts tun. Falls nicht, legen Sie sofort ein neues Passwort fest.',
      ],
    },
  },
};
