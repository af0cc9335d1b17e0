insert into written_categories values
  (6, 'domains', 'Sending domains', 'DNS records, and from which addresses you can send.',
   'Versanddomains', 'DNS-Einträge und von welchen Adressen Sie senden können.');

insert into written_faqs (category, name, screens, en_title, en_content, de_title, de_content) values

('domains', 'sender-addresses', '{domains,emails}',
'From which addresses can I send?',
$$From every address at a verified domain of your organization, or of the client or brand of the email. Add the domain under **Domains** and create the records that are shown there. Subdomains count as separate domains.

If a campaign has chosen its domains, its emails can use only these. The operator of the installation can also allow domains for everybody. Without a mail server, every sender works, because nothing leaves the machine.$$,
'Von welchen Adressen kann ich senden?',
$$Von jeder Adresse bei einer bestätigten Domain Ihrer Organisation oder des Kunden oder der Marke der E-Mail. Fügen Sie die Domain unter **Domains** hinzu, und legen Sie die Einträge an, die dort stehen. Subdomains zählen als eigene Domains.

Hat eine Kampagne ihre Domains ausgewählt, können ihre E-Mails nur diese verwenden. Auch der Betreiber der Installation kann Domains für alle freigeben. Ohne Mailserver funktioniert jeder Absender, weil nichts den Rechner verlässt.$$),

('domains', 'not-verified-yet', '{domains}',
'Why is my domain not verified yet?',
$$DKIM and return path have to be right, and SPF and DMARC must not fail. The page of the domain shows for each record what is expected and what was found. Frequent causes:

- The change is new: DNS can take up to 48 hours.
- The provider appended the domain to a name that contained it already. Use the short name.
- The value was cut off at 255 characters: use **Copy in parts**.
- Another organization has verified this domain.

The checks go on by themselves; **Check now** starts one at once.$$,
'Warum ist meine Domain noch nicht bestätigt?',
$$DKIM und Rückweg müssen stimmen, und SPF und DMARC dürfen nicht fehlschlagen. Die Seite der Domain zeigt zu jedem Eintrag, was erwartet und was gefunden wurde. Häufige Ursachen:

- Die Änderung ist neu: Im DNS kann es bis zu 48 Stunden dauern.
- Der Anbieter hat die Domain an einen Namen angehängt, der sie schon enthielt. Verwenden Sie den kurzen Namen.
- Der Wert wurde bei 255 Zeichen abgeschnitten: Verwenden Sie **In Teilen kopieren**.
- Eine andere Organisation hat diese Domain bestätigt.

Die Prüfungen laufen von selbst weiter; **Jetzt prüfen** startet sofort eine.$$),

('domains', 'spf-exists-already', '{domains}',
'I already have an SPF record. What do I do?',
$$Extend it: a domain can have only one SPF record, and two of them make both invalid. Put the part that begins with `include:` from the expected value into your existing record, before the last word such as `~all`, and leave the rest as it is.

An SPF record may need at most 10 lookups. If the check says that yours needs more, remove services that you no longer use.$$,
'Ich habe schon einen SPF-Eintrag. Was tun?',
$$Erweitern Sie ihn: Eine Domain kann nur einen SPF-Eintrag haben, zwei machen beide ungültig. Setzen Sie den Teil, der mit `include:` beginnt, aus dem erwarteten Wert in Ihren vorhandenen Eintrag ein, vor das letzte Wort wie `~all`, und lassen Sie den Rest, wie er ist.

Ein SPF-Eintrag darf höchstens 10 Abfragen brauchen. Sagt die Prüfung, dass Ihrer mehr braucht, entfernen Sie Dienste, die Sie nicht mehr nutzen.$$),

('domains', 'domain-failing', '{domains,sends}',
'What does it mean that a domain is failing?',
$$It was verified, but DKIM, return path, SPF or DMARC have failed three times in a row since then, over at least six hours. The owners of the organization get an email. Nothing is sent from the domain meanwhile: running sends pause, planned ones are put on hold.

Correct the records that are marked on the page of the domain, then choose **Check now**. Afterwards, resume the sends. After 30 days of failing, the domain is no longer verified.$$,
'Was bedeutet es, dass eine Domain gestört ist?',
$$Sie war bestätigt, aber DKIM, Rückweg, SPF oder DMARC sind seitdem dreimal nacheinander fehlgeschlagen, über mindestens sechs Stunden. Die Eigentümer der Organisation erhalten eine E-Mail. Solange wird von der Domain nichts gesendet: Laufender Versand pausiert, geplanter wird angehalten.

Korrigieren Sie die Einträge, die auf der Seite der Domain markiert sind, und wählen Sie **Jetzt prüfen**. Setzen Sie danach den Versand fort. Nach 30 Tagen Störung ist die Domain nicht mehr bestätigt.$$),

('domains', 'tracking-record', '{domains,statistics}',
'Do I need the tracking record?',
$$Not for sending. With it, links in messages lead to your own domain, such as click.example.com, instead of the address of this installation, which looks more trustworthy to recipients and mail filters. It is used only if its check passes, including encryption.

Keep the record as long as messages with such links are in use: without it, their links lead nowhere. The setting **Website** of the domain says where people go who open the bare address.$$,
'Brauche ich den Eintrag für das Tracking?',
$$Zum Senden nicht. Mit ihm führen Links in Nachrichten zu Ihrer eigenen Domain, etwa click.example.com, statt zur Adresse dieser Installation, was auf Empfänger und Mailfilter vertrauenswürdiger wirkt. Er wird nur verwendet, wenn seine Prüfung besteht, einschließlich der Verschlüsselung.

Behalten Sie den Eintrag, solange Nachrichten mit solchen Links im Umlauf sind: Ohne ihn führen die Links ins Leere. Die Einstellung **Website** der Domain sagt, wohin gelangt, wer die bloße Adresse öffnet.$$),

('domains', 'ask-your-administrator', '{domains}',
'Somebody else manages our DNS. What do I send them?',
$$Choose **Copy for your administrator** on the page of the domain. It copies all records with name, type and value as a text that you can send by email.

The other person needs no account here. When the records are there, the checks notice it by themselves: every 5 minutes in the first hour, then every hour, and after three days once a day.$$,
'Jemand anderes verwaltet unser DNS. Was sende ich ihm?',
$$Wählen Sie auf der Seite der Domain **Für Ihre Administration kopieren**. Kopiert werden alle Einträge mit Name, Typ und Wert als Text, den Sie per E-Mail senden können.

Die andere Person braucht hier kein Konto. Sind die Einträge da, bemerken die Prüfungen es von selbst: in der ersten Stunde alle 5 Minuten, danach jede Stunde und nach drei Tagen einmal täglich.$$);
