insert into written_categories values
  (10, 'content', 'Collections, files and Directus', 'What your organization stores besides campaigns.',
   'Sammlungen, Dateien und Directus', 'Was Ihre Organisation außer Kampagnen speichert.');

insert into written_faqs (category, name, screens, en_title, en_content, de_title, de_content) values

('content', 'collections', '{collections,contacts}',
'What are collections for?',
$$A collection is a table of items with fields of your own: articles, products, events. Emails can show its items. Collections of people with an email address are lists of contacts, from which audiences select; they are also under **Contacts**.

Choose **New collection** to create one, and **Fields** on its page to add fields: texts, numbers, dates, choices, images and more. The displayed name of a field can be changed; its name in programs cannot, because rules, imports and templates use it.$$,
'Wozu dienen Sammlungen?',
$$Eine Sammlung ist eine Tabelle von Einträgen mit eigenen Feldern: Artikel, Produkte, Veranstaltungen. E-Mails können ihre Einträge zeigen. Sammlungen von Personen mit E-Mail-Adresse sind Kontaktlisten, aus denen Zielgruppen auswählen; sie stehen auch unter **Kontakte**.

Mit **Sammlung anlegen** erstellen Sie eine, unter **Felder** auf ihrer Seite fügen Sie Felder hinzu: Texte, Zahlen, Daten, Auswahlwerte, Bilder und mehr. Der angezeigte Name eines Feldes lässt sich ändern, sein Name in Programmen nicht, weil Regeln, Importe und Vorlagen ihn verwenden.$$),

('content', 'saved-views', '{collections,contacts}',
'How do I keep a filter that I use often?',
$$Set search, filter, order and columns as you like, then choose **Save as new view** in the menu of views. A view is yours alone, or for everybody who can view the collection: **Share with the team**.

The address of the page contains what you see, so that you can also send it as a link. A view is for looking at a list; to send to these people, save the same rule as an audience.$$,
'Wie behalte ich einen Filter, den ich oft brauche?',
$$Stellen Sie Suche, Filter, Reihenfolge und Spalten ein, und wählen Sie im Menü der Ansichten **Als neue Ansicht speichern**. Eine Ansicht gehört nur Ihnen oder allen, die die Sammlung sehen können: **Mit dem Team teilen**.

Die Adresse der Seite enthält, was Sie sehen; Sie können sie also auch als Link senden. Eine Ansicht dient zum Ansehen einer Liste; um an diese Personen zu senden, speichern Sie dieselbe Regel als Zielgruppe.$$),

('content', 'share-an-item', '{collections}',
'How do I show an item to somebody without an account?',
$$Choose **Share** in the menu beside the item, then **New link**. The role that you choose decides what readers see. You can add a password, times between which the link is open, and how often it can be opened. Send the link, and the password in another way.

Everyone who has the link reads this one item without signing in, until the link ends or you choose **End share**. **Shares** on the page **Collections** lists all links. A link also ends when the member who made it leaves the organization.$$,
'Wie zeige ich jemandem ohne Konto einen Eintrag?',
$$Wählen Sie im Menü neben dem Eintrag **Freigeben**, dann **Neuer Link**. Die gewählte Rolle bestimmt, was Leser sehen. Sie können ein Passwort hinzufügen, einen Zeitraum, in dem der Link offen ist, und wie oft er geöffnet werden kann. Senden Sie den Link, und das Passwort auf einem anderen Weg.

Alle, die den Link haben, lesen diesen einen Eintrag ohne Anmeldung, bis der Link endet oder Sie **Freigabe beenden** wählen. **Freigaben** auf der Seite **Sammlungen** nennt alle Links. Ein Link endet auch, wenn das Mitglied, das ihn erstellt hat, die Organisation verlässt.$$),

('content', 'what-can-be-uploaded', '{files}',
'Which files can I upload?',
$$Files of any kind, up to 10 MB each, on the page **Files** or in an image field of an item. The kind of a file is recognized by its content, not by its name, and only images are shown; others are downloaded.

Files belong to the whole organization. Members whose access is limited to some clients cannot see them. A file can be assigned to a brand: then its images come first when you insert one into an email of this brand.$$,
'Welche Dateien kann ich hochladen?',
$$Dateien jeder Art, jeweils bis 10 MB, auf der Seite **Dateien** oder in einem Bildfeld eines Eintrags. Die Art einer Datei wird an ihrem Inhalt erkannt, nicht am Namen, und nur Bilder werden angezeigt; andere werden heruntergeladen.

Dateien gehören der ganzen Organisation. Mitglieder, deren Zugriff auf einige Kunden begrenzt ist, sehen sie nicht. Eine Datei kann einer Marke zugeordnet werden: Dann kommen ihre Bilder zuerst, wenn Sie eines in eine E-Mail dieser Marke einfügen.$$),

