insert into written_pages (position, name, is_draft, en_title, en_content, de_title, de_content) values

(1, 'getting-started', false,
'Getting started',
$$Reachout sends emails for the clients of your organization, and shows what came of them: who opened and clicked, who visited a website, and what was ordered there.

## How things belong together

Your organization has *clients*, a client has *brands*, and a brand has *campaigns*. A campaign has *touchpoints*: emails, and websites. Emails are sent in the name of a brand; one run of an email to its recipients is a *send*.

*Contacts* are in lists. A list belongs to your organization, to a client or to a brand, and this decides which brands can write to its contacts. An *audience* selects contacts from a list by rules.

## The first hour

The dashboard has a checklist, **Get ready to send**:

1. **Complete your organization**: size and country.
2. **Invite your team**. Roles decide what each person sees and may do.
3. **Add a client and a brand**. In the **Brand kit** of the brand, enter sender, logo, postal address and imprint.
4. **Import contacts** from a CSV file: [Importing contacts](/help/importing-contacts).
5. **Save an audience**.
6. **Send your first email**: [Your first campaign](/help/first-campaign).

If this installation has a mail server, you also need a [sending domain](/help/sending-domain). Without one, all messages stay in the **Test inbox**, so that you can try everything.

## Where to find what

- **Dashboard**: results, what is being sent, and what needs attention.
- **Calendar**: everything that is planned.
- **Settings**: members, roles, API keys, content backend, audit log and trash.
- **Client** in the navigation limits all lists to one client.
- Ctrl K (⌘ K on a Mac) finds everything by name.$$,
'Erste Schritte',
$$Reachout sendet E-Mails für die Kunden Ihrer Organisation und zeigt, was daraus wurde: wer geöffnet und geklickt hat, wer eine Website besucht hat und was dort bestellt wurde.

## Wie alles zusammenhängt

Ihre Organisation hat *Kunden*, ein Kunde hat *Marken*, und eine Marke hat *Kampagnen*. Eine Kampagne hat *Touchpoints*: E-Mails und Websites. E-Mails werden im Namen einer Marke gesendet; ein Durchgang einer E-Mail an ihre Empfänger ist ein *Versand*.

*Kontakte* stehen in Listen. Eine Liste gehört Ihrer Organisation, einem Kunden oder einer Marke, und danach richtet sich, welche Marken ihren Kontakten schreiben können. Eine *Zielgruppe* wählt Kontakte einer Liste nach Regeln aus.

## Die erste Stunde

In der Übersicht finden Sie die Checkliste **Bereit für den ersten Versand**:

1. **Organisation vervollständigen**: Größe und Land.
2. **Team einladen**. Rollen legen fest, was jede Person sieht und darf.
3. **Kunde und Marke anlegen**. Tragen Sie im **Markenauftritt** der Marke Absender, Logo, Postanschrift und Impressum ein.
4. **Kontakte importieren** aus einer CSV-Datei: [Kontakte importieren](/help/importing-contacts).
5. **Zielgruppe speichern**.
6. **Erste E-Mail senden**: [Ihre erste Kampagne](/help/first-campaign).

Hat diese Installation einen Mailserver, brauchen Sie auch eine [Versanddomain](/help/sending-domain). Ohne Mailserver bleiben alle Nachrichten im **Testpostfach**, und Sie können alles ausprobieren.

## Wo Sie was finden

- **Übersicht**: Ergebnisse, laufender Versand und was zu erledigen ist.
- **Kalender**: alles Geplante.
- **Einstellungen**: Mitglieder, Rollen, API-Schlüssel, Content-Backend, Protokoll und Papierkorb.
- **Kunde** in der Navigation begrenzt alle Listen auf einen Kunden.
- Strg K (⌘ K auf einem Mac) findet alles nach Namen.$$),

