import type { common as en } from '#web/i18n/en/common.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const common: Translation<typeof en> = {
  counted: {
    until: 'Stand {{at}}',
    behind:
      'Einige Öffnungen, Klicks und Besuche nach {{at}} sind noch nicht gezählt. Sie sind gespeichert, nichts geht verloren.',
  },
  product: 'Reachout',
  optional: '(optional)',
  none: '–',
  actions: {
    duplicate: 'Duplizieren',
    showPassword: 'Passwort anzeigen',
    save: 'Speichern',
    saved: 'Gespeichert',
    cancel: 'Abbrechen',
    close: 'Schließen',
    delete: 'Löschen',
    edit: 'Bearbeiten',
    rename: 'Umbenennen',
    undo: 'Rückgängig',
    retry: 'Erneut versuchen',
    copyDetails: 'Details kopieren',
    copied: 'Kopiert',
    clearFilters: 'Filter zurücksetzen',
    back: 'Zurück',
    continue: 'Weiter',
    more: 'Weitere Aktionen',
    moreFor: 'Weitere Aktionen für {{name}}',
    discard: 'Verwerfen',
    archive: 'Archivieren',
    unarchive: 'Aus dem Archiv holen',
    restore: 'Wiederherstellen',
  },
  load: {
    loading: 'Wird geladen: {{what, withinSentence}}',
    failed: '{{what}}: Das Laden ist fehlgeschlagen. Ihre Daten sind sicher.',
    page: 'Diese Seite',
    stale: 'Die letzten Änderungen konnten nicht geladen werden. Sie sehen den Stand von {{ago}}.',
  },
  connection: {
    offline:
      'Sie sind offline. Lesen und Schreiben geht weiter. Speichern und senden Sie, sobald Sie wieder online sind.',
    back: 'Wieder online',
    later: '{{what}}: wird geladen, sobald Sie wieder online sind',
  },
  error: {
    title: 'Etwas ist schiefgegangen',
    network: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    server: 'Bei uns ist ein Fehler aufgetreten. Versuchen Sie es gleich noch einmal.',
    tooMany: 'Zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es erneut.',
    tooManyUntil: 'Das Limit ist vorerst erreicht. Versuchen Sie es nach {{until}} erneut.',
    tooLarge: 'Das ist zu groß zum Speichern.',
    signedOut: 'Ihre Sitzung ist abgelaufen. Melden Sie sich an und versuchen Sie es erneut.',
    saveFailed: 'Nicht gespeichert',
    newVersion: 'Eine neue Version ist verfügbar. Laden Sie die Seite neu, um fortzufahren.',
    reload: 'Neu laden',
    crashed: 'Dieser Teil der Seite ist abgestürzt.',
  },
  forbidden: {
    title: 'Sie haben keinen Zugriff',
    body: 'Ihre Rolle „{{role}}“ umfasst die Berechtigung „{{permission}}“ nicht. Wenden Sie sich an einen Eigentümer oder Administrator von {{organization}}.',
    generic: 'Ihre Rolle umfasst das nicht. Bitten Sie einen Eigentümer oder Administrator um Zugriff.',
  },
  notFound: {
    title: 'Nicht gefunden',
    body: 'Diese Seite existiert nicht, oder Sie haben keinen Zugriff darauf.',
    home: 'Zur Übersicht',
    own: 'Ihre Organisationen',
  },
  form: {
    problems_one: 'Bitte prüfen Sie {{count}} Feld',
    problems_other: 'Bitte prüfen Sie {{count}} Felder',
    required: 'Pflichtfeld.',
    tooLong: 'Höchstens {{max}} Zeichen.',
    email: 'Geben Sie eine E-Mail-Adresse wie name@beispiel.de ein.',
    wholeNumber: 'Geben Sie eine ganze Zahl von {{min}} bis {{max}} ein.',
    number: 'Geben Sie eine Zahl von {{min}} bis {{max}} mit höchstens {{decimals}} Nachkommastellen ein.',
    left: 'Noch {{left}} Zeichen',
    over: '{{over}} Zeichen zu viel',
    remove: '{{name}} entfernen',
    notEmail: 'Keine E-Mail-Adresse',
    saved: 'Gespeichert um {{time}}',
    unsaved_one: '{{count}} ungespeicherte Änderung',
    unsaved_other: '{{count}} ungespeicherte Änderungen',
    name: 'Name',
  },
  code: {
    wrong_code: 'Falscher Code. Prüfen Sie die neueste E-Mail und versuchen Sie es erneut.',
    wrong_password: 'Falsches Passwort.',
    sign_in_again: 'Melden Sie sich zur Bestätigung erneut an.',
    forbidden: 'Sie haben keine Berechtigung dafür.',
    second_factor_required:
      'Diese Organisation verlangt einen zweiten Schritt bei der Anmeldung. Richten Sie ihn in Ihrem Konto ein.',
    authenticator_unreadable:
      'Ihre Codes können nicht geprüft werden, weil der Schlüssel dieser Installation geändert wurde. Wenden Sie sich an deren Betreiber.',
    organization_suspended: 'Diese Organisation ist gesperrt und schreibgeschützt.',
    invalid_transition:
      'Das ist im aktuellen Status nicht möglich. Laden Sie die Seite neu, um ihn zu sehen.',
    not_found: 'Das existiert nicht, oder Sie haben keinen Zugriff darauf.',
    invalid_input: 'Einige Felder sind ungültig.',
    not_pending:
      'Diese Einladung oder dieser Link wurde bereits beantwortet, zurückgezogen oder aufgebraucht oder ist abgelaufen.',
    other_recipient: 'Diese Einladung wurde an eine andere E-Mail-Adresse gesendet.',
    not_invited:
      'Neue Konten brauchen eine Einladung, und für diese Adresse gibt es keine gültige. Bitten Sie um eine neue.',
    sign_up_closed: 'Diese Installation nimmt keine neuen Konten an.',
    account_exists:
      'Zu dieser Adresse gibt es schon ein Konto. Melden Sie sich an, um die Einladung anzunehmen.',
    idempotency_key_reused: 'Dies wurde bereits abgesendet, mit anderem Inhalt (gleicher Idempotency-Key).',
    too_many_requests:
      'Zu viele Anfragen in kurzer Zeit. Es wurde nichts geändert. Versuchen Sie es gleich noch einmal.',
    unavailable:
      'Der Server ist ausgelastet oder startet neu, es wurde nichts geändert. Versuchen Sie es gleich noch einmal.',
    user_already_exists: 'Diese Adresse kann nicht verwendet werden. Wenn es Ihre ist, melden Sie sich an.',
    user_already_exists_use_another_email:
      'Diese Adresse kann nicht verwendet werden. Wenn es Ihre ist, melden Sie sich an.',
    password_too_short: 'Mindestens 8 Zeichen.',
    password_too_long: 'Höchstens 128 Zeichen.',
    invalid_email: 'Geben Sie eine E-Mail-Adresse wie name@beispiel.de ein.',
  },
  language: 'Sprache',
};
