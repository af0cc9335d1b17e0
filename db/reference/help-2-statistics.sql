insert into written_categories values
  (7, 'statistics', 'Statistics', 'What the numbers mean.', 'Statistik', 'Was die Zahlen bedeuten.');

insert into written_faqs (category, name, screens, en_title, en_content, de_title, de_content) values

('statistics', 'opens-are-approximate', '{statistics,dashboard}',
'Why are opens only approximate?',
$$An open is counted when a small image of the message is loaded. Some mail programs load images before anybody reads the message, others never load them. Loads by programs that are recognized are counted apart, as bots, but not all can be recognized.

So compare opens of emails with each other, and rely on clicks and conversions where it matters. The lists of recipients show who opened with the same reservation.$$,
'Warum sind Öffnungen nur ungefähr?',
$$Eine Öffnung zählt, wenn ein kleines Bild der Nachricht geladen wird. Manche Mailprogramme laden Bilder, bevor jemand die Nachricht liest, andere laden sie nie. Erkannte Programme werden getrennt als Bots gezählt, aber nicht alle lassen sich erkennen.

Vergleichen Sie Öffnungen daher zwischen E-Mails, und verlassen Sie sich auf Klicks und Conversions, wo es darauf ankommt. Für die Listen, wer geöffnet hat, gilt dieselbe Einschränkung.$$),

('statistics', 'delivered', '{statistics,sends}',
'What counts as delivered?',
$$A message that the mail server of the recipient, or the one in front of it, has accepted and not returned. Whether it is in the inbox or in the spam folder, no sender can see.

Rates of clicks, opens and conversions are shares of the delivered messages whose opens and clicks are measured. The rate of opt-outs is a share of all delivered messages, that of bounces a share of the attempts.$$,
'Was zählt als zugestellt?',
$$Eine Nachricht, die der Mailserver des Empfängers oder der davor angenommen und nicht zurückgegeben hat. Ob sie im Posteingang oder im Spamordner liegt, kann kein Absender sehen.

Raten von Klicks, Öffnungen und Conversions sind Anteile an den zugestellten Nachrichten, bei denen Öffnungen und Klicks gemessen werden. Die Rate der Abmeldungen ist ein Anteil an allen zugestellten Nachrichten, die der unzustellbaren einer an den Zustellversuchen.$$),

('statistics', 'not-measured', '{statistics,dashboard}',
'What does “not measured” mean?',
$$Opens and clicks of these messages are not known, because the person has not agreed or has objected, or because the brand measures nobody. The messages contain no tracking pixel and no personal links.

They count as delivered, but rates are shares of the other messages, so that they are not pulled down. If no message was measured, rates are a dash. The brand decides this in its **Brand kit**.$$,
'Was bedeutet „nicht gemessen“?',
$$Öffnungen und Klicks dieser Nachrichten sind nicht bekannt, weil die Person nicht zugestimmt oder widersprochen hat oder weil die Marke bei niemandem misst. Die Nachrichten enthalten kein Zählpixel und keine persönlichen Links.

Sie zählen als zugestellt, aber Raten sind Anteile an den übrigen Nachrichten, damit sie nicht zu niedrig ausfallen. Wurde keine Nachricht gemessen, steht statt der Raten ein Strich. Die Marke legt das in ihrem **Markenauftritt** fest.$$),

('statistics', 'bots', '{statistics}',
'What are clicks and opens by bots?',
$$Programs that load images or follow links instead of a person: security scanners that check every link, and mail services that fetch images ahead. They are recognized by how they present themselves, and by clicking many links within seconds.

They are shown beside the other numbers and counted in none of them. The first two clicks of a scanner that behaves like a browser may still count as those of a person.$$,
'Was sind Klicks und Öffnungen durch Bots?',
$$Programme, die anstelle eines Menschen Bilder laden oder Links folgen: Sicherheitsprüfungen, die jeden Link ansehen, und Maildienste, die Bilder im Voraus holen. Sie werden daran erkannt, wie sie sich ausgeben, und daran, dass sie in Sekunden viele Links anklicken.

Sie stehen neben den übrigen Zahlen und sind in keiner enthalten. Die ersten zwei Klicks einer Prüfung, die sich wie ein Browser verhält, zählen möglicherweise noch als die eines Menschen.$$),

('statistics', 'compared-period', '{dashboard,statistics}',
'With what are the results compared?',
$$With the same length of time before. A period that is still running is compared with the same part of the earlier one: today until 10:30 with yesterday until 10:30.

An email is compared with the last one of its campaign, or else of its brand, both as they stood the same time after sending. Where numbers are small, the screen says **Low volume** or that they are too few to compare, because chance alone makes such differences.$$,
'Womit werden die Ergebnisse verglichen?',
$$Mit dem gleich langen Zeitraum davor. Ein Zeitraum, der noch läuft, wird mit demselben Teil des früheren verglichen: heute bis 10:30 Uhr mit gestern bis 10:30 Uhr.

Eine E-Mail wird mit der letzten ihrer Kampagne verglichen, sonst mit der letzten ihrer Marke, beide mit dem Stand gleich lange nach dem Versand. Bei kleinen Zahlen steht **Geringe Datenmenge** oder dass es für einen Vergleich zu wenige sind, weil schon der Zufall solche Unterschiede macht.$$),

('statistics', 'export-numbers', '{statistics,sends}',
'How do I get the numbers out of here?',
$$Charts, maps and tables can be downloaded with **Export CSV**. On the page of a send, the export of the recipients has each address with its status and reactions. Because such a file contains all addresses at once, it needs the permission to view all contacts and statistics, and the audit log records each download.

Programs get the same numbers through the API, with an API key that may **View statistics**.$$,
'Wie bekomme ich die Zahlen heraus?',
$$Diagramme, Karten und Tabellen lassen sich mit **CSV exportieren** herunterladen. Auf der Seite eines Versands enthält der Export der Empfänger jede Adresse mit Status und Reaktionen. Weil eine solche Datei alle Adressen auf einmal enthält, brauchen Sie dafür die Berechtigung, alle Kontakte und die Statistik anzusehen, und das Protokoll hält jeden Download fest.

Programme erhalten dieselben Zahlen über die API, mit einem API-Schlüssel, der die **Statistik ansehen** darf.$$);