(2, 'first-campaign', false,
'Your first campaign',
$$From nothing to an email that is sent. You need a client, a brand and some contacts; see [Getting started](/help/getting-started).

## Write the email

1. Choose **New email**, then the brand.
2. Under **Start from**, choose a goal, an earlier email or a template. A campaign is created with the email if there is none; you can rename it later.
3. Enter **Subject** and **Preview text**. The preview text is shown after the subject in most inboxes.
4. Change the content in the editor: click a text to write, and a block to set its colors, links and images. Replace all sample text.
5. Insert **Merge tags** for what differs from person to person, each with a text for those who have no value.

The draft is saved automatically. **Live preview** shows the email with the data of a contact.

## Choose who gets it

Choose an **Audience**, or create one right there: all contacts of a list, or those who match conditions. The number of recipients updates as you edit. It leaves out who must not or cannot get the email.

## Test and send

1. **Send me a test** and look at it on a phone, too.
2. Go through the **Checklist**. **Blocked** prevents the send, **Check** is a hint.
3. Choose the start: **Now**, **On a date**, **Repeatedly**, or **Item by item**.
4. Confirm. You see once more how many people get what from whom.

A send starts one minute after you confirm it. Until then you can cancel it without any trace; later you can pause or cancel what has not left.

## Afterwards

The tab **Sends** lists who got the email and who did not, and why. **Statistics** has clicks, opens and opt-outs, by link, device and mail provider, compared with your last email. See [Reading statistics](/help/reading-statistics).$$,
'Ihre erste Kampagne',
$$Vom leeren Blatt zur gesendeten E-Mail. Sie brauchen einen Kunden, eine Marke und einige Kontakte; siehe [Erste Schritte](/help/getting-started).

## Die E-Mail schreiben

1. Wählen Sie **Neue E-Mail**, dann die Marke.
2. Wählen Sie unter **Beginnen mit** ein Ziel, eine frühere E-Mail oder eine Vorlage. Gibt es noch keine Kampagne, wird mit der E-Mail eine angelegt; Sie können sie später umbenennen.
3. Geben Sie **Betreff** und **Vorschautext** ein. Der Vorschautext steht in den meisten Postfächern hinter dem Betreff.
4. Ändern Sie den Inhalt im Editor: Klicken Sie auf einen Text, um zu schreiben, und auf einen Baustein, um Farben, Links und Bilder festzulegen. Ersetzen Sie alle Mustertexte.
5. Fügen Sie **Platzhalter** ein für alles, was von Person zu Person verschieden ist, jeweils mit einem Text für die, die keinen Wert haben.

Der Entwurf wird automatisch gespeichert. Die **Live-Vorschau** zeigt die E-Mail mit den Daten eines Kontakts.

## Wählen, wer sie erhält

Wählen Sie eine **Zielgruppe**, oder legen Sie dort eine an: alle Kontakte einer Liste oder die, auf die Bedingungen zutreffen. Die Zahl der Empfänger wird laufend aktualisiert. Wer die E-Mail nicht erhalten darf oder kann, ist darin nicht enthalten.

## Testen und senden

1. Wählen Sie **Test an mich senden**, und sehen Sie sich den Test auch auf einem Smartphone an.
2. Gehen Sie die **Checkliste** durch. **Blockiert** verhindert den Versand, **Prüfen** ist ein Hinweis.
3. Wählen Sie den Start: **Jetzt**, **An einem Datum**, **Wiederholt** oder **Einzeln**.
4. Bestätigen Sie. Sie sehen noch einmal, wie viele Personen was von wem erhalten.

Ein Versand startet eine Minute nach der Bestätigung. Bis dahin können Sie ihn folgenlos abbrechen; danach können Sie pausieren oder abbrechen, was noch nicht hinausging.

## Danach

Der Tab **Versand** nennt, wer die E-Mail erhalten hat und wer nicht, und warum. Die **Statistik** hat Klicks, Öffnungen und Abmeldungen, nach Link, Gerät und Mailanbieter, verglichen mit Ihrer letzten E-Mail. Siehe [Statistik lesen](/help/reading-statistics).$$),

(3, 'importing-contacts', false,
'Importing contacts',
$$A CSV or JSON file is enough. A spreadsheet has to be saved as CSV first.

## Before you begin

If you come from another program, import its opt-outs first, with **Import suppressions** under **Suppressed addresses**. So nobody is written to who has refused it.

## The steps

1. **File**: drop it, and say **Whose contacts are these?** Contacts of a client can be written to by this client’s brands alone; shared ones by the brands of all your clients.
2. **Columns**: each column goes to a field, becomes a new field, or is not imported. Separator and encoding are recognized, and the first rows are shown as they are read.
3. **Check**: the whole file is read, and nothing is stored. You see how many rows are new, updated, unchanged, merged or rejected, and these are all rows of the file.
4. **Import**: only now is it done. A check that nobody confirms ends after 24 hours.

## Consent in a file

A column such as “Newsletter” or “opt_in” is recognized. You say what “yes” means in it; people who want no email are imported as unsubscribed. Rows that say neither yes nor no are rejected, unless you choose otherwise.

An import never takes an opt-out back.

## What cannot be read

- Rejected rows can be downloaded with line, column and reason. Correct the file and import it.
- Values that cannot be read are left out, and their rows imported without them, or the row is rejected if you choose so.
- No value is changed silently: numbers with leading zeros, such as postal codes, belong in a text field.

## Matching

Contacts are matched by their email address. A row with a known address updates this contact. An export of a list that is imported again leaves everything unchanged.$$,
'Kontakte importieren',
$$Eine CSV- oder JSON-Datei genügt. Eine Tabellenkalkulation muss zuerst als CSV gespeichert werden.

## Bevor Sie beginnen

Wenn Sie von einem anderen Programm kommen, importieren Sie zuerst dessen Abmeldungen, mit **Sperren importieren** unter **Gesperrte Adressen**. So erhält niemand E-Mails, der sie abgelehnt hat.

## Die Schritte

1. **Datei**: Legen Sie sie ab, und beantworten Sie **Wessen Kontakte sind das?** Kontakten eines Kunden können nur dessen Marken schreiben, geteilten die Marken aller Ihrer Kunden.
2. **Spalten**: Jede Spalte gehört zu einem Feld, wird ein neues Feld oder wird nicht importiert. Trennzeichen und Zeichensatz werden erkannt, und die ersten Zeilen stehen so da, wie sie gelesen werden.
3. **Prüfung**: Die ganze Datei wird gelesen und nichts gespeichert. Sie sehen, wie viele Zeilen neu, aktualisiert, unverändert, zusammengeführt oder abgelehnt sind; zusammen sind das alle Zeilen der Datei.
4. **Import**: Erst jetzt geschieht es. Eine Prüfung, die niemand bestätigt, endet nach 24 Stunden.

## Einwilligungen in einer Datei

Eine Spalte wie „Newsletter“ oder „opt_in“ wird erkannt. Sie sagen, was „ja“ in ihr bedeutet; wer keine E-Mails möchte, wird als abgemeldet importiert. Zeilen, die weder ja noch nein sagen, werden abgelehnt, wenn Sie nichts anderes wählen.

Ein Import nimmt nie eine Abmeldung zurück.

## Was nicht lesbar ist

- Abgelehnte Zeilen können Sie mit Zeile, Spalte und Grund herunterladen. Korrigieren Sie die Datei, und importieren Sie sie.
- Nicht lesbare Werte werden weggelassen und ihre Zeilen ohne sie importiert, oder die Zeile wird abgelehnt, wenn Sie das wählen.
- Kein Wert wird stillschweigend geändert: Zahlen mit führenden Nullen, etwa Postleitzahlen, gehören in ein Textfeld.

## Abgleich

Kontakte werden über ihre E-Mail-Adresse abgeglichen. Eine Zeile mit einer bekannten Adresse aktualisiert diesen Kontakt. Der Export einer Liste, der wieder importiert wird, lässt alles unverändert.$$),

