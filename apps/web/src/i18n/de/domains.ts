import type { domains as en } from '#web/i18n/en/domains.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const domains: Translation<typeof en> = {
  add: 'Domain hinzufügen',
  added: 'Domain hinzugefügt',
  nameHint: 'Der Teil der Absenderadresse nach dem @, zum Beispiel news.example.com.',
  nameMissing: 'Geben Sie eine Domain wie news.example.com ein.',
  ownerMissing: 'Wählen Sie einen Kunden, oder alle Kunden.',
  empty: {
    title: 'Senden Sie von der Domain Ihres Kunden',
    body: 'Fünf DNS-Einträge belegen die Berechtigung. Meist dauert das 10 Minuten.',
  },
  steps: { label: 'Schritte', domain: 'Domain', records: 'Einträge', done: 'Fertig' },
  refused: {
    malformed: 'Das ist keine Domain. Geben Sie eine wie news.example.com ein, ohne https:// und ohne @.',
    ip_address: 'Das ist eine IP-Adresse. Geben Sie den Namen einer Domain ein.',
    single_label: 'Die Endung fehlt. Geben Sie die Domain vollständig ein, zum Beispiel example.com.',
    public_suffix:
      'Diese Endung teilen sich viele. Geben Sie eine eigene Domain darunter ein, zum Beispiel example.com.',
    free_mail:
      'Diese Domain gehört einem Anbieter kostenloser Postfächer, bei dem sonst niemand Einträge anlegen kann.',
    own_name: 'Diese Domain gehört zu dieser Installation von Reachout.',
  },
  exists: 'Sie haben diese Domain schon hinzugefügt.',
  taken:
    'Eine andere Organisation hat diese Domain bestätigt. Hier kann sie bestätigt werden, sobald sie dort gelöscht ist.',
  takenTitle: 'Diese Domain ist anderswo bestätigt',
  status: { pending: 'Noch nicht bestätigt', verified: 'Bestätigt', failing: 'Gestört' },
  effect: {
    pending:
      'Von {{domain}} kann nichts gesendet werden, bis DKIM, SPF, Rückweg und DMARC bestätigt sind. Änderungen im DNS können bis zu 48 Stunden dauern. Sie können diese Seite verlassen: Die Prüfungen gehen weiter.',
    verified: 'Adressen bei {{domain}} können Absender sein, und ihre Nachrichten werden signiert.',
    failing:
      'Von {{domain}} wird nichts gesendet, bis die Einträge unten wieder stimmen. Korrigieren Sie die, die nicht bestätigt sind.',
  },
  done: 'Fertig. Wählen Sie die Domain in einer Kampagne, oder verwenden Sie eine Adresse davon als Absender.',
  toCampaigns: 'Zu den Kampagnen',
  kinds: {
    dkim: 'DKIM',
    spf: 'SPF',
    return_path: 'Rückweg',
    dmarc: 'DMARC',
    tracking: 'Tracking',
  },
  why: {
    dkim: 'Signiert Ihre Nachrichten, sodass Mailserver sehen, dass sie von Ihnen stammen und unverändert sind.',
    spf: 'Nennt die Server, die für Ihre Domain senden dürfen. Wenn Sie schon einen SPF-Eintrag haben, erweitern Sie ihn: Eine Domain hat nur einen.',
    return_path:
      'Bringt Nachrichten, die nicht zugestellt werden konnten, zu uns zurück, damit wir dorthin nicht mehr senden.',
    dmarc: 'Sagt Mailservern, was sie mit gefälschten Nachrichten in Ihrem Namen tun sollen.',
    tracking: 'Links in Nachrichten führen zu Ihrer Domain statt zu unserer. Zum Senden ist das nicht nötig.',
  },
  returnServers: 'Rückläufer gehen an {{servers}}.',
  state: {
    blocked: 'Noch nicht möglich',
    unchecked: 'Nicht geprüft',
    waiting: 'Wartet',
    missing: 'Nicht mehr gefunden',
    different: 'Gefunden, aber anders',
    problem: 'Stimmt noch nicht',
    verified: 'Bestätigt',
    warning: 'Warnung',
  },
  check: 'Jetzt prüfen',
  checkedSeconds_one: 'Vor {{count}} Sekunde geprüft',
  checkedSeconds_other: 'Vor {{count}} Sekunden geprüft',
  checkedAgo: 'Geprüft: {{ago}}',
  expected: 'Erwartet',
  found: 'Gefunden',
  hostFull: 'Vollständiger Name',
  splitHint:
    'Wenn Ihr Anbieter nicht mehr als 255 Zeichen auf einmal annimmt, kopieren Sie den Wert in Teilen.',
  hostHint:
    'Die meisten Anbieter hängen {{zone}} selbst an den Namen an. Wenn Ihrer das nicht tut, verwenden Sie den vollständigen Namen.',
  copy: 'Kopieren',
  copySplit: 'In Teilen kopieren',
  settingsMissing: {
    title: 'Der Betreiber dieser Installation muss Einstellungen ergänzen',
    body: 'Fehlende Einstellungen: {{settings}}. Bis dahin können manche Einträge weder angezeigt noch geprüft werden.',
    card: 'Das kann erst geprüft werden, wenn der Betreiber dieser Installation die Einstellungen vervollständigt hat.',
  },
  forAdministrator: 'Für Ihre Administration kopieren',
  change: 'Einstellungen ändern',
  saved: 'Domain gespeichert',
  ownerHint: 'Kampagnen anderer Kunden und Marken verlieren die Domain.',
  destinationHint: 'Wohin gelangt, wer die Adresse Ihrer Links ohne etwas dahinter öffnet.',
  delete: 'Domain löschen',
  deleteBody:
    'Von ihr kann nichts mehr gesendet werden, auch nichts Geplantes, und Kampagnen verlieren sie. Links und Rückläufer schon gesendeter Nachrichten kommen vielleicht nicht mehr an. Das kann nicht rückgängig gemacht werden.',
  deleted: 'Domain gelöscht',
  keys: {
    title: 'Schlüssel zum Signieren',
    hint: 'Ihre Organisation hat zwei Schlüssel für alle ihre Domains. Einer signiert, der andere ist der nächste.',
    signing: 'Signiert jetzt',
    next: 'Nächster',
    rotate: 'Schlüssel wechseln',
    rotateTitle: 'Schlüssel zum Signieren wechseln?',
    rotateBody:
      'Ein Wechsel hat zwei Schritte. Zuerst werden Nachrichten mit dem nächsten Schlüssel signiert, wenn sein Eintrag bei allen bestätigten Domains gefunden wurde. Sieben Tage später kann der alte Schlüssel durch einen neuen ersetzt werden, dessen Einträge Sie dann veröffentlichen.',
    switched: 'Nachrichten werden jetzt mit dem nächsten Schlüssel signiert',
    replaced: 'Es gibt einen neuen Schlüssel. Veröffentlichen Sie seine Einträge bei allen Domains.',
    inUse:
      'Nachrichten wurden bis vor Kurzem mit dem alten Schlüssel signiert und sind vielleicht noch unterwegs. Er kann ab {{until}} ersetzt werden.',
    notPublished_one:
      'Der nächste Schlüssel wurde bei {{names}} nicht gefunden. Legen Sie dort seinen Eintrag an, und prüfen Sie dann die Domain.',
    notPublished_other:
      'Der nächste Schlüssel wurde bei {{count}} Domains nicht gefunden, zum Beispiel {{names}}. Legen Sie dort seine Einträge an, und prüfen Sie dann die Domains.',
  },
  campaign: {
    what: 'Die Domains der Kampagne',
    all: 'Alle bestätigten Domains der Marke können verwendet werden: {{names}}.',
    none: 'Diese Marke kann noch keine bestätigte Domain verwenden.',
    toDomains: 'Domain einrichten',
    choose: 'Domains auswählen',
    chosen: 'Domains, die diese Kampagne verwendet',
    chosenHint: 'Ohne Auswahl kann die Kampagne alle verwenden, die ihre Marke verwenden darf.',
    saved: 'Domains der Kampagne gespeichert',
  },
};
