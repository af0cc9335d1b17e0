insert into written_categories values
  (3, 'sending', 'Sending', 'Before, during and after a send.',
   'Versand', 'Vor, während und nach dem Versand.');

insert into written_faqs (category, name, screens, en_title, en_content, de_title, de_content) values

('sending', 'stop-a-send', '{sends,emails,touchpoints}',
'Can I stop a send?',
$$Yes. A send starts one minute after you confirm it; until then, **Cancel send** makes the email a draft again, and nothing was sent.

Once it runs, its page has **Pause** and **Cancel send**. Pausing stops after the messages that are being handed over at that moment, and **Resume** goes on with the rest. Cancelling is final: the remaining messages are not sent. Messages that have left cannot be recalled.

**Pause campaign** pauses all sends of a campaign at once.$$,
'Kann ich einen Versand anhalten?',
$$Ja. Ein Versand startet eine Minute nach der Bestätigung; bis dahin macht **Versand abbrechen** die E-Mail wieder zum Entwurf, und nichts wurde gesendet.

Läuft er, finden Sie auf seiner Seite **Pausieren** und **Versand abbrechen**. Eine Pause hält nach den Nachrichten an, die gerade übergeben werden, und **Fortsetzen** macht mit den übrigen weiter. Ein Abbruch ist endgültig: Die übrigen Nachrichten werden nicht gesendet. Was schon hinausging, kann nicht zurückgerufen werden.

**Kampagne pausieren** hält allen Versand einer Kampagne auf einmal an.$$),

('sending', 'not-received', '{sends,contacts}',
'Why did this contact not get the email?',
$$Open the send and search the list of recipients for the address. Its status tells the reason:

- **Excluded**: matched the audience, but has no valid address, has the address of another contact, has unsubscribed, has not subscribed to the topic, has paused the brand, or is suppressed.
- **Suppressed**: blocked between the start and their message.
- **Bounced** or **Failed**: the details have the reply of the mail server.
- **Skipped**: deleted or changed in the meantime.

If the address is not in the list, the contact did not match the audience when the send started. If it is **Sent**, look in the spam folder.$$,
'Warum hat dieser Kontakt die E-Mail nicht erhalten?',
$$Öffnen Sie den Versand, und suchen Sie in der Liste der Empfänger nach der Adresse. Ihr Status nennt den Grund:

- **Ausgeschlossen**: gehört zur Zielgruppe, hat aber keine gültige Adresse oder die eines anderen Kontakts, ist abgemeldet, hat das Thema nicht abonniert, pausiert die Marke oder ist gesperrt.
- **Gesperrt**: zwischen dem Start und der eigenen Nachricht gesperrt.
- **Unzustellbar** oder **Fehlgeschlagen**: Die Details enthalten die Serverantwort.
- **Übersprungen**: inzwischen gelöscht oder geändert.

Steht die Adresse nicht in der Liste, gehörte der Kontakt beim Start nicht zur Zielgruppe. Steht dort **Gesendet**, sehen Sie im Spamordner nach.$$),

('sending', 'uncertain', '{sends,settings}',
'What does “Uncertain” mean?',
$$The connection to the mail server was lost before it confirmed the message. Nobody can know whether the message was sent. This is rare.

Under **Settings**, **General**, **Uncertain deliveries**, your organization decides what new sends do then:

- **Send again once**: without asking; a few recipients may get the email twice.
- **Wait for a decision**: the page of the send offers **Send again** and **Treat as sent**.

A message that becomes uncertain a second time always waits for a decision.$$,
'Was bedeutet „Unklar“?',
$$Die Verbindung zum Mailserver brach ab, bevor er die Nachricht bestätigt hat. Niemand kann wissen, ob sie gesendet wurde. Das kommt selten vor.

Unter **Einstellungen**, **Allgemein**, **Unklare Zustellungen** legt Ihre Organisation fest, was dann geschieht:

- **Einmal erneut senden**: ohne Rückfrage; einige Empfänger erhalten die E-Mail vielleicht doppelt.
- **Auf Entscheidung warten**: Die Seite des Versands bietet **Erneut senden** und **Als gesendet werten** an.

Eine Nachricht, die ein zweites Mal unklar wird, wartet immer auf eine Entscheidung.$$),