(4, 'sending-domain', false,
'Sending domains',
$$So that mail servers trust emails from your client’s own domain, records in its DNS prove that you may send for it.

## Add a domain

1. Under **Domains**, choose **Add domain** and enter the part of the sender address after the @, such as news.example.com.
2. Say whether it belongs to your organization, a client or a brand: only their brands can send from it.
3. Create the records at your DNS provider. If somebody else does that, use **Copy for your administrator**.
4. Wait. The checks run by themselves; **Check now** starts one at once.

## The records

- **DKIM**: signs your messages. There are two, so that the key can be changed without a gap.
- **Return path**: brings messages that could not be delivered back.
- **SPF**: names the servers that may send. A domain has only one SPF record: extend an existing one by the part that begins with `include:`.
- **DMARC**: tells mail servers what to do with forged messages. `p=none` is enough for a start.
- **Tracking**: lets links lead to your domain. Not needed for sending.

Most providers append the domain to the name themselves. Enter the short name then, such as `bounce` instead of `bounce.example.com`.

## The states

- **Not verified yet**: nothing can be sent from the domain. DNS changes can take up to 48 hours.
- **Verified**: addresses of the domain can be senders, and their messages are signed.
- **Failing**: records that were right are no longer found. Sends pause until you correct them.

A campaign can choose which domains it uses. If it chooses none, it can use all that its brand may use.

## Change the key

**Change key** has two steps. First, messages are signed with the next key. Seven days later, the old key can be replaced; then publish the record of the new one at all domains.$$,
'Versanddomains',
$$Damit Mailserver E-Mails von der Domain Ihres Kunden vertrauen, belegen Einträge in deren DNS, dass Sie für sie senden dürfen.

## Eine Domain hinzufügen

1. Wählen Sie unter **Domains** die Aktion **Domain hinzufügen**, und geben Sie den Teil der Absenderadresse nach dem @ ein, etwa news.example.com.
2. Sagen Sie, ob sie Ihrer Organisation, einem Kunden oder einer Marke gehört: Nur deren Marken können von ihr senden.
3. Legen Sie die Einträge bei Ihrem DNS-Anbieter an. Tut das jemand anderes, verwenden Sie **Für Ihre Administration kopieren**.
4. Warten Sie. Die Prüfungen laufen von selbst; **Jetzt prüfen** startet sofort eine.

## Die Einträge

- **DKIM**: signiert Ihre Nachrichten. Es sind zwei, damit der Schlüssel ohne Lücke gewechselt werden kann.
- **Rückweg**: bringt Nachrichten zurück, die nicht zugestellt werden konnten.
- **SPF**: nennt die Server, die senden dürfen. Eine Domain hat nur einen SPF-Eintrag: Erweitern Sie einen vorhandenen um den Teil, der mit `include:` beginnt.
- **DMARC**: sagt Mailservern, was sie mit gefälschten Nachrichten tun sollen. Für den Anfang genügt `p=none`.
- **Tracking**: lässt Links zu Ihrer Domain führen. Zum Senden ist das nicht nötig.

Die meisten Anbieter hängen die Domain selbst an den Namen an. Geben Sie dann den kurzen Namen ein, etwa `bounce` statt `bounce.example.com`.

## Die Status

- **Noch nicht bestätigt**: Von der Domain kann nichts gesendet werden. Änderungen im DNS können bis zu 48 Stunden dauern.
- **Bestätigt**: Adressen der Domain können Absender sein, und ihre Nachrichten werden signiert.
- **Gestört**: Einträge, die gestimmt haben, werden nicht mehr gefunden. Der Versand pausiert, bis Sie sie korrigieren.

Eine Kampagne kann auswählen, welche Domains sie verwendet. Ohne Auswahl kann sie alle verwenden, die ihre Marke verwenden darf.

## Den Schlüssel wechseln

**Schlüssel wechseln** hat zwei Schritte. Zuerst werden Nachrichten mit dem nächsten Schlüssel signiert. Sieben Tage später kann der alte ersetzt werden; veröffentlichen Sie dann den Eintrag des neuen bei allen Domains.$$),

