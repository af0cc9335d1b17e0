insert into written_categories values
  (4, 'contacts', 'Contacts and audiences', 'Lists, imports, and who gets an email.',
   'Kontakte und Zielgruppen', 'Listen, Importe und wer eine E-Mail erhält.');

insert into written_faqs (category, name, screens, en_title, en_content, de_title, de_content) values

('contacts', 'import-a-file', '{imports,contacts}',
'How do I import contacts?',
$$Choose **Import** in **Contacts** and a CSV or JSON file of up to 50 MB. You say whose contacts these are and which column goes to which field. **Check file** then reads the whole file and shows what would be new, updated, unchanged or rejected, without storing anything. Only when you confirm is it imported.

You can leave the page meanwhile. While emails are being sent, imports are slower, because emails come first. The page [Importing contacts](/help/importing-contacts) has the details.$$,
'Wie importiere ich Kontakte?',
$$Wählen Sie unter **Kontakte** die Aktion **Importieren** und eine CSV- oder JSON-Datei bis 50 MB. Sie sagen, wessen Kontakte das sind und welche Spalte zu welchem Feld gehört. **Datei prüfen** liest dann die ganze Datei und zeigt, was neu, aktualisiert, unverändert oder abgelehnt würde, ohne etwas zu speichern. Importiert wird erst, wenn Sie bestätigen.

Sie können die Seite währenddessen verlassen. Solange E-Mails versendet werden, sind Importe langsamer, weil E-Mails Vorrang haben. Die Seite [Kontakte importieren](/help/importing-contacts) erklärt die Einzelheiten.$$),

('contacts', 'rejected-rows', '{imports}',
'Why were rows of my file rejected?',
$$The import lists the reasons with examples, and **Download rejected rows** gives you a file with the line, the column and the reason of each. It has the separator and columns of your file: correct it there, and import that file.

A row is always rejected if its address or another required field cannot be read. If an optional value cannot be read, it is left out and the row is imported without it, unless you chose **Reject the row** for this field.$$,
'Warum wurden Zeilen meiner Datei abgelehnt?',
$$Der Import nennt die Gründe mit Beispielen, und **Abgelehnte Zeilen herunterladen** gibt Ihnen eine Datei mit Zeile, Spalte und Grund. Sie hat Trennzeichen und Spalten Ihrer Datei: Korrigieren Sie sie, und importieren Sie diese Datei.

Eine Zeile wird immer abgelehnt, wenn ihre Adresse oder ein anderes Pflichtfeld nicht lesbar ist. Ist ein optionaler Wert nicht lesbar, wird er weggelassen und die Zeile ohne ihn importiert, außer Sie haben für dieses Feld **Zeile ablehnen** gewählt.$$),

('contacts', 'import-twice', '{imports,contacts}',
'What happens if I import the same people again?',
$$Contacts are matched by their email address: a row with an address that exists updates this contact, all others become new ones. A row that changes nothing counts as unchanged. Of several rows with the same address in one file, the later values win.

An import can record an opt-out but never takes one back: somebody who has unsubscribed stays unsubscribed, whatever the file says.$$,
'Was geschieht, wenn ich dieselben Personen noch einmal importiere?',
$$Kontakte werden über ihre E-Mail-Adresse abgeglichen: Eine Zeile mit einer vorhandenen Adresse aktualisiert diesen Kontakt, alle anderen werden neu angelegt. Eine Zeile, die nichts ändert, zählt als unverändert. Von mehreren Zeilen mit derselben Adresse in einer Datei gelten die späteren Werte.

Ein Import kann eine Abmeldung eintragen, nimmt aber nie eine zurück: Wer sich abgemeldet hat, bleibt abgemeldet, gleich was in der Datei steht.$$),

('contacts', 'which-brand-writes-to-whom', '{contacts,imports,audiences}',
'Which brands can write to which contacts?',
$$Each list of contacts belongs to your organization, to a client or to a brand. The brands of all clients can write to a list of the organization; only the brands of a client to a list of this client; only one brand to its own.

That is why an import asks **Whose contacts are these?** With the first import for a client, the client gets a list. Contacts of one client are never in an audience of another. The same address can be in several lists, but its opt-outs apply wherever the brand writes to it.$$,
'Welche Marken können welchen Kontakten schreiben?',
$$Jede Kontaktliste gehört Ihrer Organisation, einem Kunden oder einer Marke. Einer Liste der Organisation können die Marken aller Kunden schreiben, einer Liste eines Kunden nur dessen Marken, einer Liste einer Marke nur diese.

Deshalb fragt ein Import **Wessen Kontakte sind das?** Mit dem ersten Import für einen Kunden erhält dieser eine Liste. Kontakte eines Kunden sind nie in einer Zielgruppe eines anderen. Dieselbe Adresse kann in mehreren Listen stehen; ihre Abmeldungen gelten überall dort, wo die Marke ihr schreibt.$$),

