import type { transports as en } from '#web/i18n/en/transports.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const transports: Translation<typeof en> = {
  title: 'Versandwege',
  add: 'Versandweg hinzufügen',
  change: 'Versandweg ändern',
  saved: 'Versandweg gespeichert',
  deleted: 'Versandweg gelöscht',
  deleteBody:
    'Passwort oder Schlüssel werden hier gelöscht. Bei Ihrem Mailserver oder Anbieter ändert sich nichts.',
  inUse: 'in Verwendung',
  works: 'Funktioniert',
  failing: 'Gestört',
  users: 'Verwendet von',
  kept: 'Leer lassen, um den hinterlegten Wert zu behalten.',
  encrypted: 'Wird verschlüsselt gespeichert und nie angezeigt.',
  nameHint: 'Unter diesem Namen steht er zur Auswahl und in Versandbelegen.',
  empty: {
    title: 'Über den eigenen Mailserver oder Anbieter versenden',
    body: 'E-Mails gehen über den Versandweg dieser Installation hinaus. Fügen Sie Ihren SMTP-Server oder Ihr Konto bei Elastic Email oder Amazon SES hinzu, um darüber zu versenden.',
  },
  kind: { smtp: 'SMTP-Server', elastic_email: 'Elastic Email', ses: 'Amazon SES' },
  kindHint: {
    smtp: 'Ein eigener Mailserver oder ein beliebiger Dienst mit SMTP-Zugang.',
    elastic_email: 'Ihr Konto dort, über seinen API-Schlüssel.',
    ses: 'Ihr Konto bei AWS, über einen Zugriffsschlüssel.',
  },
  choice: {
    title: 'So gehen E-Mails hinaus',
    hint: 'Eine Marke kann in ihrem Markenauftritt eine eigene Wahl haben.',
    hintForBrand: 'So gehen E-Mails dieser Marke hinaus. Die Wahl gilt, sobald Sie sie bestätigen.',
    label: 'Versandweg der Organisation',
    kept: 'Diese Marken haben eine eigene Wahl: {{names}}',
    installation: 'Versandweg dieser Installation',
    inherited: 'Wie die Organisation ({{name}})',
    question: 'Über „{{name}}“ versenden?',
    effect:
      'E-Mails aller Marken ohne eigene Wahl gehen über „{{name}}“ hinaus. Laufende Versände wechseln innerhalb von Sekunden.',
    effectOnBrand:
      'E-Mails von {{brand}} gehen über „{{name}}“ hinaus. Laufende Versände wechseln innerhalb von Sekunden.',
    failing:
      'Bei der letzten Verwendung oder Prüfung hat er nicht funktioniert; E-Mails warten, bis er es tut: {{words}}',
    confirm: 'Versandweg wechseln',
    done: 'Versandweg gewählt',
  },
  check: {
    action: 'Jetzt prüfen',
    running: 'Wird geprüft',
    done: 'Gerade geprüft',
    last: 'Zuletzt geprüft',
  },
  limits: {
    title: 'Limits',
    second: '{{number}} pro Sekunde',
    day: 'heute noch {{left}} von {{limit}}',
  },
  test: {
    action: 'Test an mich senden',
    title: 'Test über „{{name}}“ senden',
    hint: 'Eine Adresse, die Ihr Mailserver oder Anbieter als Absender annimmt.',
    send: 'Test senden',
    done: 'Test an {{address}} gesendet',
  },
  smtp: {
    preset: 'Dienst',
    other: 'Anderer Server',
    host: 'Host',
    hostHint: 'Ein Host wie smtp.beispiel.de.',
    port: 'Port',
    security: { label: 'Verschlüsselung', starttls: 'STARTTLS', tls: 'TLS von Anfang an' },
    username: 'Benutzername',
    usernameHint: 'Leer lassen für Server ohne Anmeldung.',
    password: 'Passwort',
    envelope: {
      label: 'Envelope-Absender',
      ours: 'Eine Adresse von uns',
      sender: 'Die Absenderadresse der E-Mail',
    },
    envelopeHint: {
      ours: 'Bounces kommen hierher zurück und werden gezählt.',
      sender:
        'Für Server, die keine andere annehmen. Bounces gehen an diese Adresse und werden nicht gezählt.',
    },
  },
  key: {
    label: 'API-Schlüssel',
    kept: 'Ein Schlüssel ist hinterlegt, er endet auf {{end}}. Leer lassen, um ihn zu behalten.',
    stored: 'Der API-Schlüssel Ihres Kontos bei Elastic Email endet auf {{end}}.',
    used: 'Ein Versandweg braucht diesen Schlüssel. Löschen Sie zuerst den Versandweg.',
    remove: 'Schlüssel entfernen',
    removed: 'Schlüssel entfernt',
    question: 'Den Schlüssel von Elastic Email entfernen?',
    effect: 'Er wird hier gelöscht und bleibt bei Elastic Email gültig, bis Sie ihn dort widerrufen.',
  },
  webhook: {
    label: 'Signaturschlüssel des Webhooks',
    hint: 'Wenn Elastic Email seine Meldungen signiert, werden solche mit falscher Signatur ignoriert und solche ohne Signatur erst dort bestätigt.',
    remove: 'Hinterlegten Signaturschlüssel entfernen',
  },
  ses: {
    regionHint: 'Eine Region wie eu-central-1.',
    keyId: 'ID des Zugriffsschlüssels',
    keyIdHint: 'Mindestens 16 Großbuchstaben und Ziffern, etwa AKIA….',
    secretKey: 'Geheimer Zugriffsschlüssel',
    configurationSet: 'Konfigurationssatz',
    topicArn: 'ARN des SNS-Themas',
    topicArnHint:
      'Das Thema, an das SES Bounces und Beschwerden meldet. Ohne das Thema bleiben sie hier unbekannt.',
    tenantName: 'Mandant',
  },
  reports: {
    label: 'Adresse für Meldungen',
    title: 'Meldungen an „{{name}}“ einrichten',
    elastic_email:
      'Tragen Sie sie in den Einstellungen von Elastic Email als Webhook ein, damit Bounces und Beschwerden hier gezählt werden.',
    ses: 'Abonnieren Sie damit das SNS-Thema über HTTPS, damit Bounces und Beschwerden hier gezählt werden.',
    copy: 'Adresse kopieren',
    afterwards:
      'Die Adresse, an die der Anbieter Bounces und Beschwerden meldet, steht nach dem Hinzufügen hier.',
  },
};
