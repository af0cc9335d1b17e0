insert into written_categories values
  (8, 'websites', 'Websites and conversions', 'What people do after a click.',
   'Websites und Conversions', 'Was Menschen nach einem Klick tun.');

insert into written_faqs (category, name, screens, en_title, en_content, de_title, de_content) values

('websites', 'set-up', '{websites,touchpoints}',
'How do I measure visits of a website?',
$$1. In a campaign, choose **New touchpoint** and the type **Website**.
2. Under **Overview**, add its hosts, such as shop.example.
3. Choose **Start**.
4. Copy the snippet under **Install** into all pages.
5. Open a page of the website: the **Live check** notices the first event within seconds.

The page [Tracking a website](/help/tracking-a-website) has the details, also about consent.$$,
'Wie messe ich die Besuche einer Website?',
$$1. Wählen Sie in einer Kampagne **Touchpoint anlegen** und den Typ **Website**.
2. Fügen Sie unter **Überblick** ihre Hosts hinzu, etwa shop.example.
3. Wählen Sie **Starten**.
4. Kopieren Sie den Code unter **Einbauen** in alle Seiten.
5. Öffnen Sie eine Seite der Website: Die **Live-Prüfung** bemerkt das erste Ereignis binnen Sekunden.

Die Seite [Eine Website messen](/help/tracking-a-website) erklärt die Einzelheiten, auch zur Einwilligung.$$),

('websites', 'no-visits', '{websites}',
'Why do no visits arrive?',
$$Look at **Live check** and **Dropped events** under **Overview**:

- **Not started**: choose **Start**. Drafts, paused and archived websites store nothing.
- **Other host**: the host of the page is missing in the list. `*.shop.example` covers the subdomains, but not shop.example itself.
- Nothing at all: the snippet is not on the page, the Content Security Policy of the website blocks it, or visitors have not agreed yet.

Visitors who ask not to be tracked (Do Not Track, Global Privacy Control) are never counted.$$,
'Warum kommen keine Besuche an?',
$$Sehen Sie unter **Überblick** nach **Live-Prüfung** und **Verworfene Ereignisse**:

- **Nicht gestartet**: Wählen Sie **Starten**. Entwürfe, pausierte und archivierte Websites speichern nichts.
- **Anderer Host**: Der Host der Seite fehlt in der Liste. `*.shop.example` umfasst die Subdomains, aber nicht shop.example selbst.
- Gar nichts: Der Code ist nicht auf der Seite, die Content Security Policy der Website blockiert ihn, oder Besucher haben noch nicht zugestimmt.

Besucher, die nicht gemessen werden möchten (Do Not Track, Global Privacy Control), werden nie gezählt.$$),

('websites', 'conversion', '{websites,statistics}',
'What is a conversion?',
$$An event of your website that you have made a goal, such as an order. The page sends it, for example with `reachout.track('order', { value: 59.9 })`; under **Settings** of the website you add the goal with the name of the event, perhaps a value, and a number of days.

A goal counts from its creation on. Removing it removes its conversions from all statistics. The value is in the currency of your organization.$$,
'Was ist eine Conversion?',
$$Ein Ereignis Ihrer Website, das Sie zum Ziel gemacht haben, etwa eine Bestellung. Die Seite sendet es, zum Beispiel mit `reachout.track('order', { value: 59.9 })`; unter **Einstellungen** der Website fügen Sie das Ziel hinzu, mit dem Namen des Ereignisses, vielleicht einem Wert und einer Zahl von Tagen.

Ein Ziel zählt ab seiner Erstellung. Wird es entfernt, verschwinden seine Conversions aus allen Statistiken. Der Wert steht in der Währung Ihrer Organisation.$$),

('websites', 'which-email-gets-it', '{websites,statistics}',
'Which email gets a conversion?',
$$The one whose link the visitor followed last before it, if that is at most as many days ago as the goal says (**Days after the click**). So a conversion belongs to one message at most.

For this, links in emails to the hosts of your website carry a signed mark; you need not do anything for it. Messages that are not measured have none, so their visits and conversions are not known. A forwarded message counts for the contact to whom it was sent.$$,
'Welche E-Mail erhält eine Conversion?',
$$Die, deren Link der Besucher zuletzt davor aufgerufen hat, wenn das höchstens so viele Tage her ist, wie das Ziel sagt (**Tage nach dem Klick**). Eine Conversion gehört also zu höchstens einer Nachricht.

Dafür tragen Links in E-Mails zu den Hosts Ihrer Website ein signiertes Merkmal; Sie müssen dafür nichts tun. Nachrichten, die nicht gemessen werden, haben keines, ihre Besuche und Conversions sind daher nicht bekannt. Eine weitergeleitete Nachricht zählt für den Kontakt, an den sie gesendet wurde.$$),

('websites', 'visitors-must-agree', '{websites}',
'What if visitors must agree first?',
$$Add the line under **Consent** to the snippet (`data-consent="required"`). Then nothing is stored or sent until your page calls `setConsent(true)` once visitors have agreed, for example from your cookie banner. `setConsent(false)` stops it again and deletes the cookies.

How long visits are kept is in **Settings**, **General**: between 30 and 1,825 days. Totals stay.$$,
'Was, wenn Besucher zuerst zustimmen müssen?',
$$Ergänzen Sie im Code die Zeile unter **Einwilligung** (`data-consent="required"`). Dann wird nichts gespeichert oder gesendet, bis Ihre Seite nach der Zustimmung `setConsent(true)` aufruft, etwa aus Ihrem Cookie-Banner. `setConsent(false)` beendet es wieder und löscht die Cookies.

Wie lange Besuche aufbewahrt werden, steht unter **Einstellungen**, **Allgemein**: zwischen 30 und 1.825 Tagen. Summen bleiben.$$);