('contacts', 'fewer-recipients', '{audiences,emails}',
'Why does an audience reach fewer people than it matches?',
$$The page of an audience shows the matching contacts and, below, who is left out: contacts without a valid address, a second contact with the same address, people who have unsubscribed or paused, and suppressed addresses. Each contact counts for the first reason that applies.

Opt-outs belong to brands. An audience that several brands can use therefore says “up to”, and names the brands that reach fewer. If the email has a topic, people who declined it are left out as well; the checklist of the email has this number.$$,
'Warum erreicht eine Zielgruppe weniger Personen, als passen?',
$$Die Seite einer Zielgruppe zeigt die passenden Kontakte und darunter, wer ausgelassen wird: Kontakte ohne gültige Adresse, ein zweiter Kontakt mit derselben Adresse, Personen, die sich abgemeldet haben oder pausieren, und gesperrte Adressen. Jeder Kontakt zählt beim ersten Grund, der zutrifft.

Abmeldungen gehören zu Marken. Eine Zielgruppe, die mehrere Marken verwenden können, sagt deshalb „bis zu“ und nennt die Marken, die weniger erreichen. Hat die E-Mail ein Thema, werden auch die ausgelassen, die es abgelehnt haben; diese Zahl steht in der Checkliste der E-Mail.$$),

('contacts', 'empty-values', '{audiences}',
'Why does “is not” leave out contacts without a value?',
$$A comparison with an empty field never matches, whatever the comparison: “is not Germany” selects contacts whose country is known and another one. Who has no country is left out.

The editor says below such a condition how many contacts have no value. Choose **or empty** there to include them. To find just these, use the operator **is empty**.$$,
'Warum lässt „ist nicht“ Kontakte ohne Wert aus?',
$$Ein Vergleich mit einem leeren Feld trifft nie zu, gleich welcher: „ist nicht Deutschland“ wählt Kontakte aus, deren Land bekannt und ein anderes ist. Wer kein Land hat, wird ausgelassen.

Der Editor sagt unter einer solchen Bedingung, wie viele Kontakte keinen Wert haben. Wählen Sie dort **oder leer**, um sie einzuschließen. Um nur diese zu finden, verwenden Sie den Operator **ist leer**.$$),

('contacts', 'contact-history', '{contacts,statistics}',
'Where do I see what a contact has received?',
$$On the page of the contact. **Messages and visits** lists each email with its result, opens, clicks and opt-outs, and between them the visits of your websites that began with a link of an email. **Subscription** shows for each brand whether the contact gets its mail, and why not. **Notes** are for your team.

You see the messages of brands that you have access to. Opens and clicks by bots are shown separately and not counted.$$,
'Wo sehe ich, was ein Kontakt erhalten hat?',
$$Auf der Seite des Kontakts. **Nachrichten und Besuche** nennt jede E-Mail mit Ergebnis, Öffnungen, Klicks und Abmeldungen, und dazwischen die Besuche auf Ihren Websites, die mit einem Link einer E-Mail begannen. **Abonnement** zeigt für jede Marke, ob der Kontakt ihre E-Mails erhält und warum nicht. **Notizen** sind für Ihr Team.

Sie sehen die Nachrichten von Marken, auf die Sie Zugriff haben. Öffnungen und Klicks durch Bots stehen getrennt und werden nicht gezählt.$$),

('contacts', 'delete-a-contact', '{contacts,consent}',
'What remains when I delete a contact?',
$$The contact is gone with its values, notes and tags, and so is the way to find its visits. This cannot be undone.

What remains: opt-outs, complaints and bounces, because they belong to the address. If the address is imported or entered again, it is a new contact, and it still gets no mail that it has refused. Emails that were sent keep their recipients and results.

To remove everything about a person, that person asks for an erasure: see [Consent and opt-outs](/help/consent-and-opt-outs).$$,
'Was bleibt, wenn ich einen Kontakt lösche?',
$$Der Kontakt verschwindet mit seinen Werten, Notizen und Tags und damit auch der Weg zu seinen Besuchen. Das kann nicht rückgängig gemacht werden.

Was bleibt: Abmeldungen, Beschwerden und unzustellbare Adressen, denn sie gehören zur Adresse. Wird sie wieder importiert oder eingegeben, ist das ein neuer Kontakt, und er erhält weiterhin nichts, was abgelehnt wurde. Gesendete E-Mails behalten ihre Empfänger und Ergebnisse.

Um alles über eine Person zu entfernen, fordert sie selbst die Löschung an: siehe [Einwilligung und Abmeldung](/help/consent-and-opt-outs).$$);
