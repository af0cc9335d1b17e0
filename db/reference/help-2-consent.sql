insert into written_categories values
  (5, 'consent', 'Consent and opt-outs', 'Unsubscribing, topics, sign-up forms and requests about data.',
   'Einwilligung und Abmeldung', 'Abmeldungen, Themen, Anmeldeformulare und Datenschutzanfragen.');

insert into written_faqs (category, name, screens, en_title, en_content, de_title, de_content) values

('consent', 'someone-unsubscribes', '{consent,contacts}',
'What happens when somebody unsubscribes?',
$$The address gets no more emails of this brand, or of any brand if the person chose that, at once and also from a send that is in progress. It does not matter in which audience the contact is. The opt-out belongs to the address: it outlives the contact and every import.

You find it on the page of the contact and under **Suppressed addresses**, with the email through which it came. Every email needs an unsubscribe link; without one it cannot be sent.$$,
'Was geschieht, wenn sich jemand abmeldet?',
$$Die Adresse erhält sofort keine E-Mails dieser Marke mehr, oder keiner Marke, wenn die Person das gewählt hat, auch nicht aus einem laufenden Versand. In welcher Zielgruppe der Kontakt ist, spielt keine Rolle. Die Abmeldung gehört zur Adresse: Sie überdauert den Kontakt und jeden Import.

Sie finden sie auf der Seite des Kontakts und unter **Gesperrte Adressen**, mit der E-Mail, über die sie kam. Jede E-Mail braucht einen Abmeldelink; ohne ihn kann sie nicht gesendet werden.$$),

('consent', 'subscribe-again', '{consent,contacts}',
'Can I subscribe somebody again who has unsubscribed?',
$$Only if the person has agreed to it. **Resubscribe** on the page of the contact asks what allows you to write again, and keeps your reason with your name and the date.

The person can do it as well: with the link in an earlier email, or by confirming a sign-up form of the brand. Neither an import nor a program nor deleting the contact takes an opt-out back. A block by the operator of the installation can only be lifted by the operator.$$,
'Kann ich jemanden wieder anmelden, der sich abgemeldet hat?',
$$Nur, wenn die Person zugestimmt hat. **Wieder anmelden** auf der Seite des Kontakts fragt, was Ihnen erlaubt, wieder zu schreiben, und bewahrt Ihre Begründung mit Namen und Datum auf.

Auch die Person selbst kann es: mit dem Link in einer früheren E-Mail oder indem sie ein Anmeldeformular der Marke bestätigt. Weder ein Import noch ein Programm noch das Löschen des Kontakts nimmt eine Abmeldung zurück. Eine Sperre des Betreibers der Installation kann nur dieser aufheben.$$),

('consent', 'topics', '{consent,emails,clients}',
'What are topics good for?',
$$With topics such as “Offers” or “Events”, recipients choose what they want to read about instead of unsubscribing from everything. You find them on the page of a brand, under **Topics**; a brand has up to 20.

Each email can have one topic. A topic goes either to **Everybody who has not declined**, or to **Only subscribers**. Recipients choose on their preference page, which each email can link to, or in a sign-up form.$$,
'Wozu sind Themen gut?',
$$Mit Themen wie „Angebote“ oder „Veranstaltungen“ wählen Empfänger, worüber sie lesen möchten, statt sich von allem abzumelden. Sie finden sie auf der Seite einer Marke unter **Themen**; eine Marke hat bis zu 20.

Jede E-Mail kann ein Thema haben. Ein Thema geht entweder an **Alle, die nicht abgelehnt haben** oder an **Nur Abonnenten**. Empfänger wählen auf ihrer Einstellungsseite, auf die jede E-Mail verweisen kann, oder in einem Anmeldeformular.$$),

('consent', 'sign-up-form', '{consent,clients}',
'How can people sign up by themselves?',
$$With a sign-up form: open the page of the brand, **Sign-up forms**, **New sign-up form**. It has a public page of its own, and **Embed in a website** gives you plain HTML for any website.

Who signs up gets an email and confirms with a button; only then do they become a contact. What they agreed to is kept with its text, the time and the version of the form. **Download proof** on the page of the contact saves it as a file.$$,
'Wie können sich Personen selbst anmelden?',
$$Mit einem Anmeldeformular: Öffnen Sie die Seite der Marke, **Anmeldeformulare**, **Neues Anmeldeformular**. Es hat eine eigene öffentliche Seite, und **In eine Website einbetten** gibt Ihnen einfaches HTML für jede Website.

Wer sich anmeldet, erhält eine E-Mail und bestätigt mit einer Schaltfläche; erst dann entsteht ein Kontakt. Aufbewahrt wird, wozu die Person zugestimmt hat, mit Text, Zeitpunkt und Version des Formulars. Auf der Seite des Kontakts können Sie diesen Nachweis herunterladen.$$),