('sending', 'paused-itself', '{sends,dashboard}',
'Why did a send pause itself?',
$$To protect your recipients and your sender. A send pauses itself when going on would make things worse, for example if

- the mail server rejects the sender again and again,
- nearly all recipients are rejected,
- messages cannot be signed, because a DNS record of the sending domain is wrong,
- messages cannot be built, or the mail server fails repeatedly.

The page of the send says which of these it is. Solve it, then choose **Resume**: the send goes on with those who have got nothing yet. If nearly everybody was rejected, the addresses concerned are not suppressed.$$,
'Warum hat sich ein Versand selbst pausiert?',
$$Zum Schutz Ihrer Empfänger und Ihres Absenders. Ein Versand pausiert sich selbst, wenn es durch Weitersenden schlimmer würde, zum Beispiel wenn

- der Mailserver den Absender immer wieder ablehnt,
- fast alle Empfänger abgelehnt werden,
- Nachrichten nicht signiert werden können, weil ein DNS-Eintrag der Versanddomain nicht stimmt,
- Nachrichten nicht erstellt werden können oder der Mailserver wiederholt ausfällt.

Die Seite des Versands nennt den Grund. Beheben Sie ihn, und wählen Sie **Fortsetzen**: Es geht bei denen weiter, die noch nichts erhalten haben. Wurden fast alle abgelehnt, werden die betroffenen Adressen nicht gesperrt.$$),

('sending', 'send-later', '{calendar,emails}',
'How do I schedule an email?',
$$At the end of the email, choose when it starts: **Now**, **On a date**, **Repeatedly** or **Item by item**, with a time zone. Then confirm with **Schedule**.

The content is fixed when you confirm. The recipients are counted again when the send starts, so that people who join or leave the audience until then are taken into account. The **Calendar** shows everything that is planned. Repetitions keep their local time when the clocks change; they are at least a day apart and at most 500.$$,
'Wie plane ich eine E-Mail?',
$$Wählen Sie am Ende der E-Mail, wann sie startet: **Jetzt**, **An einem Datum**, **Wiederholt** oder **Einzeln**, mit einer Zeitzone. Bestätigen Sie dann mit **Planen**.

Der Inhalt steht mit der Bestätigung fest. Die Empfänger werden beim Start neu gezählt; wer bis dahin zur Zielgruppe kommt oder sie verlässt, ist also berücksichtigt. Der **Kalender** zeigt alles Geplante. Wiederholungen behalten bei einer Zeitumstellung ihre Ortszeit; sie liegen mindestens einen Tag auseinander und sind höchstens 500.$$),

('sending', 'change-what-is-planned', '{calendar,emails}',
'Can I still change an email that is scheduled?',
$$Its time: choose **Change time** on the send, or drag it in the calendar. Of a series, **Skip this one** leaves out one occurrence, and **Unschedule** calls off everything that has not started.

Its content: write on. The email goes out as it was confirmed until you choose **Confirm changes** at the end of the page. **Compare with what was confirmed** shows the differences. The confirmed changes apply to all sends that have not started, and these keep their times.$$,
'Kann ich eine geplante E-Mail noch ändern?',
$$Die Zeit: Wählen Sie beim Versand **Zeit ändern**, oder ziehen Sie ihn im Kalender. Bei einer Serie lässt **Diesen Termin auslassen** einen Termin weg, und **Planung aufheben** sagt alles ab, was noch nicht gestartet ist.

Den Inhalt: Schreiben Sie weiter. Die E-Mail geht so hinaus, wie sie bestätigt ist, bis Sie am Ende der Seite **Änderungen bestätigen** wählen. **Mit der Bestätigung vergleichen** zeigt die Unterschiede. Die bestätigten Änderungen gelten für jeden Versand, der noch nicht gestartet ist; die Zeiten bleiben.$$),

('sending', 'local-time', '{calendar,audiences}',
'Can everybody get the email at the same local time?',
$$Yes. When you schedule it, open **Delivery options** and choose **At this local time in each contact’s time zone**. The zone comes from a text field of the contacts, with values such as Europe/Berlin; **Field mapping** of the audience says which field. Contacts without a valid zone get the email in the zone of the schedule. If the hour has passed for somebody, their message is sent at once.

There you can also spread messages over some hours, and limit them to certain hours of the day.$$,
'Können alle die E-Mail zur gleichen Ortszeit erhalten?',
$$Ja. Öffnen Sie beim Planen **Optionen der Zustellung**, und wählen Sie **Zu dieser Ortszeit in der Zeitzone jedes Kontakts**. Die Zone steht in einem Textfeld der Kontakte, mit Werten wie Europe/Berlin; die **Feldzuordnung** der Zielgruppe sagt, in welchem. Für Kontakte ohne gültige Zone gilt die des Zeitplans. Ist die Stunde für jemanden schon vorbei, geht die Nachricht sofort hinaus.

Dort können Sie Nachrichten auch über einige Stunden verteilen und auf bestimmte Tageszeiten begrenzen.$$),

