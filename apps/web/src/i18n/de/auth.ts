import type { auth as en } from '#web/i18n/en/auth.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const auth: Translation<typeof en> = {
  signIn: {
    title: 'Anmelden',
    failed:
      'E-Mail-Adresse und Passwort passen nicht zusammen. Versuchen Sie es erneut oder fordern Sie einen Code an.',
    forgot: 'Passwort vergessen?',
    newHere: 'Neu hier?',
    toSignUp: 'Konto erstellen',
    after: {
      deleted: 'Ihr Konto und Ihre persönlichen Daten wurden gelöscht.',
      password: 'Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.',
      password_keys:
        'Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an und prüfen Sie dann Ihre API-Schlüssel.',
      link: 'Dieser Link wurde bereits verwendet oder ist abgelaufen. Starten Sie Reachout neu, um einen neuen zu erhalten.',
    },
  },
  tooMany: {
    seconds_one: 'Zu viele Versuche. Versuchen Sie es in {{count}} Sekunde erneut.',
    seconds_other: 'Zu viele Versuche. Versuchen Sie es in {{count}} Sekunden erneut.',
    minutes_one: 'Zu viele Versuche. Versuchen Sie es in {{count}} Minute erneut.',
    minutes_other: 'Zu viele Versuche. Versuchen Sie es in {{count}} Minuten erneut.',
  },
  or: 'oder',
  demo: {
    open: 'Demo ansehen',
    needsLink: 'Hier gibt es eine Demo. Der Link im Terminal des Servers öffnet sie.',
  },
  withProvider: 'Weiter mit {{name}}',
  code: {
    send: 'Code per E-Mail senden',
    title: 'Geben Sie den Code ein',
    sent: 'Falls es ein Konto für {{email}} gibt, ist ein sechsstelliger Code unterwegs. Er gilt 10 Minuten, nur in diesem Browser.',
    label: 'Code aus der E-Mail',
    box: 'Ziffer',
    verify: 'Bestätigen',
    incomplete: 'Der Code hat sechs Ziffern.',
    expired: 'Dieser Code gilt nicht mehr. Fordern Sie einen neuen an.',
    sendAgain: 'Neuen Code anfordern',
    againIn_one: 'In {{count}} Sekunde können Sie einen neuen Code anfordern.',
    againIn_other: 'In {{count}} Sekunden können Sie einen neuen Code anfordern.',
    sentAgain: 'Ein neuer Code ist unterwegs.',
    otherAddress: 'Andere Adresse verwenden',
  },
  secondFactor: {
    title: 'Bestätigen Sie, dass Sie es sind',
    what: 'Ihr zweiter Schritt',
    totp: 'Code aus Ihrer Authenticator-App',
    totpHint: 'Sechs Ziffern, die alle 30 Sekunden wechseln.',
    recovery: 'Wiederherstellungscode',
    recoveryHint: 'Einer der Codes, die Sie gespeichert haben. Jeder gilt einmal.',
    useRecovery: 'Wiederherstellungscode verwenden',
    useTotp: 'Authenticator-App verwenden',
    incomplete: 'Geben Sie den ganzen Code ein.',
    wrong:
      'Falscher oder bereits verwendeter Code. Warten Sie auf den nächsten oder verwenden Sie einen Wiederherstellungscode.',
    expired: 'Das hat zu lange gedauert. Beginnen Sie die Anmeldung von vorn.',
  },
  passkey: {
    use: 'Passkey verwenden',
    unknown: 'Dieser Passkey gehört zu keinem Konto hier. Melden Sie sich auf andere Weise an.',
  },
  signUp: {
    title: 'Konto erstellen',
    submit: 'Konto erstellen',
    already: 'Haben Sie bereits ein Konto?',
    invited:
      'Neue Konten brauchen eine Einladung. Verwenden Sie die eingeladene Adresse oder bitten Sie um eine Einladung.',
    byLink: 'Mit Ihrem Einladungslink können Sie beitreten.',
    closedTitle: 'Keine neuen Konten',
    closed: 'Diese Installation nimmt keine neuen Konten an. Wenden Sie sich an den Betreiber.',
  },
  inbox: {
    title: 'Prüfen Sie Ihren Posteingang',
    signUp: 'Wir haben eine E-Mail an {{email}} gesendet. Öffnen Sie den Link darin in diesem Browser.',
    signUpInvited:
      'Falls {{email}} eingeladen wurde, ist eine E-Mail unterwegs. Öffnen Sie den Link darin in diesem Browser.',
    reset: 'Falls es ein Konto für {{email}} gibt, ist ein Link für ein neues Passwort unterwegs.',
    spam: 'Falls in einigen Minuten nichts ankommt, prüfen Sie Ihren Spam-Ordner.',
    local: 'Es ist kein Mailserver konfiguriert: Die E-Mail liegt im Systempostfach.',
    sendAgain: 'Erneut senden',
    againIn_one: 'In {{count}} Sekunde können Sie sie erneut senden.',
    againIn_other: 'In {{count}} Sekunden können Sie sie erneut senden.',
    sentAgain: 'E-Mail erneut gesendet.',
  },
  localMailbox: 'Systempostfach öffnen',
  mailboxLink:
    'Auf diesem Rechner ist kein Mailserver eingerichtet. Um die E-Mail zu lesen, öffnen Sie in diesem Browser den Link zum Systempostfach, den npm start im Terminal ausgegeben hat.',
  opensNew: 'öffnet sich in einem neuen Tab',
  confirm: {
    title: 'Adresse bestätigen',
    what: 'Ihr Konto',
    working: 'Ihr Konto wird geöffnet …',
    password:
      'Sie haben sich in einem anderen Browser registriert. Geben Sie das Passwort ein, das Sie dort gewählt haben.',
    submit: 'Bestätigen',
    wrongPassword: 'Das ist nicht das Passwort, das Sie bei der Registrierung gewählt haben.',
  },
  expired: {
    title: 'Dieser Link funktioniert nicht mehr',
    signUp: 'Er wurde bereits verwendet oder ist abgelaufen. Erstellen Sie Ihr Konto erneut.',
    startAgain: 'Neu beginnen',
    reset: 'Er wurde bereits verwendet oder ist abgelaufen. Fordern Sie einen neuen an.',
    newLink: 'Neuen Link anfordern',
    changeEmail:
      'Er wurde bereits verwendet oder ist abgelaufen. Fordern Sie die Änderung in Ihrem Profil erneut an.',
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
    body: 'Sie melden sich dann mit dieser Adresse an und erhalten unsere E-Mails dort. Falls Sie die Änderung nicht angefordert haben, bestätigen Sie nicht.',
    password:
      'Sie sind nicht in dem Konto angemeldet, für das diese Adresse angefordert wurde. Geben Sie dessen Passwort ein oder melden Sie sich in diesem Browser dort an und öffnen Sie den Link erneut. Falls es nicht Ihr Konto ist, schließen Sie diese Seite.',
    submit: 'Adresse bestätigen',
    done: 'Adresse geändert',
    doneBody: 'Ihr Konto verwendet jetzt {{email}}.',
  },
  callback: {
    title: 'Anmeldung fehlgeschlagen',
    reasons: {
      access_denied: 'Der Zugriff wurde verweigert. Versuchen Sie es erneut oder melden Sie sich anders an.',
      email_not_verified:
        'Ihre E-Mail-Adresse ist beim Anbieter nicht bestätigt. Bestätigen Sie sie dort oder melden Sie sich anders an.',
      sign_up_closed: 'Diese Installation nimmt keine neuen Konten an. Wenden Sie sich an den Betreiber.',
      not_invited:
        'Neue Konten brauchen eine Einladung, und für diese Adresse gibt es keine gültige. Verwenden Sie die eingeladene Adresse oder bitten Sie um eine Einladung.',
      account_suspended:
        'Dieses Konto ist gesperrt. Wenden Sie sich an den Administrator dieser Installation.',
      state_mismatch:
        'Die Anmeldung ist abgelaufen oder wurde in einem anderen Browser begonnen. Versuchen Sie es erneut.',
      provider_away:
        'Der Anbieter ist nicht erreichbar. Versuchen Sie es später oder melden Sie sich anders an.',
      too_many_attempts: 'Zu viele Versuche. Warten Sie einen Moment und versuchen Sie es erneut.',
      invalid_token: 'Dieser Link wurde bereits verwendet oder ist abgelaufen.',
    },
    unknown:
      'Der Anbieter hat eine ungültige Antwort gesendet. Versuchen Sie es erneut oder melden Sie sich anders an.',
    code: 'Fehler: {{code}}',
  },
  again: {
    title: 'Erneut anmelden',
    body: 'Ihre Sitzung ist abgelaufen. Ihre Arbeit bleibt erhalten.',
    confirmTitle: 'Bestätigen Sie, dass Sie es sind',
    confirmBody: 'Melden Sie sich erneut an, um mit dieser Aktion fortzufahren.',
    as: 'Ihr Konto:',
    failed: 'Falsches Passwort. Versuchen Sie es erneut oder fordern Sie einen Code an.',
    withPassword: 'Mein Passwort verwenden',
    otherAccount: 'Anderes Konto verwenden',
  },
  backToSignIn: 'Zurück zur Anmeldung',
  name: 'Ihr Name',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  passwordRule: 'Mindestens {{min}} Zeichen. Ein kurzer Satz ist leicht zu merken und schwer zu erraten.',
  passwordShort: 'Mindestens {{min}} Zeichen.',
  passwordTooCommon:
    'Dieses Passwort ist zu verbreitet oder enthält Ihren Namen oder Ihre Adresse. Wählen Sie ein anderes.',
  strength: {
    short: 'Zu kurz: mindestens {{min}} Zeichen.',
    weak: 'Schwach: leicht zu erraten.',
    fair: 'Mittel: Ein paar Zeichen mehr würden helfen.',
    good: 'Gut.',
    strong: 'Stark.',
  },
  help: 'Hilfe',
  tagline: 'E-Mail-Kampagnen für alle Ihre Kunden. Immer die richtige Marke, immer die richtigen Empfänger.',
};