('consent', 'suppressed-addresses', '{consent,sends}',
'How do addresses get on the list of suppressed addresses?',
$$Because somebody unsubscribed or marked an email as spam, because the mail server says that the address does not exist, or because you imported it there. These addresses get no email, whatever audience they are in.

If bounces were a mistake, for example because the mail server rejected your sender, filter the list by this send and lift them together. Opt-outs and complaints always stay: only the recipients themselves take them back.$$,
'Wie kommen Adressen auf die Liste der gesperrten Adressen?',
$$Weil sich jemand abgemeldet oder eine E-Mail als Spam gemeldet hat, weil es die Adresse laut Mailserver nicht gibt, oder weil Sie sie dort importiert haben. Diese Adressen erhalten keine E-Mails, gleich in welcher Zielgruppe sie sind.

War die Unzustellbarkeit ein Irrtum, etwa weil der Mailserver Ihren Absender abgelehnt hat, filtern Sie die Liste nach diesem Versand und heben die Sperren gemeinsam auf. Abmeldungen und Beschwerden bleiben immer: Nur die Empfänger selbst nehmen sie zurück.$$),

('consent', 'move-from-another-program', '{consent,imports}',
'How do I take opt-outs over from another program?',
$$Export the list of unsubscribed, bounced and blocked addresses there as CSV. Then choose **Import suppressions** under **Suppressed addresses**: you name the columns of the address, the reason and the time, and whether it applies to one brand or to all. Do this before you import the contacts.

Bounces, complaints and blocks are recognized by the words that common programs use; everything else counts as an opt-out. Importing a file again changes nothing.$$,
'Wie übernehme ich Abmeldungen aus einem anderen Programm?',
$$Exportieren Sie dort die abgemeldeten, unzustellbaren und gesperrten Adressen als CSV. Wählen Sie dann unter **Gesperrte Adressen** die Aktion **Sperren importieren**: Sie nennen die Spalten für Adresse, Grund und Zeitpunkt und ob das für eine Marke oder für alle gilt. Tun Sie das, bevor Sie die Kontakte importieren.

Unzustellbare Adressen, Beschwerden und Sperren werden an den Wörtern verbreiteter Programme erkannt; alles andere gilt als Abmeldung. Eine Datei noch einmal zu importieren ändert nichts.$$),

('consent', 'measure-with-consent', '{consent,clients,statistics}',
'How do I measure only people who have agreed?',
$$Each brand says whose opens and clicks are measured: **Everyone**, **Only people who have agreed**, or **Nobody**. You find the choice in the **Brand kit**, under **Measuring opens and clicks**.

With **Only people who have agreed**, the consent comes from the preference page, from a sign-up form, or from a yes/no field of the contact that **Field mapping** of the audience names. All other messages contain neither a tracking pixel nor personal links, apart from those to unsubscribe, to the preferences and to the view in a browser.$$,
'Wie messe ich nur bei Personen, die zugestimmt haben?',
$$Jede Marke legt fest, bei wem Öffnungen und Klicks gemessen werden: **Bei allen**, **Nur bei Personen, die zugestimmt haben** oder **Bei niemandem**. Sie finden die Wahl im **Markenauftritt** unter **Messen von Öffnungen und Klicks**.

Bei **Nur bei Personen, die zugestimmt haben** kommt die Einwilligung von der Einstellungsseite, aus einem Anmeldeformular oder aus einem Ja/Nein-Feld des Kontakts, das die **Feldzuordnung** der Zielgruppe nennt. Alle anderen Nachrichten enthalten weder ein Zählpixel noch persönliche Links, außer denen zum Abmelden, zu den Einstellungen und zur Ansicht im Browser.$$),

('consent', 'data-requests', '{consent}',
'What do I have to do with a data request?',
$$Usually nothing. Recipients ask for a copy or the erasure of their data with a link in your emails, and confirm it by email. Both then run by themselves: a copy can be downloaded by the person, an erasure removes the person everywhere here.

**Data requests** marks those that need you, for example because your Directus could not be reached. Choose **Try again**, or do the rest in the Directus and choose **Done by hand**. By law, a request must be fulfilled within a month.$$,
'Was muss ich bei einer Datenschutzanfrage tun?',
$$Meist nichts. Empfänger fordern mit einem Link in Ihren E-Mails eine Kopie oder die Löschung ihrer Daten an und bestätigen das per E-Mail. Beides läuft dann von selbst: Eine Kopie lädt die Person herunter, eine Löschung entfernt die Person hier überall.

**Datenschutzanfragen** kennzeichnet solche, die Sie brauchen, etwa weil Ihr Directus nicht erreichbar war. Wählen Sie **Erneut versuchen**, oder erledigen Sie den Rest im Directus und wählen **Von Hand erledigt**. Das Gesetz verlangt, eine Anfrage innerhalb eines Monats zu erfüllen.$$);