(5, 'consent-and-opt-outs', false,
'Consent and opt-outs',
$$Whether a person gets mail of a brand depends on the address, not on a list.

## Opting out

Each email has an unsubscribe link, and can link to the preference page. There, recipients unsubscribe from the brand or from everything, choose topics, pause for 30 days, and, if the brand measures only with consent, allow or refuse that opens and clicks are measured. It applies at once, also to a send that is in progress.

Members unsubscribe a contact on its page, for example after a call. All opt-outs, complaints and bounces are under **Suppressed addresses**.

## Coming back

An opt-out is taken back by the person alone, or by a member who states what allows it. Imports, programs and deleting a contact never do that.

## Topics

**Topics** of a brand let people choose what they read about. A topic goes to everybody who has not declined it, or only to its subscribers.

## Sign-up forms

With a form, people sign up by themselves, on its own page or on your website. They confirm by email, and what they agreed to is kept as a proof. If somebody had opted out earlier, the confirmation takes that back for this brand.

## Measuring

Each brand decides in its **Brand kit** whose opens and clicks are measured: those of everyone who has not objected, only of people who have agreed, or of nobody.

## The person’s own data

With a link in your emails, recipients ask for a copy or the erasure of their data, and confirm it by email. An erasure removes the person from contacts, messages, visits, imports and sign-ups; totals stay. What remains is a keyed hash of the address, so that it gets no mail if it is entered again. **Data requests** lists all requests.

This page explains what the product does. It is no legal advice.$$,
'Einwilligung und Abmeldung',
$$Ob eine Person E-Mails einer Marke erhält, hängt an der Adresse, nicht an einer Liste.

## Abmelden

Jede E-Mail hat einen Abmeldelink und kann auf die Einstellungsseite verweisen. Dort melden sich Empfänger von der Marke oder von allem ab, wählen Themen, pausieren 30 Tage und erlauben oder verbieten, wenn die Marke nur mit Einwilligung misst, dass Öffnungen und Klicks gemessen werden. Das gilt sofort, auch für einen laufenden Versand.

Mitglieder melden einen Kontakt auf seiner Seite ab, etwa nach einem Anruf. Alle Abmeldungen, Beschwerden und unzustellbaren Adressen stehen unter **Gesperrte Adressen**.

## Zurückkommen

Eine Abmeldung nimmt nur die Person selbst zurück oder ein Mitglied, das angibt, was das erlaubt. Importe, Programme und das Löschen eines Kontakts tun das nie.

## Themen

Mit **Themen** einer Marke wählen Personen, worüber sie lesen. Ein Thema geht an alle, die es nicht abgelehnt haben, oder nur an Abonnenten.

## Anmeldeformulare

Mit einem Formular melden sich Personen selbst an, auf dessen eigener Seite oder auf Ihrer Website. Sie bestätigen per E-Mail, und wozu sie zugestimmt haben, wird als Nachweis aufbewahrt. Hatte sich jemand früher abgemeldet, nimmt die Bestätigung das für diese Marke zurück.

## Messen

Jede Marke legt in ihrem **Markenauftritt** fest, bei wem Öffnungen und Klicks gemessen werden: bei allen, die nicht widersprochen haben, nur bei Personen, die zugestimmt haben, oder bei niemandem.

## Die eigenen Daten einer Person

Mit einem Link in Ihren E-Mails fordern Empfänger eine Kopie oder die Löschung ihrer Daten an und bestätigen das per E-Mail. Eine Löschung entfernt die Person aus Kontakten, Nachrichten, Besuchen, Importen und Anmeldungen; Summen bleiben. Zurück bleibt ein mit einem Schlüssel gebildeter Hashwert der Adresse, damit sie keine E-Mails erhält, wenn sie wieder eingetragen wird. **Datenschutzanfragen** nennt alle Anfragen.

Diese Seite erklärt, was das Produkt tut. Sie ist keine Rechtsberatung.$$),

