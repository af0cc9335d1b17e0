insert into written_categories values
  (2, 'emails', 'Writing emails', 'Content, templates, merge tags and images.',
   'E-Mails schreiben', 'Inhalt, Vorlagen, Platzhalter und Bilder.');

insert into written_faqs (category, name, screens, en_title, en_content, de_title, de_content) values

('emails', 'what-to-begin-with', '{emails,templates}',
'What can a new email begin with?',
$$**New email** offers three ways under **Start from**:

- **Goal**: a design for a purpose, such as a newsletter, an invitation or a reminder, in the colors and with the logo of the brand;
- **Earlier email**: a copy of what you sent before;
- **Template**: one that your organization has saved.

You can change everything later, and the draft is saved automatically. **Start over** beside the content replaces it by another beginning; the editor can undo that.$$,
'Womit kann eine neue E-Mail beginnen?',
$$**Neue E-Mail** bietet unter **Beginnen mit** drei Wege:

- **Ziel**: ein Entwurf für einen Zweck, etwa Newsletter, Einladung oder Erinnerung, in den Farben und mit dem Logo der Marke;
- **Frühere E-Mail**: eine Kopie dessen, was Sie schon gesendet haben;
- **Vorlage**: eine, die Ihre Organisation gespeichert hat.

Alles lässt sich später ändern, und der Entwurf wird automatisch gespeichert. **Neu beginnen** beim Inhalt ersetzt ihn durch einen anderen Anfang; im Editor können Sie das rückgängig machen.$$),

('emails', 'address-by-name', '{emails,templates}',
'How do I address people by their name?',
$$Insert a merge tag: choose **Merge tags** above the text or beside the subject, and then a field of your contacts, such as the first name. In each message, the value of that contact stands in its place.

Enter a text under **Text if it is empty (optional)**, because some contacts usually have no value. The list says how many that are, and the checklist before the send names every merge tag that is empty for some recipients. A field that the contacts do not have blocks the send.$$,
'Wie spreche ich Personen mit ihrem Namen an?',
$$Fügen Sie einen Platzhalter ein: Wählen Sie **Platzhalter** über dem Text oder beim Betreff und dann ein Feld Ihrer Kontakte, etwa den Vornamen. In jeder Nachricht steht an dieser Stelle der Wert des Kontakts.

Geben Sie unter **Text, falls leer (optional)** einen Ersatz ein, denn meist haben einige Kontakte keinen Wert. Die Liste sagt, wie viele das sind, und die Checkliste vor dem Versand nennt jeden Platzhalter, der bei manchen Empfängern leer ist. Ein Feld, das die Kontakte nicht haben, verhindert den Versand.$$),

('emails', 'insert-an-image', '{emails,files}',
'How do I put an image into an email?',
$$Add an image block in the editor, or drop or paste an image where you want it. Under **Insert image** you can upload it, choose one of the brand, crop it and make it smaller. Enter what the image says as **Alternative text**, because many mail programs load no images at first.

An image in an email can have at most 5 MB. It gets a public address: everyone who has this address can see the image without signing in.$$,
'Wie kommt ein Bild in eine E-Mail?',
$$Fügen Sie im Editor einen Bild-Baustein hinzu, oder legen Sie ein Bild dort ab, wo Sie es haben möchten. Unter **Bild einfügen** können Sie es hochladen, eines der Marke wählen, es zuschneiden und verkleinern. Geben Sie als **Alternativtext** ein, was das Bild sagt, denn viele Mailprogramme laden Bilder zunächst nicht.

Ein Bild in einer E-Mail kann höchstens 5 MB haben. Es erhält eine öffentliche Adresse: Wer sie hat, sieht das Bild ohne Anmeldung.$$),

('emails', 'template-changes', '{templates,emails}',
'Do emails change when I change their template?',
$$No. An email that begins from a template has its own copy. What you change in the template later applies only to emails that begin from it afterwards, and deleting the template changes nothing in emails either. The page of a template lists the emails that began from it.

The other way round, **Save as template** in an email makes a new template of its content.$$,
'Ändern sich E-Mails, wenn ich ihre Vorlage ändere?',
$$Nein. Eine E-Mail, die mit einer Vorlage beginnt, hat ihre eigene Kopie. Was Sie später an der Vorlage ändern, gilt nur für E-Mails, die danach mit ihr beginnen, und auch das Löschen der Vorlage ändert an E-Mails nichts. Die Seite einer Vorlage nennt die E-Mails, die mit ihr begonnen haben.

Umgekehrt macht **Als Vorlage speichern** in einer E-Mail aus ihrem Inhalt eine neue Vorlage.$$),

('emails', 'shared-templates', '{templates,clients}',
'Who can use a template?',
$$A template belongs to your organization, to a client or to a brand. One of the organization is shared by all clients, one of a client can be used by all of its brands, and one of a brand by this brand alone.

Lists show the templates of the brand first, then those of its client, then the shared ones. Members who are limited to some clients do not see shared templates.$$,
'Wer kann eine Vorlage verwenden?',
$$Eine Vorlage gehört Ihrer Organisation, einem Kunden oder einer Marke. Eine der Organisation teilen sich alle Kunden, eine eines Kunden können alle seine Marken verwenden, eine einer Marke nur diese.

Listen zeigen zuerst die Vorlagen der Marke, dann die ihres Kunden, dann die geteilten. Mitglieder, deren Zugriff auf einige Kunden begrenzt ist, sehen geteilte Vorlagen nicht.$$),

('emails', 'show-articles', '{emails,collections}',
'How do I show articles or products in an email?',
$$Keep them as items of a collection. In the email, open **Content items** and choose the collection: then you can show one item, or list the newest ones with the block **Product list**. Merge tags offer the fields of the collection.

With **Item by item** as the start, the email is sent once for each chosen item, such as one article every Tuesday. The items are stored with the send when you confirm: later changes of an item do not change what was confirmed.$$,
'Wie zeige ich Artikel oder Produkte in einer E-Mail?',
$$Pflegen Sie sie als Einträge einer Sammlung. Öffnen Sie in der E-Mail **Einträge**, und wählen Sie die Sammlung: Dann können Sie einen Eintrag zeigen oder mit dem Baustein **Produktliste** die neuesten auflisten. Platzhalter bieten die Felder der Sammlung an.

Mit dem Start **Einzeln** wird die E-Mail für jeden gewählten Eintrag einmal gesendet, etwa jeden Dienstag ein Artikel. Die Einträge werden bei der Bestätigung mit dem Versand gespeichert: Spätere Änderungen ändern nicht, was bestätigt ist.$$);
