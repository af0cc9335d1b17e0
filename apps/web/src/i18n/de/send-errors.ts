import type { sendErrors as en } from '#web/i18n/en/send-errors.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const sendErrors: Translation<typeof en> = {
  text: {
    sender_rejected:
      'Der Mailserver lehnt diesen Absender ab: {{reply}}. Bitten Sie den Betreiber dieser Installation, die Absenderadresse auf dem Mailserver freizugeben. Setzen Sie den Versand dann fort, oder brechen Sie ihn ab.',
    many_complaints:
      'Empfänger haben {{complaints}} von {{accepted}} Nachrichten der letzten sieben Tage von {{domain}} als unerwünscht markiert. Mailanbieter filtern solche Absender, deshalb ist der Versand dieser Marke von dort angehalten. Finden Sie heraus, worüber sich Empfänger beschweren. Setzen Sie den Versand dann fort, oder brechen Sie ihn ab.',
    mostly_rejected:
      'Der Mailserver hat {{rejected}} der letzten {{count}} Nachrichten abgelehnt, daher wurde der Versand angehalten. Deshalb wurde keine Adresse gesperrt, denn die Ursache kann der Mailserver oder die ganze Liste sein. Prüfen Sie beides mit dem Betreiber dieser Installation. Setzen Sie den Versand dann fort, oder brechen Sie ihn ab. Der Server antwortete: {{reply}}',
    often_unconfirmed:
      'Der Mailserver nimmt Nachrichten oft an, ohne sie zu bestätigen. Bitten Sie den Betreiber dieser Installation, den Mailserver zu prüfen. Setzen Sie den Versand dann fort, oder brechen Sie ihn ab. Technische Angabe: {{detail}}',
    often_not_built:
      '{{count}} Nachrichten hintereinander konnten nicht erstellt werden. Die Details der fehlgeschlagenen Empfänger nennen den Grund. Brechen Sie den Versand ab, korrigieren Sie die Vorlage oder die Kontakte, und senden Sie eine neue E-Mail an alle, die keine erhalten haben.',
    worker_ended:
      'Der Versanddienst ist {{count}}-mal abgestürzt, als er mit diesem Versand begann. Bitten Sie den Betreiber dieser Installation, das Protokoll des Servers anzusehen. Setzen Sie den Versand dann fort, oder brechen Sie ihn ab.',
    overdue:
      'Seit mehr als einem Tag wurde nichts gesendet, obwohl Nachrichten fällig waren. Setzen Sie den Versand fort, wenn sie noch gesendet werden sollen, oder brechen Sie ihn ab.',
    unexpected_paused:
      'In Reachout ist {{count}}-mal hintereinander etwas schiefgegangen. Bitten Sie den Betreiber dieser Installation, das Protokoll des Servers anzusehen. Setzen Sie den Versand dann fort, oder brechen Sie ihn ab.',
    started_late:
      'Der Zeitpunkt dieses Versands ist verstrichen, und es wurde nichts gesendet. Senden Sie jetzt, wenn die E-Mail noch hinausgehen soll, wählen Sie einen anderen Zeitpunkt, oder brechen Sie den Versand ab.',
    nobody_left:
      'Beim Start des Versands war niemand mehr in der Zielgruppe, daher wurde nichts gesendet. Prüfen Sie die Zielgruppe, und senden Sie die E-Mail dann erneut.',
    follow_up_nobody_left:
      'Es gibt niemanden mehr, an den erneut gesendet werden kann: Die fehlgeschlagenen Empfänger wurden gelöscht, abgemeldet oder gesperrt, oder sie haben jetzt eine andere Adresse.',
    no_audience:
      'Dieser Versand hat keine Zielgruppe, daher wurde nichts gesendet. Wählen Sie eine, und senden Sie die E-Mail dann erneut.',
    parent_deleted: 'Der Versand, auf den dieser folgt, wurde gelöscht. Daher wurde nichts gesendet.',
    audience_of_newer_version:
      'Dieser Versand wurde mit einer neueren Version von Reachout bestätigt, deren Zielgruppen diese Version nicht lesen kann. Senden Sie die E-Mail erneut.',
    contacts_of_other_client:
      'Die Kontakte dieser Zielgruppe gehören zu einem anderen Kunden oder einer anderen Marke, deshalb wurde nichts gesendet. Wählen Sie eine andere Zielgruppe und senden Sie die E-Mail dann erneut.',
    audience_unusable:
      'Dieser Versand wurde mit einer älteren Version von Reachout bestätigt, und seine Zielgruppe ist nicht mehr verwendbar. Öffnen Sie die Zielgruppe, um zu sehen, was nicht passt, korrigieren Sie sie, und senden Sie die E-Mail erneut.',
    daily_limit_exceeded:
      'Mit diesem Versand würde die Organisation in 24 Stunden {{used}} Empfänger erreichen; ihr Limit ist {{limit}}. Wählen Sie eine kleinere Zielgruppe, warten Sie, oder bitten Sie den Betreiber dieser Installation um ein höheres Limit.',
    daily_limit_of_person_exceeded:
      'Mit diesem Versand würden Sie oder ein Eigentümer dieser Organisation in 24 Stunden {{used}} Empfänger erreichen, über alle Ihre Organisationen zusammen; das Limit ist {{limit}}. Wählen Sie eine kleinere Zielgruppe, warten Sie, oder bitten Sie den Betreiber dieser Installation um ein eigenes Limit für diese Organisation.',
    contacts_not_read:
      'Die Kontakte dieser Zielgruppe konnten nicht aus dem Content-Backend gelesen werden, daher wurde nichts gesendet. Prüfen Sie das Content-Backend in den Einstellungen, und senden Sie die E-Mail dann erneut. Der Grund: {{detail}}',
    unexpected_failed:
      'In Reachout ist {{count}}-mal hintereinander etwas schiefgegangen, und es wurde nichts gesendet. Bitten Sie den Betreiber dieser Installation, das Protokoll des Servers anzusehen. Senden Sie die E-Mail dann erneut.',
    sender_domains_missing:
      'Es kann nichts gesendet werden, bevor eine Versanddomain bestätigt ist oder der Betreiber dieser Installation die Domains der Absender eingetragen hat (SENDER_DOMAINS).',
    sender_domain_denied:
      'Absender bei {{domain}} sind hier nicht erlaubt. Verwenden Sie eine andere Absenderadresse, fügen Sie die Domain als Versanddomain hinzu, oder bitten Sie den Betreiber dieser Installation, sie freizugeben (SENDER_DOMAINS).',
    sender_domain_pending:
      'Die Versanddomain {{domain}} ist noch nicht bestätigt. Tragen Sie ihre DNS-Einträge ein und prüfen Sie diese. Verwenden Sie bis dahin eine andere Absenderadresse.',
    sender_domain_failing:
      'Die DNS-Einträge der Versanddomain {{domain}} bestehen ihre Prüfungen nicht mehr, deshalb wird von ihr nichts gesendet. Korrigieren Sie die Einträge und prüfen Sie die Domain erneut; setzen Sie dann den Versand fort.',
    sender_domain_not_linked:
      'Absender bei {{domain}} sind in dieser Kampagne nicht erlaubt: Sie ist mit anderen Versanddomains verknüpft. Verwenden Sie eine Absenderadresse bei einer von diesen, oder ändern Sie die Domains der Kampagne.',
    dkim_key_unusable:
      'Nachrichten von {{domain}} können nicht signiert werden, weil der DKIM-Schlüssel nicht verwendbar ist, und ohne Signatur wird nichts gesendet. Bitten Sie den Betreiber dieser Installation, den Schlüssel zu prüfen. Setzen Sie den Versand dann fort, oder senden Sie den Test erneut. Technische Angabe: {{detail}}',
    dkim_record_wrong:
      'Der DNS-Eintrag mit dem DKIM-Schlüssel von {{domain}} fehlt oder ist falsch, und Empfänger würden die Nachrichten ablehnen. Korrigieren Sie ihn und prüfen Sie die Versanddomain. Setzen Sie den Versand dann fort, oder senden Sie den Test erneut.',
    dkim_unanswered:
      'Die Nameserver von {{domain}} sind nicht erreichbar, und der DKIM-Schlüssel wurde dort seit mehr als 24 Stunden nicht gesehen. Prüfen Sie die Versanddomain. Setzen Sie den Versand dann fort, oder senden Sie den Test erneut.',
    dkim_signature_differs:
      'Nachrichten von {{domain}} würden mit einem anderen Schlüssel signiert als dem in ihrem DNS-Eintrag. Prüfen Sie die Versanddomain, oder bitten Sie den Betreiber dieser Installation, den Schlüssel zu prüfen. Setzen Sie den Versand dann fort, oder senden Sie den Test erneut. Technische Angabe: {{detail}}',
    sender_domain_deleted:
      'Die Versanddomain {{domain}} wurde gelöscht, während gesendet wurde, und die nächsten Nachrichten wären nicht signiert. Fügen Sie die Domain wieder hinzu und prüfen Sie sie, oder setzen Sie den Versand fort, um sie ohne Signatur zu senden.',
    unexpected_retried: 'In Reachout ist etwas schiefgegangen. Der Versand wird automatisch erneut versucht.',
    contacts_delayed:
      'Die Kontakte dieser Zielgruppe können nicht aus dem Content-Backend gelesen werden. Reachout versucht es weiter; es wird nichts gesendet, bevor alle gelesen sind. Der Grund: {{detail}}',
    mail_server_away:
      'Der Mailserver ist nicht erreichbar. Reachout versucht es weiter. Technische Angabe: {{detail}}',
    mail_server_busy:
      'Der Mailserver nimmt zurzeit keine Nachrichten an. Reachout versucht es weiter. Der Server antwortete: {{reply}}',
    connections_closed:
      'Der Mailserver beendet Verbindungen. Reachout versucht es weiter. Technische Angabe: {{detail}}',
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
    rate_of_transport:
      'Der Anbieter des Versandwegs {{name}} nimmt höchstens {{perMinute}} Nachrichten pro Minute an.',
    day_of_transport:
      'Der Anbieter des Versandwegs {{name}} nimmt in 24 Stunden höchstens {{limit}} Nachrichten an. Die nächsten werden gesendet, sobald er wieder welche annimmt.',
    warm_up_of_domain:
      'Die Absenderdomain {{domain}} ist für die Mailanbieter neu: Heute werden höchstens {{limit}} Nachrichten gesendet, danach jeden Tag mehr. Die nächsten werden nach Mitternacht (UTC) gesendet. Der Betreiber dieser Installation kann das ändern.',
    stopped_by_event: 'Ein Ereignis dieses Kontakts hat die Nachricht aufgehalten, bevor sie gesendet wurde.',
    counted_as_sent:
      'Es ist unklar, ob der Mailserver die Nachricht angenommen hat; ein Mitglied hat sie als gesendet gewertet.',
    worker_stopped: 'Der Versanddienst wurde beendet, während er diese Nachricht sendete.',
    worker_ended_building: 'Der Versanddienst ist zweimal abgestürzt, als er diese Nachricht erstellte.',
    unconfirmed: 'Der Mailserver hat die Nachricht nicht bestätigt. Technische Angabe: {{detail}}',
    connection_lost:
      'Die Verbindung zum Mailserver ist abgebrochen ({{stage}}). Technische Angabe: {{detail}}',
    sender_unusable: 'Die Umschlagadresse des Absenders ist keine einfache E-Mail-Adresse.',
    recipient_unusable: 'Die Adresse ist keine einfache E-Mail-Adresse.',
    larger_than_server_takes: 'Die Nachricht ist größer, als der Mailserver annimmt.',
    not_built: 'Die Nachricht konnte nicht erstellt werden.',
    template_failed: 'Die Vorlage konnte nicht ausgefüllt werden. Technische Angabe: {{detail}}',
    template_too_slow: 'Die Vorlage brauchte länger als {{milliseconds}} ms.',
    part_too_large: 'Ein Teil der Nachricht hat mehr als {{limit}} Zeichen.',
    message_too_large: 'Die Nachricht ist größer als {{megabytes}} MB.',
    message_too_slow: 'Das Erstellen der Nachricht hat zu lange gedauert.',
    control_character: '{{header}} enthält einen Zeilenumbruch oder ein anderes Steuerzeichen.',
    header_too_long: '{{header}} ist länger als {{limit}} Zeichen.',
  },
};
