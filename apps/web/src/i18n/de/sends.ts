import type { sends as en } from '#web/i18n/en/sends.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const sends: Translation<typeof en> = {
  title: 'Versände',
  what: 'Versände',
  whatOne: 'Versand',
  empty: {
    title: 'Noch nicht gesendet',
    body: 'Sobald diese E-Mail gesendet ist, finden Sie hier ihre Versände mit den Ergebnissen.',
    action: 'Zu „Prüfen und senden“',
  },
  started: 'Gestartet',
  recipients: 'Empfänger',
  sent: 'Gesendet',
  progressColumn: 'Fortschritt',
  sendOf: 'Versand vom {{when}}',
  kind: { triggered: 'Einzelne Nachrichten', follow_up: 'Folgeversand', test: 'Test' },
  followUp_one: 'Erneut an {{count}} fehlgeschlagenen Empfänger senden',
  followUp_other: 'Erneut an {{count}} fehlgeschlagene Empfänger senden',
  progress: {
    label: 'Versandfortschritt',
    preparing: 'Empfänger werden vorbereitet',
  },
  phase: {
    waiting: 'Startet {{when}}',
    waitingSeconds_one: 'Startet in {{count}} Sekunde',
    waitingSeconds_other: 'Startet in {{count}} Sekunden',
    starting: 'Startet',
    preparing: 'Empfänger werden vorbereitet',
    moving: '{{processed}} von {{total}} verarbeitet',
    active: 'Aktiv: {{sent}} von {{total}} Nachrichten gesendet',
    paused: 'Pausiert bei {{processed}} von {{total}}',
    finished: 'Abgeschlossen: {{total}} von {{total}} gesendet',
    partly_sent: 'Teilweise gesendet: {{sent}} von {{total}} gesendet',
    nothing_sent: 'Nichts gesendet: 0 von {{total}} gesendet',
    cancelled: 'Abgebrochen: {{sent}} von {{total}} gesendet',
    failed: 'Fehlgeschlagen: Es wurde nichts gesendet',
  },
  why: 'Gründe ansehen',
  pace: {
    lessThanMinute: '{{rate}} pro Minute, noch weniger als eine Minute',
    minutes_one: '{{rate}} pro Minute, noch etwa {{count}} Minute',
    minutes_other: '{{rate}} pro Minute, noch etwa {{count}} Minuten',
    hours_one: '{{rate}} pro Minute, noch etwa {{count}} Stunde',
    hours_other: '{{rate}} pro Minute, noch etwa {{count}} Stunden',
    waits: 'Wartet bis {{when}}',
    waitsForAttempt_one: 'Wartet bis {{when}} auf den nächsten Zustellversuch bei {{number}} Empfänger',
    waitsForAttempt_other: 'Wartet bis {{when}} auf den nächsten Zustellversuch bei {{number}} Empfängern',
  },
  cancel: 'Versand abbrechen',
  followUpCanceled: 'Folgeversand abgebrochen. Es wurde nichts gesendet.',
  canceledBeforeStart: 'Versand abgebrochen. Es wurde nichts gesendet, die E-Mail ist wieder ein Entwurf.',
  pause: 'Pausieren',
  pauseLater: 'Sie können den Versand pausieren, sobald die Empfänger vorbereitet sind.',
  pauseNote: 'Bereits gesendete E-Mails können nicht zurückgerufen werden.',
  resume: 'Fortsetzen',
  cancelTitle: 'Diesen Versand abbrechen?',
  cancelBody:
    '{{sent}} E-Mails sind bereits gesendet und können nicht zurückgerufen werden. Die übrigen {{left}} werden nicht gesendet.',
  cancelConfirm: 'Versand abbrechen',
  keep: 'Weiter senden',
  uncertainTitle_one: '{{count}} Zustellung ist unklar',
  uncertainTitle_other: '{{count}} Zustellungen sind unklar',
  uncertainBody:
    'Die Verbindung brach ab, bevor der Mailserver geantwortet hat. Beim erneuten Senden erhalten einige Empfänger die E-Mail möglicherweise doppelt. Werten Sie die Zustellungen als gesendet, erhalten einige sie möglicherweise nicht.',
  retryUncertain: 'Erneut senden',
  treatAsSent: 'Als gesendet werten',
  statistics: 'Statistik ansehen',
  mailbox: 'Testpostfach öffnen',
  audience: 'Zielgruppe',
  searchRecipients: 'Adressen oder eine Kontakt-ID suchen',
  contact: 'Kontakt {{id}}',
  address: 'E-Mail-Adresse',
  state: 'Status',
  attempts: 'Versuche',
  details: 'Details',
  at: 'Zeitpunkt',
  anyState: 'Alle Status',
  allButSent: 'Alle außer gesendeten',
  noRecipients: 'Keine Empfänger für diese Filter gefunden.',
  noneYet: 'Die Empfänger erscheinen hier, sobald sie vorbereitet sind.',
  receipt: {
    title: 'Versandbeleg',
    confirmed: 'Bestätigt',
    confirmedBy: '{{when}} von {{name}}',
    sent: 'Gesendet',
    sentFrom: '{{from}} bis {{to}}',
    sender: 'Absender',
    replyTo: 'Antworten an',
    subject: 'Betreff',
    recipients: 'Empfänger',
    content: 'Die E-Mail, wie sie gesendet wurde',
    shownAs: 'Wie {{address}} sie erhalten hat',
    notShown: 'Die E-Mail kann nicht angezeigt werden.',
    hidden: 'Ihre Rolle darf nicht sehen, was Kontakte erhalten haben.',
    details: 'Empfänger im Einzelnen',
  },
  live: 'Live',
  announce: '{{percent}} gesendet',
  error: {
    sender_rejected:
      'Der Mailserver lehnt diesen Absender ab: {{reply}}. Bitten Sie den Betreiber dieser Installation, die Absenderadresse auf dem Mailserver freizugeben. Setzen Sie den Versand dann fort, oder brechen Sie ihn ab.',
    often_unconfirmed:
      'Der Mailserver nimmt Nachrichten oft an, ohne sie zu bestätigen ({{detail}}). Bitten Sie den Betreiber dieser Installation, den Mailserver zu prüfen. Setzen Sie den Versand dann fort, oder brechen Sie ihn ab.',
    often_not_built:
      '{{count}} Nachrichten hintereinander konnten nicht erstellt werden. Die Details der fehlgeschlagenen Empfänger nennen den Grund. Brechen Sie den Versand ab, korrigieren Sie die Vorlage oder die Kontakte, und senden Sie eine neue E-Mail an alle, die keine erhalten haben.',
    worker_ended:
      'Der Versanddienst ist {{count}}-mal abgestürzt, als er mit diesem Versand begann. Bitten Sie den Betreiber dieser Installation, das Protokoll des Servers anzusehen. Setzen Sie den Versand dann fort, oder brechen Sie ihn ab.',
    overdue:
      'Seit mehr als einem Tag wurde nichts gesendet, obwohl Nachrichten fällig waren. Setzen Sie den Versand fort, wenn sie noch gesendet werden sollen, oder brechen Sie ihn ab.',
    unexpected_paused:
      'In Reachout ist {{count}}-mal hintereinander etwas schiefgegangen. Bitten Sie den Betreiber dieser Installation, das Protokoll des Servers anzusehen. Setzen Sie den Versand dann fort, oder brechen Sie ihn ab.',
    started_late:
      'Dieser Versand war vor mehr als einem Tag fällig, und es wurde nichts gesendet. Senden Sie die E-Mail erneut, wenn sie noch gesendet werden soll.',
    nobody_left:
      'Beim Start des Versands war niemand mehr in der Zielgruppe, daher wurde nichts gesendet. Prüfen Sie die Zielgruppe, und senden Sie die E-Mail dann erneut.',
    follow_up_nobody_left:
      'Es gibt niemanden mehr, an den erneut gesendet werden kann: Die fehlgeschlagenen Empfänger wurden gelöscht, abgemeldet oder unterdrückt, oder sie haben jetzt eine andere Adresse.',
    no_audience:
      'Dieser Versand hat keine Zielgruppe, daher wurde nichts gesendet. Wählen Sie eine, und senden Sie die E-Mail dann erneut.',
    parent_deleted: 'Der Versand, auf den dieser folgt, wurde gelöscht. Daher wurde nichts gesendet.',
    audience_of_newer_version:
      'Dieser Versand wurde mit einer neueren Version von Reachout bestätigt, deren Zielgruppen diese Version nicht lesen kann. Senden Sie die E-Mail erneut.',
    audience_unusable:
      'Dieser Versand wurde mit einer älteren Version von Reachout bestätigt, und seine Zielgruppe ist nicht mehr verwendbar. Öffnen Sie die Zielgruppe, um zu sehen, was nicht passt, korrigieren Sie sie, und senden Sie die E-Mail erneut.',
    daily_limit_exceeded:
      'Mit diesem Versand würde die Organisation in 24 Stunden {{used}} Empfänger erreichen; ihr Limit ist {{limit}}. Wählen Sie eine kleinere Zielgruppe, warten Sie, oder bitten Sie den Betreiber dieser Installation um ein höheres Limit.',
    unexpected_failed:
      'In Reachout ist {{count}}-mal hintereinander etwas schiefgegangen, und es wurde nichts gesendet. Bitten Sie den Betreiber dieser Installation, das Protokoll des Servers anzusehen. Senden Sie die E-Mail dann erneut.',
    sender_domains_missing:
      'Es kann nichts gesendet werden, bevor der Betreiber dieser Installation die Domains der Absender eingetragen hat (SENDER_DOMAINS).',
    sender_domain_denied:
      'Absender bei {{domain}} sind hier nicht erlaubt. Verwenden Sie eine andere Absenderadresse, oder bitten Sie den Betreiber dieser Installation, die Domain einzutragen (SENDER_DOMAINS).',
    unexpected_retried: 'In Reachout ist etwas schiefgegangen. Der Versand wird automatisch erneut versucht.',
    mail_server_away: 'Der Mailserver ist nicht erreichbar und wird erneut versucht: {{detail}}.',
    connections_closed: 'Der Mailserver beendet Verbindungen und wird erneut versucht: {{detail}}.',
    provider_waits:
      '{{provider}} nimmt vorerst keine weiteren Nachrichten an; die nächsten werden in {{minutes}} min gesendet. Der Server sagte: {{reply}}',
    rate_of_installation:
      'Reachout sendet höchstens {{perMinute}} pro Minute. Der Betreiber dieser Installation kann das ändern.',
    rate_of_organization:
      'Reachout sendet für diese Organisation höchstens {{perMinute}} pro Minute. Der Betreiber dieser Installation kann das ändern.',
    rate_of_provider:
      'Reachout sendet höchstens {{perMinute}} pro Minute an {{provider}}. Der Betreiber dieser Installation kann das ändern.',
    rate_of_other_providers:
      'Reachout sendet höchstens {{perMinute}} pro Minute an alle übrigen Anbieter. Der Betreiber dieser Installation kann das ändern.',
    warm_up_of_domain:
      'Die Absenderdomain {{domain}} ist für die Mailanbieter neu: Heute werden höchstens {{limit}} Nachrichten gesendet, danach jeden Tag mehr. Die nächsten werden nach Mitternacht (UTC) gesendet. Der Betreiber dieser Installation kann das ändern.',
    counted_as_sent:
      'Es blieb unklar, ob der Mailserver die Nachricht hat; jemand hat sie als gesendet gewertet.',
    worker_stopped: 'Der Versanddienst wurde beendet, während diese Nachricht unterwegs war.',
    worker_ended_building: 'Der Versanddienst ist zweimal abgestürzt, als er diese Nachricht erstellte.',
    unconfirmed: 'Der Mailserver hat die Nachricht nicht bestätigt: {{detail}}.',
    connection_lost: 'Die Verbindung zum Mailserver ist abgebrochen ({{stage}}): {{detail}}.',
    sender_unusable: 'Die Umschlagadresse des Absenders ist keine einfache E-Mail-Adresse.',
    recipient_unusable: 'Die Adresse ist keine einfache E-Mail-Adresse.',
    larger_than_server_takes: 'Die Nachricht ist größer, als der Mailserver annimmt.',
    not_built: 'Die Nachricht konnte nicht erstellt werden.',
    template_failed: 'Die Vorlage konnte nicht ausgefüllt werden: {{detail}}',
    template_too_slow: 'Die Vorlage brauchte länger als {{milliseconds}} ms.',
    part_too_large: 'Ein Teil der Nachricht hat mehr als {{limit}} Zeichen.',
    message_too_large: 'Die Nachricht ist größer als {{megabytes}} MB.',
    message_too_slow: 'Das Erstellen der Nachricht hat zu lange gedauert.',
    control_character: '{{header}} enthält einen Zeilenumbruch oder ein anderes Steuerzeichen.',
    header_too_long: '{{header}} ist länger als {{limit}} Zeichen.',
  },
};
