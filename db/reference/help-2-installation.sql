insert into written_categories values
  (12, 'installation', 'Running this installation', 'For operators.',
   'Betrieb dieser Installation', 'Für Betreiber.');

insert into written_faqs (category, name, screens, en_title, en_content, de_title, de_content) values

('installation', 'become-an-operator', '{operator}',
'Who is an operator of this installation?',
$$The users whose email addresses are in the setting `OPERATORS` of the server, separated by commas. The address must be confirmed. After a change of the setting, restart the server.

Operators find their pages under **Installation** in the menu of their account: background jobs, organizations, users and the help. They are no members of organizations by that, and do not see their campaigns and contacts.$$,
'Wer ist Betreiber dieser Installation?',
$$Die Benutzer, deren E-Mail-Adressen in der Einstellung `OPERATORS` des Servers stehen, durch Kommas getrennt. Die Adresse muss bestätigt sein. Starten Sie den Server nach einer Änderung der Einstellung neu.

Betreiber finden ihre Seiten unter **Installation** im Menü ihres Kontos: Hintergrundaufgaben, Organisationen, Benutzer und die Hilfe. Mitglieder von Organisationen sind sie dadurch nicht; deren Kampagnen und Kontakte sehen sie nicht.$$),

('installation', 'suspend-an-organization', '{operator}',
'What happens when I suspend an organization?',
$$It can be read, but not changed, and nothing is sent. Its owners get an email with your reason, and each of its pages shows it. **Inactive** goes further: nobody can open the organization, and its websites are not tracked. In both cases the data is kept, and links in earlier messages keep working, so that recipients can always opt out.

Once it is active again, sends that were stopped go on.$$,
'Was geschieht, wenn ich eine Organisation sperre?',
$$Sie kann gelesen, aber nicht geändert werden, und es wird nichts gesendet. Ihre Eigentümer erhalten eine E-Mail mit Ihrem Grund, und jede ihrer Seiten zeigt ihn. **Inaktiv** geht weiter: Niemand kann die Organisation öffnen, und ihre Websites werden nicht gemessen. In beiden Fällen bleiben die Daten erhalten, und Links in früheren Nachrichten funktionieren, damit sich Empfänger immer abmelden können.

Ist sie wieder aktiv, geht angehaltener Versand weiter.$$),

('installation', 'change-the-help', '{operator}',
'How do I change this help, the imprint and the privacy notice?',
$$Open the help under **Installation**. Each page and question has an English text and perhaps a German one; who reads German and finds none gets the English one. A draft is visible to operators alone.

Imprint and privacy notice come as drafts with gaps: fill them in, and publish them. What you have changed, added or deleted stays so when Reachout is updated; everything else is renewed with the version.$$,
'Wie ändere ich diese Hilfe, das Impressum und den Datenschutzhinweis?',
$$Öffnen Sie die Hilfe unter **Installation**. Jede Seite und Frage hat einen englischen Text und vielleicht einen deutschen; wer Deutsch liest und keinen findet, erhält den englischen. Ein Entwurf ist nur für Betreiber sichtbar.

Impressum und Datenschutzhinweis sind zunächst Entwürfe mit Lücken: Füllen Sie sie aus, und veröffentlichen Sie sie. Was Sie geändert, hinzugefügt oder gelöscht haben, bleibt bei einem Update von Reachout so; alles andere wird mit der Version erneuert.$$),

('installation', 'raise-a-limit', '{operator}',
'How do I give an organization higher limits?',
$$On the server, with `npm run organization:limit -- ID NUMBER`. ID is the part after /o/ in the address of a page of the organization, NUMBER how many recipients it may reach in 24 hours. With `contacts`, `templates`, `content_megabytes`, `file_megabytes`, `imports`, `images`, `website_events` or `website_megabytes` behind the number, it is how many of these it may have; the last two are of each website and day. `default` instead of the number resets the limit.

The organization sees its limits under **Settings**, **General**.$$,
'Wie gebe ich einer Organisation höhere Limits?',
$$Auf dem Server, mit `npm run organization:limit -- ID ZAHL`. ID ist der Teil nach /o/ in der Adresse einer Seite der Organisation, ZAHL die Zahl der Empfänger in 24 Stunden. Mit `contacts`, `templates`, `content_megabytes`, `file_megabytes`, `imports`, `images`, `website_events` oder `website_megabytes` hinter der Zahl ist es deren Anzahl; die letzten beiden gelten für jede Website und jeden Tag. `default` statt der Zahl setzt das Limit zurück.

Die Organisation sieht ihre Limits unter **Einstellungen**, **Allgemein**.$$),

('installation', 'failed-jobs', '{operator}',
'What do I do with a failed background job?',
$$Under **Installation**, **Background jobs**, a failed job shows its last error. It was tried several times before. If the cause is gone, for example a service that was not reachable, try it again there.

Most jobs repeat what they do without harm: what was done already is not done twice. If the same job fails again, the log of the server has the details.$$,
'Was tue ich mit einer fehlgeschlagenen Hintergrundaufgabe?',
$$Unter **Installation**, **Hintergrundaufgaben** zeigt eine fehlgeschlagene Aufgabe ihren letzten Fehler. Sie wurde zuvor mehrmals versucht. Ist die Ursache behoben, etwa ein Dienst, der nicht erreichbar war, versuchen Sie es dort erneut.

Die meisten Aufgaben lassen sich gefahrlos wiederholen: Was schon getan ist, wird nicht noch einmal getan. Schlägt dieselbe Aufgabe wieder fehl, stehen Einzelheiten im Protokoll des Servers.$$);
