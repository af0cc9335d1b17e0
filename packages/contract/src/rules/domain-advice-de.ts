import type { DomainAdviceCode } from './domain-advice.ts';

/** The German texts. */
export const domainAdviceDe: Record<DomainAdviceCode, string> = {
  settings_missing:
    'Der Betreiber dieser Installation muss {{settings}} setzen, bevor das geprüft werden kann.',
  record_missing:
    'Unter {{name}} wurde kein {{type}}-Eintrag gefunden. Legen Sie ihn bei Ihrem DNS-Anbieter an.',
  record_doubled:
    'Unter {{name}} wurde kein Eintrag gefunden, aber unter {{doubled}}: Ihr DNS-Anbieter hängt die Domain an. Geben Sie als Namen nur {{host}} ein.',
  record_misplaced:
    'Unter {{name}} wurde kein Eintrag gefunden, aber ein solcher unter {{found}}. Geben Sie als Namen {{host}} ein.',
  record_alias:
    '{{name}} hat einen CNAME-Eintrag auf {{found}}, wo der {{type}}-Eintrag fehlt oder ein anderer ist. Neben einem CNAME-Eintrag kann es keinen weiteren geben: Entfernen Sie ihn und legen Sie dann den angezeigten Eintrag an.',
  record_wildcard:
    '{{name}} hat keinen eigenen Eintrag: Ein Platzhalter-Eintrag (*) Ihrer Zone antwortet mit {{found}}. Legen Sie den angezeigten {{type}}-Eintrag an; er gilt anstelle des Platzhalters.',
  record_quotes:
    'Der Wert unter {{name}} enthält Anführungszeichen. Fügen Sie ihn ohne sie ein: Ihr DNS-Anbieter ergänzt, was er braucht.',
  record_backslashes: 'Der Wert unter {{name}} enthält umgekehrte Schrägstriche. Fügen Sie ihn ohne sie ein.',
  wrong_target: '{{name}} zeigt auf {{found}}. Ändern Sie das in {{target}}.',
  domain_unknown:
    'Das DNS kennt keine Domain {{domain}}. Prüfen Sie die Schreibweise, und ob sie registriert ist und Nameserver hat.',
  answer_too_large:
    'Die Antwort für {{name}} hat mehr als {{records}} Einträge, oder einen mit mehr als {{kilobytes}} kB, und wurde nicht gelesen. Entfernen Sie, was nicht mehr gebraucht wird.',
  dns_unavailable:
    'Das DNS gab für {{name}} keine brauchbare Antwort ({{code}}). Das sagt nichts über Ihre Einträge: Die Prüfung wird wiederholt. Bleibt es dabei, fragen Sie Ihren DNS-Anbieter, ob die Nameserver der Domain antworten.',
  zone_dnssec:
    'Die DNSSEC-Signaturen für {{name}} lassen sich nicht prüfen ({{detail}}), sodass auch viele Mailserver keine Antwort bekommen. Lassen Sie die Zone bei Ihrem DNS-Anbieter neu signieren, oder entfernen Sie ihren DS-Eintrag bei Ihrem Registrar.',
  zone_unreachable:
    'Die Nameserver von {{name}} antworten dafür nicht ({{detail}}). Prüfen Sie bei Ihrem Registrar, ob die richtigen Nameserver eingetragen sind, und bei Ihrem DNS-Anbieter, ob sie diese Zone haben.',
  check_too_slow:
    'Die Antworten des DNS dauerten zu lange. Das sagt nichts über Ihre Einträge: Die Prüfung wird wiederholt. Bleibt es dabei, fragen Sie Ihren DNS-Anbieter, ob die Nameserver der Domain antworten.',
  too_many_queries: 'Diese Prüfung brauchte zu viele DNS-Abfragen und wurde beendet.',
  resolvers_disagree:
    'Zwei DNS-Resolver gaben verschiedene Antworten. Nach einer Änderung ist das für einige Stunden normal: Die Prüfung wird wiederholt.',
  dkim_second_missing:
    'Unter {{name}} wurde kein Schlüssel gefunden. Nachrichten werden mit dem anderen Schlüssel signiert, noch geht also nichts verloren. Legen Sie auch diesen Eintrag an, damit Schlüssel ohne Lücke gewechselt werden können.',
  dkim_several:
    'Unter {{name}} gibt es {{count}} TXT-Einträge, und manche Mailserver akzeptieren dann keinen davon. Behalten Sie nur den mit unserem Schlüssel.',
  dkim_not_a_key:
    'Der Eintrag unter {{name}} ist kein DKIM-Schlüssel: {{value}}. Ersetzen Sie seinen Wert durch den angezeigten.',
  dkim_revoked:
    'Der Schlüssel unter {{name}} ist leer (p=), was ihn widerruft. Ersetzen Sie den Wert durch den angezeigten.',
  dkim_bad_base64:
    'Der Schlüssel unter {{name}} enthält Zeichen, die kein Schlüssel hat. Kopieren Sie den Wert noch einmal.',
  dkim_key_cut:
    'Der Schlüssel unter {{name}} ist nach {{length}} von {{expected}} Zeichen abgeschnitten. Geben Sie den Wert in der geteilten Form ein: Jeder Teil hat höchstens 255 Zeichen.',
  dkim_other_key: 'Der Schlüssel unter {{name}} ist nicht unserer. Kopieren Sie den Wert noch einmal.',
  dkim_syntax:
    'Der Eintrag unter {{name}} ist bei „{{term}}“ nicht lesbar, sodass Mailserver ihn ablehnen. Ersetzen Sie den Wert durch den angezeigten.',
  dkim_duplicate_tag:
    'Der Eintrag unter {{name}} hat „{{tag}}“ mehr als einmal und ist damit ungültig. Ersetzen Sie den Wert durch den angezeigten.',
  dkim_tag_case:
    'Der Eintrag unter {{name}} hat „{{tag}}“ in Großbuchstaben, was Mailserver ignorieren. Ersetzen Sie den Wert durch den angezeigten.',
  dkim_version:
    'Der Eintrag unter {{name}} wird ignoriert: v=DKIM1 muss am Anfang stehen, in diesen Großbuchstaben. Ersetzen Sie den Wert durch den angezeigten.',
  dkim_algorithm:
    'Der Schlüssel unter {{name}} hat den Typ „{{value}}“ (k=), aber wir signieren mit „rsa“. Ersetzen Sie den Wert durch den angezeigten.',
  dkim_service:
    'Der Schlüssel unter {{name}} ist nicht für E-Mail (s={{value}}). Entfernen Sie „s={{value}}“ aus dem Wert.',
  dkim_hash:
    'Der Schlüssel unter {{name}} schließt SHA-256 aus (h={{value}}), womit wir signieren. Entfernen Sie „h={{value}}“ aus dem Wert.',
  dkim_testing:
    'Der Schlüssel unter {{name}} ist als Test markiert (t=y), sodass Mailserver die Signatur ignorieren dürfen. Entfernen Sie „t=y“ aus dem Wert.',
  dkim_short_key:
    'Der Schlüssel unter {{name}} hat {{bits}} Bit. Große Mailanbieter erwarten 2048: Ersetzen Sie den Wert durch den angezeigten.',
  spf_missing: 'Unter {{name}} wurde kein SPF-Eintrag gefunden. Legen Sie diesen TXT-Eintrag an: {{value}}',
  spf_from_missing:
    '{{name}} hat keinen SPF-Eintrag. Nachrichten bestehen durch ihren Rückweg, aber manche Mailserver sehen auch hier nach. Legen Sie diesen TXT-Eintrag an: {{value}}',
  spf_several: '{{name}} hat {{count}} SPF-Einträge, sodass keiner zählt. Führen Sie sie zu einem zusammen.',
  spf_mergeable:
    '{{name}} hat {{count}} SPF-Einträge, sodass keiner zählt. Führen Sie sie zu einem zusammen: {{merged}}',
  spf_unusable:
    'Der Eintrag unter {{name}} ist kein SPF-Eintrag: {{value}}. Er muss mit v=spf1 und einem Leerzeichen beginnen.',
  spf_syntax:
    'Der SPF-Eintrag von {{name}} ist bei „{{term}}“ nicht lesbar. Korrigieren oder entfernen Sie das.',
  spf_too_many_lookups:
    'Der SPF-Eintrag von {{name}} braucht {{count}} von 10 Abfragen, sodass Mailserver ihn ablehnen. Entfernen Sie, was Sie nicht mehr nutzen, zum Beispiel {{heaviest}}.',
  spf_many_lookups:
    'Der SPF-Eintrag von {{name}} braucht {{count}} von 10 Abfragen. Ein weiterer Dienst kann ihn ungültig machen. Entfernen Sie, was Sie nicht mehr nutzen, zum Beispiel {{heaviest}}.',
  spf_void_lookups:
    'Der SPF-Eintrag von {{name}} verweist auf {{count}} Namen ohne Einträge; 2 sind erlaubt. Entfernen Sie {{names}}.',
  spf_loop:
    'Der SPF-Eintrag von {{name}} führt über {{through}} zu sich selbst zurück. Entfernen Sie diesen Verweis.',
  spf_include_missing:
    'Der SPF-Eintrag von {{name}} verweist auf {{include}} ohne SPF-Eintrag. Entfernen Sie diesen Verweis.',
  spf_include_several:
    'Der SPF-Eintrag von {{name}} verweist auf {{include}} mit mehreren SPF-Einträgen, sodass keiner zählt. Entfernen Sie diesen Verweis, oder sagen Sie es dem Inhaber.',
  spf_mx_hosts:
    'Der SPF-Eintrag von {{name}} nutzt die MX-Einträge von {{host}}, die mehr als 10 sind. Nennen Sie die Mailserver auf andere Art.',
  spf_all_pass:
    'Der SPF-Eintrag von {{name}} endet mit +all, sodass das ganze Internet in seinem Namen senden darf. Ersetzen Sie das durch ~all.',
  spf_include_all_pass:
    'Der SPF-Eintrag von {{name}} verweist auf {{include}}, das mit +all endet, sodass das ganze Internet in seinem Namen senden darf. Entfernen Sie diesen Verweis.',
  spf_no_all:
    'Der SPF-Eintrag von {{name}} sagt nicht, was für alle anderen gilt. Lassen Sie ihn mit ~all enden.',
  spf_neutral_all:
    'Der SPF-Eintrag von {{name}} endet mit ?all, was nichts aussagt. Ersetzen Sie das durch ~all.',
  spf_ptr:
    'Der SPF-Eintrag von {{name}} nutzt ptr, was Mailserver ignorieren dürfen. Nennen Sie die Server auf andere Art.',
  spf_macros:
    'Der SPF-Eintrag von {{name}} enthält „{{term}}“, was von jeder Nachricht abhängt, sodass es hier nicht geprüft werden kann.',
  spf_not_covered:
    'Der SPF-Eintrag von {{name}} erlaubt unsere Server nicht. Ergänzen Sie {{terms}}, sodass er lautet: {{value}}',
  spf_from_not_covered:
    'Der SPF-Eintrag von {{name}} nennt unsere Server nicht. Nachrichten bestehen durch ihren Rückweg, aber manche Mailserver sehen auch hier nach. Ergänzen Sie {{terms}}, sodass er lautet: {{value}}',
  dmarc_missing:
    'Für {{domain}} wurde kein DMARC-Eintrag gefunden. Beginnen Sie mit {{value}}, und wechseln Sie nach zwei Wochen ohne Auffälligkeiten in den Berichten zu p=quarantine.',
  dmarc_several: '{{name}} hat {{count}} DMARC-Einträge, sodass keiner zählt. Behalten Sie einen.',
  dmarc_unusable:
    'Der Eintrag unter {{name}} ist kein DMARC-Eintrag: {{value}}. Er muss mit v=DMARC1; beginnen.',
  dmarc_wrong_case:
    'Der Eintrag unter {{name}} beginnt mit {{found}}, sodass er ignoriert wird. Schreiben Sie v=DMARC1 mit diesen Großbuchstaben.',
  dmarc_duplicate_tag:
    'Der Eintrag unter {{name}} hat „{{tag}}“ mehrfach, sodass er ungültig ist. Behalten Sie eines.',
  dmarc_tag_case:
    'Der Eintrag unter {{name}} hat „{{tag}}“ in Großbuchstaben, was strenge Mailserver ignorieren. Schreiben Sie es klein.',
  dmarc_no_policy:
    'Der Eintrag unter {{name}} hat keine gültige Richtlinie: {{value}}. Ergänzen Sie p=none, p=quarantine oder p=reject.',
  dmarc_unknown_policy:
    'Der Eintrag unter {{name}} hat keinen gültigen Wert von „{{tag}}“ ({{found}}). Neue Mailserver lesen ihn als p=none, andere ignorieren den Eintrag. Verwenden Sie none, quarantine oder reject.',
  dmarc_policy_none:
    'Die Richtlinie von {{name}} ist „none“: Gefälschte Mails in Ihrem Namen werden zugestellt. Wechseln Sie nach zwei Wochen ohne Auffälligkeiten in den Berichten zu p=quarantine.',
  dmarc_pct:
    'Der Eintrag unter {{name}} hat pct={{pct}}, was neue Mailserver ignorieren: Die Richtlinie gilt dann für alle Nachrichten. Entfernen Sie es.',
  dmarc_testing:
    'Der Eintrag unter {{name}} hat t=y: Die Richtlinie wird nur erprobt. Entfernen Sie es nach zwei Wochen ohne Auffälligkeiten in den Berichten.',
  dmarc_no_reports:
    'Der Eintrag unter {{name}} verlangt keine Berichte, sodass Sie nicht erfahren, wer in Ihrem Namen sendet. Ergänzen Sie rua=mailto: und Ihre Adresse.',
  dmarc_report_consent:
    'Berichte über {{domain}} gehen an {{host}}, das dem nicht zustimmt: Es hat keinen TXT-Eintrag v=DMARC1 unter {{name}}. Fragen Sie den Inhaber, oder verwenden Sie eine Adresse Ihrer eigenen Domain.',
  dmarc_inherited:
    '{{domain}} hat keinen DMARC-Eintrag; für sie gilt der von {{from}}, mit der Richtlinie „{{policy}}“. Mailserver, die dem älteren Standard folgen, können das anders sehen. Legen Sie einen Eintrag unter _dmarc.{{domain}} an.',
  dmarc_strict_dkim:
    'Der Eintrag unter {{name}} hat adkim=s, aber Nachrichten von {{domain}} werden für {{signing}} signiert. Entfernen Sie adkim=s.',
  dmarc_dkim_unaligned:
    'Nachrichten von {{domain}} werden für {{signing}} signiert, was im DNS zu einer anderen Organisation gehört, sodass die Signatur nicht zählt.',
  dmarc_strict_spf:
    'Der Eintrag unter {{name}} hat aspf=s, aber Rückläufer gehen an {{bounce}}, sodass SPF nicht zählt, sondern nur die Signatur. Entfernen Sie aspf=s.',
  dmarc_spf_unaligned:
    'Rückläufer gehen an {{bounce}}, was kein Teil von {{domain}} ist, sodass SPF nicht zählt, sondern nur die Signatur. Richten Sie den Rückweg dieser Domain ein.',
  return_path_no_mx:
    'Rückläufer erreichen uns nicht: {{name}} hat weder unseren CNAME noch einen MX-Eintrag. Legen Sie den angezeigten Eintrag an.',
  return_path_other_mx:
    'Rückläufer erreichen uns nicht: Der MX-Eintrag von {{name}} ist {{found}}. Ändern Sie ihn in {{mx}}.',
  return_path_extra_mx:
    '{{name}} hat neben unserem weitere MX-Einträge: {{found}}. Rückläufer, die dorthin gehen, sind für uns verloren. Entfernen Sie sie.',
  return_path_unserved:
    '{{name}} führt zu uns, aber keiner unserer Mailserver ({{found}}) hat eine Adresse, sodass nichts zurückkommt. Sagen Sie es dem Betreiber dieser Installation.',
  tracking_apex:
    '{{host}} ist die Domain selbst, die keinen CNAME-Eintrag haben kann. Verwenden Sie einen Namen darunter wie click.{{host}}.',
  tracking_chain:
    'Die CNAME-Einträge von {{host}} enden nicht nach {{limit}} Schritten. Lassen Sie {{host}} direkt auf {{target}} zeigen.',
  tracking_flattened:
    '{{host}} hat Adressen ({{found}}) statt eines CNAME-Eintrags. Das funktioniert jetzt, bricht aber ab, wenn sich unsere Adressen ändern. Verwenden Sie einen CNAME auf {{target}}.',
  tracking_elsewhere:
    '{{host}} führt zu {{found}}, wo wir nicht antworten. Ersetzen Sie das durch einen CNAME auf {{target}}.',
  tracking_proxy:
    'Ein Proxy vor {{host}} ({{found}}) antwortet an unserer Stelle: {{answer}}. Stellen Sie ihn bei Ihrem DNS-Anbieter auf „DNS only“.',
  tracking_other_answer:
    'Unter {{host}} antwortet etwas anderes als Reachout: {{answer}}. Prüfen Sie, dass nichts zwischen {{host}} und {{target}} steht.',
  tracking_http_only:
    '{{host}} antwortet nur unverschlüsselt (http). Bis https funktioniert, bleiben Links in Nachrichten unter unserer eigenen Adresse.',
  tracking_certificate:
    'Das Zertifikat von {{host}} ist nicht gültig. Ist der Eintrag neu, warten Sie eine Stunde; sagen Sie es sonst dem Betreiber dieser Installation.',
  tracking_certificate_ends:
    'Das Zertifikat von {{host}} endet in {{days}} Tagen und wurde nicht erneuert. Sagen Sie es dem Betreiber dieser Installation.',
  tracking_caa:
    'Die CAA-Einträge von {{name}} erlauben Zertifikate nur von {{found}}. Legen Sie einen für {{issuers}} an, woher unsere kommen.',
  tracking_unreachable: '{{host}} führt zu uns, ist aber nicht erreichbar: {{reason}}',
  tracking_not_probed: '{{host}} konnte gerade nicht aufgerufen werden. Die Prüfung wird wiederholt.',
};