(6, 'reading-statistics', false,
'Reading statistics',
$$Every recipient of a send is in exactly one state, so the numbers add up.

## The numbers of an email

- **Delivered**: accepted by the mail server and not returned since.
- **Bounced**: rejected because of the address or the mailbox.
- **Click rate**: messages in which a person clicked a link, as a share of the measured ones.
- **Opens (approx.)**: an estimate, because some mail programs load images by themselves and others never do.
- **Unsubscribed**: messages through which somebody opted out.
- **Converted**: messages that led to at least one conversion on a website.

A person who clicks five times counts once; the table of links also has all clicks. Programs that click or load images instead of people are shown as bots and not counted.

## From delivery to conversion

The funnel shows how many messages were delivered, clicked, led to a visit of a website with tracking, and to a conversion there. Each message counts once in each step. For this you need a [website](/help/tracking-a-website) and a goal.

## Not measured

Some messages are not measured, because the person has not agreed or the brand does not want it. Rates are shares of the others.

## Periods

The dashboard compares a period with the one before. On the page of an email, choose **Since the send**, the first 48 hours, a preset or your own dates; everything below tiles and chart is since the send. Days are those of your time zone.

## Comparing

An email is compared with the last one of its campaign or brand, both as they stood the same time after sending. With **Low volume**, and where a difference can be chance, draw no conclusions.

## Files

**Export CSV** downloads what a chart or table shows.$$,
'Statistik lesen',
$$Jeder Empfänger eines Versands hat genau einen Status, deshalb gehen die Zahlen auf.

## Die Zahlen einer E-Mail

- **Zugestellt**: vom Mailserver angenommen und seitdem nicht zurückgekommen.
- **Unzustellbar**: wegen der Adresse oder des Postfachs abgelehnt.
- **Klickrate**: Nachrichten, in denen eine Person einen Link angeklickt hat, als Anteil an den gemessenen.
- **Öffnungen (ca.)**: eine Schätzung, weil manche Mailprogramme Bilder von selbst laden und andere nie.
- **Abgemeldet**: Nachrichten, über die sich jemand abgemeldet hat.
- **Konvertiert**: Nachrichten, die zu mindestens einer Conversion auf einer Website geführt haben.

Wer fünfmal klickt, zählt einmal; die Tabelle der Links hat auch alle Klicks. Programme, die anstelle von Menschen klicken oder Bilder laden, stehen als Bots da und werden nicht gezählt.

## Von der Zustellung zur Conversion

Der Trichter zeigt, wie viele Nachrichten zugestellt und angeklickt wurden, auf eine Website mit Tracking und dort zu einer Conversion führten. Jede Nachricht zählt in jedem Schritt einmal. Dafür brauchen Sie eine [Website](/help/tracking-a-website) und ein Ziel.

## Nicht gemessen

Manche Nachrichten werden nicht gemessen, weil die Person nicht zugestimmt hat oder die Marke es nicht möchte. Raten sind Anteile an den übrigen.

## Zeiträume

Die Übersicht vergleicht einen Zeitraum mit dem davor. Wählen Sie auf der Seite einer E-Mail **Seit dem Versand**, die ersten 48 Stunden, einen vorgegebenen oder einen eigenen Zeitraum; alles unter Kacheln und Verlauf gilt seit dem Versand. Tage sind die Ihrer Zeitzone.

## Vergleichen

Eine E-Mail wird mit der letzten ihrer Kampagne oder Marke verglichen, beide mit dem Stand gleich lange nach dem Versand. Bei **Geringe Datenmenge**, und wo ein Unterschied Zufall sein kann, ziehen Sie keine Schlüsse.

## Dateien

**CSV exportieren** lädt herunter, was ein Diagramm oder eine Tabelle zeigt.$$),

(7, 'tracking-a-website', false,
'Tracking a website',
$$A website of a campaign counts its visitors, and shows which emails led to visits and orders.

## Set it up

1. In a campaign, choose **New touchpoint** and the type **Website**.
2. Under **Overview**, enter its **Hosts**, one per line: shop.example for this host alone, `*.shop.example` for all subdomains, localhost:3000 for development. Only events of pages on these hosts are stored.
3. Choose **Start**.
4. Under **Install**, choose how your website is built, and copy the snippet into all pages. Page views are then sent by themselves, also in single-page apps.
5. Open one of its pages. **Live check** notices the first event.

If the website has a Content Security Policy, allow what is shown below the snippet.

## Consent

Where visitors must agree first, add `data-consent="required"` to the snippet, and let your page call `setConsent(true)` once they have agreed. Until then nothing is stored or sent.

## Conversions

1. Send an event where something is reached: `reachout.track('order', { value: 59.9 })`. The value is optional.
2. Under **Settings** of the website, choose **Add goal** and enter the same name. Capital letters matter.
3. Link to the website in your emails. People who follow such a link are recognized by a signed mark, and a conversion counts for the email whose link they followed last.

**Statistics** of the website has conversions by goal and by email.

## The token

Id and token of the website are in its pages, so they are public. They only add events to this website. Replace the token under **Settings** if somebody else sends events with it, and install the new snippet.

## What is kept

Single visits are kept for as many days as **Settings**, **General** of your organization says; totals stay. Visitors who ask not to be tracked are never counted.$$,
'Eine Website messen',
$$Eine Website einer Kampagne zählt ihre Besucher und zeigt, welche E-Mails zu Besuchen und Bestellungen geführt haben.

## Einrichten

1. Wählen Sie in einer Kampagne **Touchpoint anlegen** und den Typ **Website**.
2. Geben Sie unter **Überblick** die **Hosts** ein, einen je Zeile: shop.example nur für diesen Host, `*.shop.example` für alle Subdomains, localhost:3000 für die Entwicklung. Nur Ereignisse von Seiten auf diesen Hosts werden gespeichert.
3. Wählen Sie **Starten**.
4. Wählen Sie unter **Einbauen**, womit Ihre Website gebaut ist, und kopieren Sie den Code in alle Seiten. Seitenaufrufe werden dann von selbst gesendet, auch in Single-Page-Apps.
5. Öffnen Sie eine ihrer Seiten. Die **Live-Prüfung** bemerkt das erste Ereignis.

Hat die Website eine Content Security Policy, erlauben Sie, was unter dem Code steht.

## Einwilligung

Wo Besucher zuerst zustimmen müssen, ergänzen Sie den Code um `data-consent="required"`, und lassen Sie Ihre Seite nach der Zustimmung `setConsent(true)` aufrufen. Bis dahin wird nichts gespeichert oder gesendet.

## Conversions

1. Senden Sie ein Ereignis, wo etwas erreicht ist: `reachout.track('order', { value: 59.9 })`. Der Wert ist optional.
2. Wählen Sie unter **Einstellungen** der Website **Ziel hinzufügen**, und geben Sie denselben Namen ein. Groß- und Kleinschreibung zählt.
3. Verlinken Sie die Website in Ihren E-Mails. Wer einem solchen Link folgt, wird an einem signierten Merkmal erkannt, und eine Conversion zählt für die E-Mail, deren Link zuletzt aufgerufen wurde.

Die **Statistik** der Website hat Conversions nach Ziel und nach E-Mail.

## Das Token

ID und Token der Website stehen in ihren Seiten und sind damit öffentlich. Sie fügen dieser Website nur Ereignisse hinzu. Ersetzen Sie das Token unter **Einstellungen**, wenn jemand anderes damit Ereignisse sendet, und bauen Sie den neuen Code ein.

## Was aufbewahrt wird

Einzelne Besuche werden so viele Tage aufbewahrt, wie unter **Einstellungen**, **Allgemein** Ihrer Organisation steht; Summen bleiben. Besucher, die nicht gemessen werden möchten, werden nie gezählt.$$),

