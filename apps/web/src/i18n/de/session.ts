import type { session as en } from '#web/i18n/en/session.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const session: Translation<typeof en> = {
  signIn: {
    title: 'Anmelden',
    submit: 'Anmelden',
    failed:
      'E-Mail und Passwort passen nicht zusammen. Versuchen Sie es erneut oder lassen Sie sich einen Code schicken.',
    forgot: 'Passwort vergessen?',
    newHere: 'Neu hier?',
    toSignUp: 'Konto anlegen',
    after: {
      deleted: 'Ihr Konto wurde gelöscht und mit ihm alles, was über Sie gespeichert war.',
      password: 'Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.',
      link: 'Dieser Link wurde schon benutzt oder ist abgelaufen. Starten Sie Reachout neu, um einen neuen zu bekommen.',
    },
  },
  tooMany: {
    seconds_one: 'Zu viele Versuche. Versuchen Sie es in {{count}} Sekunde erneut.',
    seconds_other: 'Zu viele Versuche. Versuchen Sie es in {{count}} Sekunden erneut.',
    minutes_one: 'Zu viele Versuche. Versuchen Sie es in {{count}} Minute erneut.',
    minutes_other: 'Zu viele Versuche. Versuchen Sie es in {{count}} Minuten erneut.',
  },
  or: 'oder',
  withProvider: 'Weiter mit {{name}}',
  code: {
    send: 'Code per E-Mail senden',
    title: 'Geben Sie den Code ein',
    sent: 'Falls es ein Konto für {{email}} gibt, ist ein Code mit sechs Ziffern unterwegs. Er gilt 10 Minuten, in diesem Browser.',
    label: 'Code aus der E-Mail',
    box: 'Ziffer',
    verify: 'Bestätigen',
    incomplete: 'Der Code hat sechs Ziffern.',
    wrong: 'Das ist nicht der Code. Sehen Sie in die neueste E-Mail und versuchen Sie es erneut.',
    expired: 'Dieser Code gilt nicht mehr. Lassen Sie sich einen neuen schicken.',
    sendAgain: 'Neuen Code senden',
    againIn_one: 'In {{count}} Sekunde können Sie einen neuen Code senden.',
    againIn_other: 'In {{count}} Sekunden können Sie einen neuen Code senden.',
    sentAgain: 'Ein neuer Code ist unterwegs.',
    otherAddress: 'Andere Adresse verwenden',
  },
  signUp: {
    title: 'Legen Sie Ihr Konto an',
    submit: 'Konto anlegen',
    already: 'Sie haben schon ein Konto?',
    toSignIn: 'Anmelden',
  },
  inbox: {
    title: 'Sehen Sie in Ihren Posteingang',
    signUp: 'Wir haben eine Nachricht an {{email}} gesendet. Öffnen Sie den Link darin in diesem Browser.',
    reset: 'Falls es ein Konto für {{email}} gibt, ist ein Link für ein neues Passwort unterwegs.',
    spam: 'Kommt in einigen Minuten nichts an, sehen Sie im Spam-Ordner nach.',
    local: 'Noch sendet Reachout keine Post ins Internet: Die Nachricht liegt im Postfach dieses Rechners.',
    sendAgain: 'Noch einmal senden',
    againIn_one: 'In {{count}} Sekunde können Sie sie noch einmal senden lassen.',
    againIn_other: 'In {{count}} Sekunden können Sie sie noch einmal senden lassen.',
    sentAgain: 'Noch einmal gesendet.',
    otherAddress: 'Andere Adresse verwenden',
  },
  localMailbox: 'Postfach dieses Rechners öffnen',
  opensNew: 'öffnet sich in einem neuen Tab',
  confirm: {
    title: 'Adresse bestätigen',
    what: 'Ihr Konto',
    working: 'Einen Moment, Ihr Konto wird eröffnet.',
    password:
      'Sie haben sich in einem anderen Browser registriert. Geben Sie das Passwort ein, das Sie dort gewählt haben.',
    submit: 'Bestätigen',
    wrongPassword: 'Das ist nicht das Passwort, das Sie bei der Registrierung gewählt haben.',
  },
  expired: {
    title: 'Dieser Link gilt nicht mehr',
    signUp:
      'Er wurde schon benutzt oder ist zu alt. Legen Sie Ihr Konto noch einmal an, das dauert eine Minute.',
    startAgain: 'Neu beginnen',
    reset: 'Er wurde schon benutzt oder ist zu alt. Lassen Sie sich einen neuen schicken.',
    newLink: 'Neuen Link senden',
    changeEmail:
      'Er wurde schon benutzt oder ist zu alt. Stoßen Sie die Änderung in Ihrem Profil noch einmal an.',
    toProfile: 'Zu meinem Profil',
  },
  reset: {
    title: 'Passwort zurücksetzen',
    body: 'Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort festlegen.',
    submit: 'Link senden',
    newTitle: 'Neues Passwort festlegen',
    newBody: 'Sie werden überall abgemeldet und melden sich mit dem neuen Passwort an.',
    save: 'Passwort speichern',
  },
  changeEmail: {
    title: 'Neue Adresse bestätigen',
    body: 'Danach melden Sie sich mit dieser Adresse an, und unsere Nachrichten gehen dorthin. Haben Sie keine Änderung angefordert, bestätigen Sie nicht.',
    password:
      'Hier ist niemand in dem Konto angemeldet, das diese Adresse haben soll. Geben Sie dessen Passwort ein, oder melden Sie sich in diesem Browser dort an und öffnen Sie den Link noch einmal. Ist es nicht Ihr Konto, schließen Sie diese Seite.',
    wrongPassword: 'Das ist nicht das Passwort des Kontos.',
    submit: 'Adresse bestätigen',
    done: 'Adresse geändert',
    doneBody: 'Ihr Konto verwendet jetzt {{email}}.',
  },
  callback: {
    title: 'Die Anmeldung hat nicht geklappt',
    reasons: {
      access_denied:
        'Sie haben die Anmeldung nicht erlaubt. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.',
      email_not_verified:
        'Der Anbieter hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort oder melden Sie sich anders an.',
      account_suspended: 'Dieses Konto ist gesperrt. Schreiben Sie den Betreibern dieser Installation.',
      state_mismatch:
        'Das hat zu lange gedauert oder begann in einem anderen Browser. Versuchen Sie es erneut.',
      provider_away:
        'Der Anbieter ist nicht erreichbar. Versuchen Sie es später oder wählen Sie einen anderen Weg.',
      too_many_attempts: 'Zu viele Versuche. Warten Sie einen Moment und versuchen Sie es erneut.',
      invalid_token: 'Dieser Link gilt nicht mehr: Er wurde schon benutzt oder ist zu alt.',
    },
    unknown:
      'Die Antwort des Anbieters war nicht brauchbar. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.',
    code: 'Genannter Grund: {{code}}',
  },
  again: {
    title: 'Erneut anmelden',
    body: 'Ihre Sitzung ist beendet. Woran Sie gearbeitet haben, bleibt wie es ist.',
    confirmTitle: 'Bestätigen Sie, dass Sie es sind',
    confirmBody: 'Das verlangt eine frische Anmeldung. Danach wird es sofort ausgeführt.',
    as: 'Ihr Konto:',
    failed: 'Dieses Passwort stimmt nicht. Versuchen Sie es erneut oder lassen Sie sich einen Code schicken.',
    withPassword: 'Mein Passwort verwenden',
    otherAccount: 'Anderes Konto verwenden',
  },
  backToSignIn: 'Zurück zur Anmeldung',
  goOn: 'Weiter',
  name: 'Ihr Name',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  passwordRule: 'Mindestens {{min}} Zeichen. Ein kurzer Satz ist leicht zu merken und schwer zu erraten.',
  passwordShort: 'Mindestens {{min}} Zeichen.',
  passwordRefused:
    'Das ist eines der häufigsten Passwörter oder Ihr Name oder Ihre Adresse. Wählen Sie ein anderes.',
  strength: {
    short: 'Noch zu kurz: mindestens {{min}} Zeichen.',
    weak: 'Schwach: leicht zu erraten.',
    fair: 'Mittel: Ein paar Zeichen mehr würden helfen.',
    good: 'Gut.',
    strong: 'Stark.',
  },
  promise: 'Kommunikation für viele Kunden, ohne je im falschen Namen zu schreiben.',
};
