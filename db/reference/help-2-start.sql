insert into written_categories values
  (1, 'start', 'Getting started', 'The first steps, and how things belong together.',
   'Erste Schritte', 'Wie Sie beginnen und wie alles zusammenhängt.');

insert into written_faqs (category, name, screens, en_title, en_content, de_title, de_content) values

('start', 'first-email', '{dashboard,campaigns,emails}',
'How do I send my first email?',
$$Follow the checklist **Get ready to send** on the dashboard. In short:

1. Add a client and a brand.
2. Import contacts.
3. Choose **New email**, a brand and something to begin with.
4. Write the subject and the content, and choose an audience.
5. Send yourself a test, look through the checklist at the end of the page, and confirm.

The page [Your first campaign](/help/first-campaign) describes each step.$$,
'Wie sende ich meine erste E-Mail?',
$$Folgen Sie der Checkliste **Bereit für den ersten Versand** in der Übersicht. Kurz gesagt:

1. Legen Sie einen Kunden und eine Marke an.
2. Importieren Sie Kontakte.
3. Wählen Sie **Neue E-Mail**, eine Marke und womit Sie beginnen.
4. Schreiben Sie Betreff und Inhalt, und wählen Sie eine Zielgruppe.
5. Senden Sie sich einen Test, sehen Sie die Checkliste am Ende der Seite durch, und bestätigen Sie.

Die Seite [Ihre erste Kampagne](/help/first-campaign) beschreibt jeden Schritt.$$),

('start', 'how-it-belongs-together', '{clients,campaigns,touchpoints}',
'What are clients, brands, campaigns and touchpoints?',
$$- A *client* is a company that your organization works for.
- A *brand* is the name that recipients know. Emails are sent in its name, with its sender, its logo and its imprint. A client can have several.
- A *campaign* groups what pursues one goal of a brand.
- A *touchpoint* is one email or one website of a campaign.
- A *send* is one run of an email to its recipients.

Results add up along this way: from the send to the email, the campaign, the brand and the client.$$,
'Was sind Kunden, Marken, Kampagnen und Touchpoints?',
$$- Ein *Kunde* ist eine Firma, für die Ihre Organisation arbeitet.
- Eine *Marke* ist der Name, den Empfänger kennen. In ihrem Namen wird gesendet, mit ihrem Absender, ihrem Logo und ihrem Impressum. Ein Kunde kann mehrere haben.
- Eine *Kampagne* bündelt, was ein gemeinsames Ziel einer Marke verfolgt.
- Ein *Touchpoint* ist eine E-Mail oder eine Website einer Kampagne.
- Ein *Versand* ist ein Durchgang einer E-Mail an ihre Empfänger.

Ergebnisse summieren sich entlang dieses Wegs: vom Versand über E-Mail, Kampagne und Marke bis zum Kunden.$$),

('start', 'try-it-safely', '{mailbox,dashboard,emails}',
'Can I try everything without writing to real people?',
$$Yes, as long as this installation has no mail server. All messages are then delivered to the **Test inbox** of your organization and never leave the machine. They look there as their recipients would see them, their links work, and opens and clicks count.

With a mail server, messages go out. The checklist before each send says which of the two applies. **Send me a test** sends an email to your own address alone; tests are in no statistics.$$,
'Kann ich alles ausprobieren, ohne echten Personen zu schreiben?',
$$Ja, solange diese Installation keinen Mailserver hat. Alle Nachrichten landen dann im **Testpostfach** Ihrer Organisation und verlassen den Rechner nicht. Sie sehen dort aus wie bei den Empfängern, ihre Links funktionieren, und Öffnungen und Klicks zählen.

Mit einem Mailserver gehen Nachrichten hinaus. Die Checkliste vor jedem Versand sagt, was gilt. **Test an mich senden** sendet eine E-Mail nur an Ihre eigene Adresse; Tests erscheinen in keiner Statistik.$$),

('start', 'one-client-at-a-time', '{clients,dashboard}',
'How do I see only the work for one client?',
$$Choose the client under **Client** in the navigation, or press C. Lists, the calendar and the dashboard then show only what belongs to this client; contacts that all of your clients share stay visible. **All clients** shows everything again.

The pin beside the name of a client keeps it at the top of this menu.

This is a view for yourself. To limit what another person can see, give that person the role **Guest** with the clients in question.$$,
'Wie sehe ich nur die Arbeit für einen Kunden?',
$$Wählen Sie den Kunden in der Navigation unter **Kunde**, oder drücken Sie C. Listen, Kalender und Übersicht zeigen dann nur, was zu diesem Kunden gehört; Kontakte, die sich alle Ihre Kunden teilen, bleiben sichtbar. **Alle Kunden** zeigt wieder alles.

Mit der Nadel neben dem Namen eines Kunden halten Sie ihn oben in diesem Menü.

Das ist eine Ansicht für Sie selbst. Um zu begrenzen, was eine andere Person sieht, geben Sie ihr die Rolle **Gast** mit den betreffenden Kunden.$$),

('start', 'find-something', '{dashboard,account}',
'How do I find a page, a record or an action quickly?',
$$Press Ctrl K (⌘ K on a Mac), or choose **Search** in the navigation. Type a part of the name: the palette finds clients, brands, campaigns, touchpoints, templates, audiences, sign-up forms and contacts, beside pages and actions such as **Import contacts**.

In lists, / goes to the search of the list. Press ? to see all keys; the page [Keyboard shortcuts](/help/keyboard-shortcuts) explains them.$$,
'Wie finde ich schnell eine Seite, einen Eintrag oder eine Aktion?',
$$Drücken Sie Strg K (⌘ K auf einem Mac), oder wählen Sie **Suchen** in der Navigation. Tippen Sie einen Teil des Namens: Gefunden werden Kunden, Marken, Kampagnen, Touchpoints, Vorlagen, Zielgruppen, Anmeldeformulare und Kontakte, daneben Seiten und Aktionen wie **Kontakte importieren**.

In Listen springt / in die Suche der Liste. Mit ? sehen Sie alle Tasten; die Seite [Tastenkürzel](/help/keyboard-shortcuts) erklärt sie.$$),

('start', 'archive-or-delete', '{campaigns,touchpoints}',
'What is the difference between archiving and deleting?',
$$*Archiving* keeps a campaign or touchpoint with all of its results, but takes it out of the active lists. An archived email cannot be sent until you choose **Unarchive**. Nothing can be archived while a send is scheduled or in progress.

*Deleting* hides a record with everything below it. For 30 days, **Settings**, **Trash** can restore it; after that it is gone. Results of deleted emails are no longer part of the sums on the dashboard.$$,
'Was ist der Unterschied zwischen Archivieren und Löschen?',
$$*Archivieren* behält eine Kampagne oder einen Touchpoint mit allen Ergebnissen, nimmt sie aber aus den aktiven Listen. Eine archivierte E-Mail lässt sich erst wieder senden, wenn Sie **Aus dem Archiv holen** wählen. Solange ein Versand geplant ist oder läuft, geht das Archivieren nicht.

*Löschen* blendet etwas mit allem aus, was darunter liegt. 30 Tage lang lässt es sich unter **Einstellungen**, **Papierkorb** wiederherstellen; danach ist es weg. Ergebnisse gelöschter E-Mails gehören nicht mehr zu den Summen in der Übersicht.$$);