(8, 'directus', false,
'Your own Directus',
$$Contacts, collections and files can be in a Directus of your organization instead of the built-in content backend. Templates, campaigns and statistics stay here.

## Set it up

Under **Settings**, **Content backend**:

- **Set up Directus** takes the token of an administrator, uses it once and does not store it. It creates the collections for campaigns and a user who may use these, your collections and all files. What exists stays unchanged. If it stops partway, run it again: it continues.
- **Connect Directus** takes the address and the static token of a user that you have prepared yourself.

The Directus has to be reachable by https at a public address, unless the operator of the installation allows its host.

## What changes

- The built-in collections and files are hidden and kept unchanged. They return when you **Disconnect**.
- Audiences select from collections of the same name in the Directus.
- Collections and fields are created and changed in the Directus; items can be edited, imported and exported here.
- Before a send, the contacts of the audience are read from the Directus. If it cannot be reached, the send waits and shows the reason.
- Emails cannot show files of the Directus by a public address from here.

Collections can be used if they are not hidden, and if their key is a field `id` with UUIDs or whole numbers. Collections with a field `email` are lists of contacts.

## Opt-outs

Opt-outs are kept here, by address. What is entered here changes nothing in the Directus. A contact whose field `unsubscribed` is true there gets no mail.

## Copies of records

Clients, brands, campaigns, touchpoints and templates are also written to the collections `reachout_…` of the Directus, for other programs. They are copies: a change there changes nothing here. **Sync of records** lists what could not be written, with the reason; **Sync now** tries again.$$,
'Ihr eigenes Directus',
$$Kontakte, Sammlungen und Dateien können in einem Directus Ihrer Organisation liegen statt im eingebauten Content-Backend. Vorlagen, Kampagnen und Statistiken bleiben hier.

## Einrichten

Unter **Einstellungen**, **Content-Backend**:

- **Directus einrichten** nimmt das Token eines Administrators, verwendet es einmal und speichert es nicht. Angelegt werden die Sammlungen für Kampagnen und ein Benutzer, der diese, Ihre Sammlungen und alle Dateien nutzen darf. Vorhandenes bleibt unverändert. Bricht die Einrichtung ab, starten Sie sie erneut: Sie macht weiter.
- **Directus verbinden** nimmt die Adresse und das statische Token eines Benutzers, den Sie selbst vorbereitet haben.

Das Directus muss per https unter einer öffentlichen Adresse erreichbar sein, außer der Betreiber der Installation erlaubt seinen Host.

## Was sich ändert

- Die eingebauten Sammlungen und Dateien sind ausgeblendet und bleiben unverändert. Nach dem **Trennen** sind sie wieder da.
- Zielgruppen wählen aus gleichnamigen Sammlungen im Directus aus.
- Sammlungen und Felder werden im Directus angelegt und geändert; Einträge lassen sich hier bearbeiten, importieren und exportieren.
- Vor einem Versand werden die Kontakte der Zielgruppe aus dem Directus gelesen. Ist es nicht erreichbar, wartet der Versand und nennt den Grund.
- E-Mails können Dateien des Directus nicht über eine öffentliche Adresse von hier zeigen.

Nutzbar sind Sammlungen, die nicht ausgeblendet sind und deren Schlüssel ein Feld `id` mit UUIDs oder ganzen Zahlen ist. Sammlungen mit einem Feld `email` sind Kontaktlisten.

## Abmeldungen

Abmeldungen liegen hier, bei der Adresse. Was hier eingetragen wird, ändert im Directus nichts. Ein Kontakt, dessen Feld `unsubscribed` dort wahr ist, erhält keine E-Mails.

## Kopien der Einträge

Kunden, Marken, Kampagnen, Touchpoints und Vorlagen werden auch in die Sammlungen `reachout_…` des Directus geschrieben, für andere Programme. Es sind Kopien: Eine Änderung dort ändert hier nichts. **Synchronisierung** nennt mit Grund, was nicht geschrieben werden konnte; **Jetzt synchronisieren** versucht es erneut.$$),