('sending', 'quiet-hours', '{clients,calendar}',
'What are quiet hours?',
$$Hours of the day in which no email of a brand to an audience starts, for example at night. Set them in the **Brand kit** of the brand.

They only delay: what would start within them starts when they end, and nobody is left out. They apply to scheduled emails and to those that you send now; the checklist before the send says so. For a scheduled email they are in its time zone, or in that of each contact. Single messages that a program requests do not wait for them.$$,
'Was ist die Ruhezeit?',
$$Stunden des Tages, in denen keine E-Mail einer Marke an eine Zielgruppe startet, zum Beispiel nachts. Sie stellen sie im **Markenauftritt** der Marke ein.

Die Ruhezeit verzögert nur: Was in ihr starten würde, startet an ihrem Ende, und niemand wird ausgelassen. Sie gilt für geplante E-Mails und für solche, die Sie jetzt senden; die Checkliste vor dem Versand weist darauf hin. Bei einer geplanten E-Mail gilt sie in deren Zeitzone oder in der jedes Kontakts. Einzelne Nachrichten, die ein Programm anfordert, warten nicht auf sie.$$),

('sending', 'cannot-send', '{emails,touchpoints}',
'Why can I not send this email?',
$$The checklist at the end of the email says what is missing; **Fix** leads to the place. A point that is **Blocked** prevents the send, such as a missing subject, no audience, no unsubscribe link, or a sender domain from which you may not send. A point to **Check** is a hint, and you decide.

If there is no button to send at all, your role may prepare emails but not send them, the email is archived, or the organization is suspended.$$,
'Warum kann ich diese E-Mail nicht senden?',
$$Die Checkliste am Ende der E-Mail sagt, was fehlt; **Beheben** führt an die Stelle. Ein Punkt mit **Blockiert** verhindert den Versand, etwa ein fehlender Betreff, keine Zielgruppe, kein Abmeldelink oder eine Absenderdomain, von der Sie nicht senden dürfen. Ein Punkt mit **Prüfen** ist ein Hinweis, und Sie entscheiden.

Fehlt die Schaltfläche zum Senden ganz, dürfen Sie mit Ihrer Rolle E-Mails vorbereiten, aber nicht senden, die E-Mail ist archiviert, oder die Organisation ist gesperrt.$$),

('sending', 'daily-limit', '{settings,sends,emails}',
'What is the daily limit?',
$$On an installation with a mail server, an organization reaches a limited number of recipients in 24 hours. The checklist before a send shows limit and use.

If a send would exceed it, choose a smaller audience, wait until earlier sends are 24 hours old, or ask the operator of the installation for a higher limit. The limit is checked again when a send starts: if the audience has grown beyond it meanwhile, the send fails and says so.

Other limits, such as those for contacts and images, are in **Settings**, **General**, **Limits**.$$,
'Was ist das Tageslimit?',
$$Auf einer Installation mit Mailserver erreicht eine Organisation in 24 Stunden eine begrenzte Zahl von Empfängern. Die Checkliste vor dem Versand zeigt Limit und Verbrauch.

Würde ein Versand es überschreiten, wählen Sie eine kleinere Zielgruppe, warten Sie, bis früherer Versand 24 Stunden zurückliegt, oder bitten Sie den Betreiber der Installation um ein höheres Limit. Beim Start wird es erneut geprüft: Ist die Zielgruppe inzwischen darüber hinaus gewachsen, schlägt der Versand fehl und nennt den Grund.

Andere Limits, etwa für Kontakte und Bilder, stehen unter **Einstellungen**, **Allgemein**, **Limits**.$$),

('sending', 'send-again-to-failed', '{sends,statistics}',
'How do I reach those to whom the delivery failed?',
$$When a send is over and some recipients failed, its page offers to send again to them. This follow-up goes once, with the same content, to the contacts whose delivery failed. Left out are contacts that have been deleted, that get no such mail any more, or whose address has changed.

Look at the reasons first, with **See why**: if the mail server rejected the content or the sender, the follow-up is rejected for the same reason.$$,
'Wie erreiche ich die, bei denen die Zustellung fehlschlug?',
$$Ist ein Versand zu Ende und bei einigen fehlgeschlagen, bietet seine Seite an, erneut an sie zu senden. Dieser Folgeversand geht einmal, mit demselben Inhalt, an die Kontakte, deren Zustellung fehlschlug. Ausgelassen werden Kontakte, die inzwischen gelöscht sind, solche E-Mails nicht mehr erhalten oder eine andere Adresse haben.

Sehen Sie zuerst mit **Gründe ansehen** nach, woran es lag: Hat der Mailserver Inhalt oder Absender abgelehnt, lehnt er auch den Folgeversand ab.$$);
