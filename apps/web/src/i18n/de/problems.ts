import type { problems as en } from '#web/i18n/en/problems.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const problems: Translation<typeof en> = {
  code: {
    preferences_too_large:
      'Ihre Einstellungen sind zu umfangreich, um sie zu speichern: Zusammen dürfen sie 64 kB haben.',
    authenticator_exists: 'Sie haben bereits eine Authenticator-App. Entfernen Sie sie zuerst.',
    invalid_image: 'Diese Datei kann nicht als Bild verwendet werden. Wählen Sie PNG, JPEG, WebP oder GIF.',
    file_too_large: 'Diese Datei ist größer als 10 MB. Wählen Sie eine kleinere.',
    image_too_large: 'Dieses Bild ist größer als 5 MB. Wählen Sie ein kleineres.',
    too_many_organizations:
      'Sie besitzen bereits 20 Organisationen oder haben heute 10 angelegt. Löschen Sie eine oder warten Sie bis morgen.',
    too_many_records: 'Das Limit ist erreicht. Löschen Sie zuerst einige Einträge.',
    storage_full: 'Der Speicher für Bilder ist voll. Entfernen Sie zuerst einige Logos.',
    own_account: 'Den Status Ihres eigenen Kontos können Sie nicht ändern.',
    last_owner:
      'Mindestens eine Person muss Eigentümer bleiben. Geben Sie diese Rolle zuerst einer anderen Person.',
    beyond_own_rights: 'Sie können nur Berechtigungen vergeben oder entziehen, die Sie selbst haben.',
    quota_exceeded:
      'Ihre Organisation hat ein Limit erreicht. Der Betreiber dieser Installation kann es erhöhen.',
    role_in_use: 'Mitglieder oder Einladungen haben diese Rolle noch. Ändern Sie zuerst deren Rolle.',
    not_a_member: 'Diese Person ist kein Mitglied der Organisation. Laden Sie sie ein.',
    already_member: 'Sie sind bereits Mitglied dieser Organisation.',
    name_taken: 'Dieser Name ist bereits vergeben. Wählen Sie einen anderen.',
    not_unique: 'Ein anderer Eintrag hat diesen Wert bereits.',
    field_in_use: 'Zielgruppen verwenden dieses Feld. Ändern Sie zuerst diese.',
    field_protected: 'Kontakte brauchen dieses Feld: Es kann so nicht geändert werden.',
    import_in_progress:
      'In diese Sammlung wird gerade eine Datei importiert. Warten Sie, bis der Import beendet ist.',
    too_many_values:
      'Zu viele Einträge haben einen Wert in diesem Feld, um alle auf einmal zu ändern. Fügen Sie stattdessen ein neues Feld hinzu.',
    values_do_not_fit: 'Werte gespeicherter Einträge passen nicht. Ändern Sie zuerst diese Einträge.',
    owner_in_use:
      'Zielgruppen oder E-Mails eines anderen Kunden oder einer anderen Marke verwenden das. Ändern Sie zuerst diese.',
    collection_in_use: 'Zielgruppen verwenden diese Liste. Löschen Sie diese zuerst.',
    starting_collection:
      'Mit dieser Liste hat Ihre Organisation begonnen. Sie können sie leeren, aber nicht löschen.',
    nothing_to_follow_up:
      'Dieser Versand hat keine fehlgeschlagenen Nachrichten, die erneut gesendet werden können: Er läuft noch oder hat bereits einen Folgeversand.',
    send_in_progress: 'Hier ist etwas geplant oder wird gerade gesendet. Brechen Sie das zuerst ab.',
    campaign_archived: 'Diese Kampagne ist archiviert. Holen Sie sie zuerst aus dem Archiv.',
    send_blocked: 'Diese E-Mail kann noch nicht gesendet werden. Die Checkliste zeigt, was fehlt.',
    daily_limit_reached:
      'Ihre Organisation, oder alle Ihre Organisationen zusammen, würde in 24 Stunden mehr Empfänger erreichen, als sie darf. Warten Sie, oder bitten Sie den Betreiber dieser Installation um ein höheres Limit.',
    invalid_topology:
      'Ungültiger Graph: Die Touchpoints würden einander im Kreis benachrichtigen. Lassen Sie einen davon je Kontakt nur einmal reagieren.',
    reaction_over: 'Das wartet nicht mehr: Es ist geschehen oder wurde abgebrochen.',
    suppressions_changed: 'Die Zahl der Sperren hat sich seit Ihrer Bestätigung geändert.',
    audience_changed: 'Die Zielgruppe hat sich seit Ihrer Bestätigung geändert.',
    touchpoint_locked:
      'Diese E-Mail ist geplant, wird gesendet oder ist gesendet und kann nicht mehr geändert werden.',
    goal_exists: 'Dieses Ereignis ist bereits ein Ziel.',
    too_many_goals:
      'Diese Website hat bereits so viele Ziele, wie sie haben kann. Entfernen Sie zuerst eines.',
    host_missing:
      'Fügen Sie zuerst einen Host hinzu: Ohne Host würden alle Ereignisse der Website verworfen.',
    body_missing: 'Schreiben Sie zuerst die E-Mail.',
    topic_in_use:
      'Eine E-Mail, auch eine im Papierkorb, oder ein laufender Versand hat dieses Thema. Wählen Sie dafür zuerst ein anderes.',
    filter_in_use: 'Eine E-Mail verwendet diese Zielgruppe. Wählen Sie für diese E-Mail zuerst eine andere.',
    changed_elsewhere: 'Jemand hat dies geändert, nachdem Sie es geöffnet haben.',
    validation_failed: 'Ein Wert fehlt oder passt nicht zu seinem Feld.',
    invalid_period: 'Dieser Zeitraum ist ungültig. Möglich sind etwa 1day, -1day, 7day oder Anfang::Ende.',
    too_many_imports: 'Zwanzig Importe laufen oder warten. Warten Sie, bis einer davon fertig ist.',
    transport_in_use:
      'Über diesen Versandweg werden E-Mails versendet. Wählen Sie dafür zuerst einen anderen.',
    transport_failed: 'Der Mailserver oder Anbieter ist nicht nutzbar.',
    backend_failed: 'Das Content-Backend Ihrer Organisation ist nicht nutzbar.',
  },
  values: {
    storage_full:
      '{{images.used}} von {{images.limit}} Bildern und {{megabytes.used}} von {{megabytes.limit}} MB sind belegt.',
    quota_exceeded: 'Limit für {{what}}: {{used}} von {{limit}} sind verwendet.',
    field_in_use: 'Verwendet von {{count, number}}{{names}}.',
    too_many_values: 'Das Limit ist {{limit, number}}.',
    values_do_not_fit: 'Betroffene Einträge: {{count, number}}.',
    owner_in_use: 'Verwendet von {{count, number}}{{names}}.',
    collection_in_use: 'Verwendet von {{count, number}}{{names}}.',
    invalid_topology: 'Der Kreis: {{path}}.',
    transport_failed: 'Seine Meldung: {{message}}',
    daily_limit_reached: '{{used, number}} von {{limit, number}} Empfängern sind verwendet.',
  },
  backendFailure: {
    address: 'Diese Adresse lässt sich nicht verwenden. Sie beginnt mit https:// und hat keinen Port.',
    private:
      'Diese Adresse liegt in einem privaten Netz. Der Betreiber dieser Installation kann sie freigeben (PRIVATE_HOSTS).',
    name: 'Einen öffentlichen Server mit diesem Namen gibt es nicht. Prüfen Sie die Adresse. Server in einem privaten Netz kann der Betreiber dieser Installation freigeben (PRIVATE_HOSTS).',
    refused: 'Der Server nimmt keine Verbindungen an. Prüfen Sie, ob Ihr Directus läuft.',
    timeout: 'Der Server hat zu lange nicht geantwortet.',
    certificate: 'Das Zertifikat des Servers ist ungültig.',
    redirect: 'Der Server leitet auf eine andere Adresse weiter. Geben Sie diese ein.',
    too_large: 'Die Antwort des Servers ist zu groß.',
    connection: 'Die Verbindung zum Server ist abgebrochen.',
    paused: 'Der Server hat mehrmals hintereinander versagt. Warten Sie eine halbe Minute.',
    malformed: 'Unter dieser Adresse antwortet kein Directus. Prüfen Sie die Adresse samt Pfad.',
    status: 'Das Directus meldet einen eigenen Fehler. Mehr steht in seinem Protokoll.',
    busy: 'Das Directus nimmt gerade keine weiteren Anfragen an. Versuchen Sie es gleich noch einmal.',
    credentials: 'Das Directus nimmt das Token nicht an. Es ist falsch, abgelaufen oder widerrufen.',
    not_allowed: 'Dem Token fehlt die Berechtigung dafür. Das Directus sagt: {{message}}',
    files_not_allowed:
      'Dem Token fehlt diese Berechtigung für die Dateien Ihres Directus. Richten Sie das Directus in den Einstellungen des Content-Backends noch einmal ein: Das ergänzt die Berechtigung. Das Directus sagt: {{message}}',
    licence: 'Die Lizenz des Directus lässt das nicht zu. Es sagt: {{message}}',
    rejected: 'Das Directus weist das zurück. Es sagt: {{message}}',
    changed: 'Inzwischen ist ein anderes Content-Backend verbunden, oder keines.',
    built_in_only: 'Das kann nur das eingebaute Content-Backend, und ein Directus ist verbunden.',
  },
  quota: {
    contacts: 'Kontakte',
    templates: 'Vorlagen',
    content_megabytes: 'Inhalte in MB',
    file_megabytes: 'Dateien in MB',
    imports: 'Importe in 24 Stunden',
    images: 'Bilder',
    website_events: 'Ereignisse einer Website und eines Tages',
    website_megabytes: 'MB der Ereignisse einer Website und eines Tages',
  },
  quotaUse: {
    used: '{{used}} von {{limit}}',
    near: 'Das Limit ist fast erreicht.',
    reached: 'Das Limit ist erreicht.',
  },
  quotaAdvice: {
    contacts: 'Löschen Sie Kontakte, die Sie nicht mehr brauchen.',
    templates: 'Löschen Sie Vorlagen, die Sie nicht mehr brauchen.',
    content_megabytes:
      'Inhalte, E-Mails, was jeder Versand von seiner E-Mail behält, Zielgruppen und Notizen zählen. Löschen Sie Inhalte oder E-Mails und Kampagnen, die vorbei sind: Ihr Platz ist 30 Tage später wieder frei.',
    file_megabytes: 'Löschen Sie Dateien, die Sie nicht mehr brauchen.',
    imports: 'Warten Sie, bis der älteste Import 24 Stunden zurückliegt.',
    images: 'Entfernen Sie Logos, die Sie nicht mehr brauchen.',
    website_events:
      'Was darüber hinausgeht, wird bis Mitternacht UTC verworfen. Senden Sie weniger eigene Ereignisse, oder pausieren Sie die Website. Sind Ereignisse nicht Ihre, ersetzen Sie das Token.',
    website_megabytes:
      'Was darüber hinausgeht, wird bis Mitternacht UTC verworfen. Senden Sie kürzere Adressen, Titel und Namen oder weniger eigene Ereignisse, oder pausieren Sie die Website. Sind Ereignisse nicht Ihre, ersetzen Sie das Token.',
  },
};