(9, 'keyboard-shortcuts', false,
'Keyboard shortcuts',
$$Press ? on any screen of an organization to see all of them. Single keys can be turned off in your account under **Preferences**, **Single-key shortcuts**.

## Everywhere

- Ctrl K (⌘ K on a Mac): search pages, records and actions
- Ctrl B (⌘ B): collapse or expand the navigation
- C: switch client
- Ctrl S (⌘ S): save
- Ctrl Enter (⌘ Enter): submit a form
- Esc: close

## Go to a page

Press G, then a letter:

- D Dashboard, C Clients, M Campaigns, T Touchpoints
- E Calendar, P Templates, A Audiences, K Contacts
- L Collections, O Domains, I Test inbox, S Settings

## In lists

- / search, F filter, N new
- J and K: next or previous row
- Enter: open the row; X: select it

## In the email editor

- Arrow keys: select a block; with Alt, move it
- Enter: edit; Delete: remove; Ctrl D: duplicate
- /: insert a block; Esc: select what is around, or leave the text
- Tab in a text: the next text$$,
'Tastenkürzel',
$$Drücken Sie ? auf einer Seite einer Organisation, um alle zu sehen. Kürzel mit einer Taste lassen sich in Ihrem Konto unter **Persönliche Einstellungen**, **Tastenkürzel** ausschalten.

## Überall

- Strg K (⌘ K auf einem Mac): Seiten, Einträge und Aktionen suchen
- Strg B (⌘ B): Navigation ein- oder ausklappen
- C: Kunden wechseln
- Strg S (⌘ S): Speichern
- Strg Enter (⌘ Enter): Formular absenden
- Esc: Schließen

## Zu einer Seite gehen

Drücken Sie G, dann einen Buchstaben:

- D Übersicht, C Kunden, M Kampagnen, T Touchpoints
- E Kalender, P Vorlagen, A Zielgruppen, K Kontakte
- L Sammlungen, O Domains, I Testpostfach, S Einstellungen

## In Listen

- / suchen, F filtern, N neu anlegen
- J und K: nächste oder vorige Zeile
- Enter: Zeile öffnen; X: Zeile auswählen

## Im E-Mail-Editor

- Pfeiltasten: einen Baustein auswählen; mit Alt verschieben
- Enter: bearbeiten; Entf: entfernen; Strg D: duplizieren
- /: einen Baustein einfügen; Esc: das Umgebende auswählen oder den Text verlassen
- Tab in einem Text: zum nächsten Text$$),

(10, 'several-machines', false,
'Running on several machines',
$$For operators of the installation. One process does everything; any number of them can share the work.

## What they share

- The database: `DATABASE_URL`, PostgreSQL 15 or newer. Everything that the processes tell each other goes through it.
- The secret key: `SECRET_KEY`, the same everywhere. Links in sent messages are signed with it, so keep it.
- Files: `S3_URL`, a bucket that all of them reach. Files in `DATA_DIR` are those of one machine.
- The address: `PUBLIC_URL`, the one under which browsers and email programs reach the installation.

## What each of them does

`ROLES` says which of the three roles a process has:

- `api`: the screens and the API
- `tracking`: links, opens and events of websites
- `worker`: sending emails, imports and background jobs

Without the setting, a process has all three. So a second machine can be a copy of the first, or a worker alone.

## What to know

- The first process that starts migrates the database; the others wait.
- If a worker dies, another one takes over. Messages that were on their way at that moment become **Uncertain**, and the organization decides what happens to them.
- Limits such as `SEND_RATES` apply to all workers together.
- Behind a proxy, name it in `TRUSTED_PROXIES`; otherwise all requests seem to come from one address.
- `HEALTH_PORT` opens a port for health checks and figures of a process.

Before others can reach the installation, run `npm run doctor`.$$,
'Betrieb auf mehreren Rechnern',
$$Für Betreiber der Installation. Ein Prozess kann alles; beliebig viele können sich die Arbeit teilen.

## Was sie gemeinsam haben

- Die Datenbank: `DATABASE_URL`, PostgreSQL 15 oder neuer. Alles, was die Prozesse einander mitteilen, geht über sie.
- Den geheimen Schlüssel: `SECRET_KEY`, überall derselbe. Links in gesendeten Nachrichten sind mit ihm signiert, bewahren Sie ihn also auf.
- Die Dateien: `S3_URL`, ein Bucket, den alle erreichen. Dateien in `DATA_DIR` sind die eines Rechners.
- Die Adresse: `PUBLIC_URL`, unter der Browser und E-Mail-Programme die Installation erreichen.

## Was jeder von ihnen tut

`ROLES` sagt, welche der drei Rollen ein Prozess hat:

- `api`: die Seiten und die API
- `tracking`: Links, Öffnungen und Ereignisse von Websites
- `worker`: E-Mails senden, Importe und Hintergrundaufgaben

Ohne die Einstellung hat ein Prozess alle drei. Ein zweiter Rechner kann also eine Kopie des ersten sein oder nur ein Worker.

## Was Sie wissen sollten

- Der erste Prozess, der startet, migriert die Datenbank; die anderen warten.
- Stirbt ein Worker, übernimmt ein anderer. Nachrichten, die in diesem Augenblick unterwegs waren, werden **Unklar**, und die Organisation entscheidet, was mit ihnen geschieht.
- Grenzen wie `SEND_RATES` gelten für alle Worker zusammen.
- Nennen Sie einen Proxy davor in `TRUSTED_PROXIES`; sonst scheinen alle Anfragen von einer Adresse zu kommen.
- `HEALTH_PORT` öffnet einen Port für Zustandsprüfungen und Kennzahlen eines Prozesses.

Führen Sie `npm run doctor` aus, bevor andere die Installation erreichen können.$$),