('content', 'public-address', '{files,emails}',
'Who can see a file?',
$$Members of your organization whose access is not limited to some clients. Nobody else, unless you create a **Public address** for an image, as inserting it into an email does, or a link. Everyone who has this address can see the image without signing in; nobody can guess it. With **Copy link**, you open any file to everyone who has the link, for an hour, a day or a week.

A public address shows a redrawn copy, without what cameras write into files, such as the place. **Remove public address** ends it within an hour, also in emails that were sent.$$,
'Wer kann eine Datei sehen?',
$$Mitglieder Ihrer Organisation, deren Zugriff nicht auf einige Kunden begrenzt ist. Sonst niemand, außer Sie legen für ein Bild eine **Öffentliche Adresse** an, wie es das Einfügen in eine E-Mail tut, oder einen Link. Wer diese Adresse hat, sieht das Bild ohne Anmeldung; erraten kann sie niemand. Mit **Link kopieren** öffnen Sie eine beliebige Datei allen, die den Link haben, für eine Stunde, einen Tag oder eine Woche.

Eine öffentliche Adresse zeigt eine neu gezeichnete Kopie ohne das, was Kameras in Dateien schreiben, etwa den Ort. **Öffentliche Adresse entfernen** beendet das innerhalb einer Stunde, auch in gesendeten E-Mails.$$),

('content', 'own-directus', '{content-backend,collections}',
'Can we use our own Directus?',
$$Yes. Under **Settings**, **Content backend**, choose **Set up Directus** with the token of an administrator, which is used once and not stored, or **Connect Directus** with the token of a user that you have prepared. Contacts, collections and files then come from your Directus.

Templates, campaigns and statistics stay here in both cases. The page [Your own Directus](/help/directus) describes the steps and what changes.$$,
'Können wir unser eigenes Directus verwenden?',
$$Ja. Wählen Sie unter **Einstellungen**, **Content-Backend** die Aktion **Directus einrichten** mit dem Token eines Administrators, das einmal verwendet und nicht gespeichert wird, oder **Directus verbinden** mit dem Token eines Benutzers, den Sie vorbereitet haben. Kontakte, Sammlungen und Dateien kommen dann aus Ihrem Directus.

Vorlagen, Kampagnen und Statistiken bleiben in beiden Fällen hier. Die Seite [Ihr eigenes Directus](/help/directus) beschreibt die Schritte und was sich ändert.$$),

('content', 'built-in-data-hidden', '{content-backend,contacts}',
'Where are our contacts since a Directus is connected?',
$$The collections and files of the built-in content backend are hidden and kept unchanged. They return when you disconnect the Directus. Meanwhile, audiences select from the collections of the same name in the Directus.

Opt-outs stay in force, because they belong to addresses and are kept here in both cases. An opt-out that is entered here changes nothing in the Directus; a contact that is marked as unsubscribed there gets no mail.$$,
'Wo sind unsere Kontakte, seit ein Directus verbunden ist?',
$$Die Sammlungen und Dateien des eingebauten Content-Backends sind ausgeblendet und bleiben unverändert. Sie sind wieder da, wenn Sie das Directus trennen. Solange wählen Zielgruppen aus den gleichnamigen Sammlungen im Directus aus.

Abmeldungen gelten weiter, denn sie gehören zu Adressen und liegen in beiden Fällen hier. Eine Abmeldung, die hier eingetragen wird, ändert im Directus nichts; ein Kontakt, der dort als abgemeldet gekennzeichnet ist, erhält keine E-Mails.$$),

('content', 'test-inbox', '{mailbox}',
'Does reading in the test inbox count as an open?',
$$No. Looking at a message there counts nothing, because the tracking pixel is removed from what you see. **Count as opened** counts an open on purpose, and opening a website link counts as a click by this recipient, so that you can see how statistics come about. Links work only for members who can send campaigns.

The inbox keeps the newest 5,000 messages of your organization. It exists only as long as the installation has no mail server.$$,
'Zählt das Lesen im Testpostfach als Öffnung?',
$$Nein. Eine Nachricht dort anzusehen zählt nichts, weil das Zählpixel aus der Anzeige entfernt ist. **Als geöffnet zählen** zählt absichtlich eine Öffnung, und ein Website-Link zählt als Klick dieses Empfängers, damit Sie sehen, wie Statistik entsteht. Links funktionieren nur für Mitglieder, die Kampagnen senden dürfen.

Das Postfach behält die neuesten 5.000 Nachrichten Ihrer Organisation. Es gibt es nur, solange die Installation keinen Mailserver hat.$$);