(11, 'imprint', true,
'Imprint',
$$[Name of the operator]
[Legal form, represented by …]

[Street and number]
[Postal code and city]
[Country]

Email: [address]
Phone: [number]

[Commercial register and number, VAT identification number, supervisory authority, if there are any]

Responsible for the content: [name and address]

The organizations that send emails with this installation are responsible for their content. Their details are in the emails themselves.$$,
'Impressum',
$$[Name des Betreibers]
[Rechtsform, vertreten durch …]

[Straße und Hausnummer]
[Postleitzahl und Ort]
[Land]

E-Mail: [Adresse]
Telefon: [Nummer]

[Handelsregister und Nummer, Umsatzsteuer-ID, Aufsichtsbehörde, soweit vorhanden]

Verantwortlich für den Inhalt: [Name und Anschrift]

Für den Inhalt der E-Mails, die mit dieser Installation gesendet werden, sind die jeweiligen Organisationen verantwortlich. Ihre Angaben stehen in den E-Mails selbst.$$),

(12, 'privacy', true,
'Privacy',
$$Who is responsible: [name and address of the operator; data protection officer, if there is one]

## Users of this installation

Stored are your name, email address, what you enter in your profile, your preferences, your sessions with time, browser and network, and an audit log of what you do in your organizations. Purpose and legal basis: [for example performance of a contract]. Under **Your data** in your account you can download all of this, and delete your account.

Cookies are used to keep you signed in and to recognize browsers in which you have signed in before. [Others, if there are any]

## Recipients of emails

The organizations that send emails with this installation are responsible for the data of their contacts; the operator processes it on their behalf. Emails of an organization name it, and lead to a page where you unsubscribe, choose what you get, and request a copy or the erasure of your data. Whether opens and clicks are measured is decided by each organization for its brands.

## Visitors of tracked websites

The operators of these websites are responsible. Stored are page views and events with a random id and the country, without IP addresses, and for visitors who followed a link of an email, to which contact it was sent; for as long as the organization has chosen.

## Recipients of the data

[Hosting provider, mail server, storage of files, each with its country]

## Your rights

You have the right of access, rectification, erasure, restriction, data portability and objection, and may complain to a supervisory authority: [name].

[Date of this notice]$$,
'Datenschutz',
$$Verantwortlich: [Name und Anschrift des Betreibers; Datenschutzbeauftragte, soweit vorhanden]

## Benutzer dieser Installation

Gespeichert werden Ihr Name, Ihre E-Mail-Adresse, was Sie in Ihrem Profil eintragen, Ihre Einstellungen, Ihre Sitzungen mit Zeit, Browser und Netzwerk und ein Protokoll dessen, was Sie in Ihren Organisationen tun. Zweck und Rechtsgrundlage: [zum Beispiel Erfüllung eines Vertrags]. Unter **Ihre Daten** in Ihrem Konto können Sie all das herunterladen und Ihr Konto löschen.

Cookies halten Sie angemeldet und erkennen Browser wieder, in denen Sie sich schon angemeldet haben. [Weitere, soweit vorhanden]

## Empfänger von E-Mails

Für die Daten ihrer Kontakte sind die Organisationen verantwortlich, die mit dieser Installation E-Mails senden; der Betreiber verarbeitet sie in deren Auftrag. E-Mails einer Organisation nennen sie und führen zu einer Seite, auf der Sie sich abmelden, wählen, was Sie erhalten, und eine Kopie oder die Löschung Ihrer Daten anfordern. Ob Öffnungen und Klicks gemessen werden, legt jede Organisation für ihre Marken fest.

## Besucher gemessener Websites

Verantwortlich sind die Betreiber dieser Websites. Gespeichert werden Seitenaufrufe und Ereignisse mit einer zufälligen ID und dem Land, ohne IP-Adressen, und bei Besuchern, die einem Link einer E-Mail gefolgt sind, an welchen Kontakt sie ging; so lange, wie die Organisation es gewählt hat.

## Empfänger der Daten

[Hosting-Anbieter, Mailserver, Speicher für Dateien, jeweils mit Land]

## Ihre Rechte

Sie haben das Recht auf Auskunft, Berichtigung, Löschung, Einschränkung, Datenübertragbarkeit und Widerspruch und können sich bei einer Aufsichtsbehörde beschweren: [Name].

[Stand dieses Hinweises]$$);
