insert into written_categories values
  (9, 'team', 'Team and access', 'Members, roles, API keys and the trash.',
   'Team und Zugriff', 'Mitglieder, Rollen, API-Schlüssel und der Papierkorb.');

insert into written_faqs (category, name, screens, en_title, en_content, de_title, de_content) values

('team', 'who-sees-which-client', '{members,clients}',
'Who can see which client?',
$$Owners, administrators, editors and analysts see all clients. A **Guest** sees only the clients that are chosen for this person, with their brands, campaigns, contacts and results; not other clients, not what all clients share, and neither members nor settings.

For anything in between, create a role under **Settings**, **Roles**: each permission can be allowed for the whole organization, only for some clients and brands, or for the clients assigned to each member. Changes apply immediately.$$,
'Wer kann welchen Kunden sehen?',
$$Eigentümer, Administratoren, Redakteure und Mitglieder mit der Rolle **Nur lesen** sehen alle Kunden. Ein **Gast** sieht nur die Kunden, die für diese Person gewählt sind, mit ihren Marken, Kampagnen, Kontakten und Ergebnissen; keine anderen Kunden, nichts von allen Geteiltes und weder Mitglieder noch Einstellungen.

Für alles dazwischen legen Sie unter **Einstellungen**, **Rollen** eine Rolle an: Jede Berechtigung kann für die ganze Organisation gelten, nur für bestimmte Kunden und Marken oder für die Kunden, die dem jeweiligen Mitglied zugewiesen sind. Änderungen gelten sofort.$$),

('team', 'roles', '{members,settings}',
'What can each role do?',
$$- **Owner**: everything, including deleting the organization. There is always at least one.
- **Administrator**: everything except that.
- **Editor**: create, edit and send everything, but not manage members.
- **Analyst**: view everything, change nothing.
- **Guest**: view the chosen clients, with their campaigns and results.

**Settings**, **Roles** shows the permissions of each role as a table. Built-in roles cannot be edited; copy one to adapt it. Nobody can grant more than they may do themselves.$$,
'Was kann jede Rolle?',
$$- **Eigentümer**: alles, auch die Organisation löschen. Mindestens einen gibt es immer.
- **Administrator**: alles außer diesem.
- **Redakteur**: alles anlegen, bearbeiten und senden, aber keine Mitglieder verwalten.
- **Nur lesen**: alles ansehen, nichts ändern.
- **Gast**: die gewählten Kunden mit ihren Kampagnen und Ergebnissen ansehen.

**Einstellungen**, **Rollen** zeigt die Berechtigungen jeder Rolle als Tabelle. Standardrollen lassen sich nicht bearbeiten; kopieren Sie eine, um sie anzupassen. Niemand kann mehr vergeben, als er selbst darf.$$),

('team', 'invite-people', '{members,dashboard}',
'How do I invite colleagues or clients?',
$$Under **Settings**, **Invitations**, choose **Invite people**, enter addresses and a role. They get an email with a link that is valid for a week. **Send again** makes a new link.

For several guests at once, create an **Invitation link** on the same page: anyone who has it can join as a guest and sees only the clients that you choose, as often as you allow and until the date that you set.$$,
'Wie lade ich Kollegen oder Kunden ein?',
$$Wählen Sie unter **Einstellungen**, **Einladungen** die Aktion **Personen einladen**, und geben Sie Adressen und eine Rolle ein. Sie erhalten eine E-Mail mit einem Link, der eine Woche gilt. **Erneut senden** erzeugt einen neuen Link.

Für mehrere Gäste auf einmal legen Sie auf derselben Seite einen **Einladungslink** an: Wer ihn hat, kann als Gast beitreten und sieht nur die Kunden, die Sie auswählen, so oft und so lange, wie Sie es erlauben.$$),

('team', 'member-leaves', '{members,api-keys}',
'What happens when a member leaves?',
$$The person loses access immediately, and the API keys that the person created here stop working. Check before whether programs use such a key, and create another one. Everything else stays: campaigns, contacts, scheduled emails.

**Settings**, **Members** removes a person; **Settings**, **General** lets you leave yourself. The last owner cannot leave: first make somebody else an owner.$$,
'Was geschieht, wenn ein Mitglied geht?',
$$Die Person verliert den Zugriff sofort, und API-Schlüssel, die sie hier angelegt hat, funktionieren nicht mehr. Prüfen Sie vorher, ob Programme einen solchen Schlüssel verwenden, und legen Sie einen anderen an. Alles andere bleibt: Kampagnen, Kontakte, geplante E-Mails.

Unter **Einstellungen**, **Mitglieder** entfernen Sie eine Person, unter **Einstellungen**, **Allgemein** verlassen Sie selbst die Organisation. Der letzte Eigentümer kann nicht gehen: Machen Sie zuerst jemand anderen zum Eigentümer.$$),

('team', 'who-changed-this', '{settings,members}',
'Where do I see who changed something?',
$$In **Settings**, **Audit log**: who did what to which record, when and from where. Entries cannot be changed or deleted. They keep the names of that time, so that a record can be found after it was renamed or deleted.

Exports are recorded there as well, and so are changes of consent, roles and API keys. Guests do not see the log.$$,
'Wo sehe ich, wer etwas geändert hat?',
$$Unter **Einstellungen**, **Protokoll**: wer was an welchem Eintrag getan hat, wann und von wo. Einträge des Protokolls lassen sich weder ändern noch löschen. Sie behalten die Namen von damals, damit sich etwas auch nach Umbenennen oder Löschen finden lässt.

Auch Exporte stehen dort, ebenso Änderungen an Einwilligungen, Rollen und API-Schlüsseln. Gäste sehen das Protokoll nicht.$$),

('team', 'restore', '{settings,campaigns}',
'I have deleted something by mistake. Can I get it back?',
$$Clients, brands, campaigns and touchpoints: yes, for 30 days. Right after deleting, choose **Undo**; later, choose **Restore** in **Settings**, **Trash**. A client comes back with its brands and campaigns.

Contacts, items, lists, audiences, templates, files, domains and sign-up forms are deleted permanently, and the question before it says so. So is the organization for its members.$$,
'Ich habe versehentlich etwas gelöscht. Bekomme ich es zurück?',
$$Kunden, Marken, Kampagnen und Touchpoints: ja, 30 Tage lang. Wählen Sie direkt nach dem Löschen **Rückgängig**, später **Wiederherstellen** unter **Einstellungen**, **Papierkorb**. Ein Kunde kommt mit seinen Marken und Kampagnen zurück.

Kontakte, Einträge, Listen, Zielgruppen, Vorlagen, Dateien, Domains und Anmeldeformulare werden endgültig gelöscht, und die Rückfrage davor sagt das. Ebenso die Organisation für ihre Mitglieder.$$),

('team', 'deleted-client', '{clients,settings}',
'What happens to the data of a deleted client?',
$$It is hidden at once, with brands, campaigns, contacts and results. (A client for whom something is being sent or scheduled cannot be deleted: cancel that first.) For 30 days the client can be restored from the trash.

60 days after the deletion everything is erased: its brands, campaigns, emails, results and collections of contacts. Until then, links in messages that were sent keep working, so that recipients can still unsubscribe. Contacts that all of your clients share are not touched.$$,
'Was geschieht mit den Daten eines gelöschten Kunden?',
$$Sie sind sofort ausgeblendet, mit Marken, Kampagnen, Kontakten und Ergebnissen. (Ein Kunde, für den etwas gesendet wird oder geplant ist, lässt sich nicht löschen: Brechen Sie das zuerst ab.) 30 Tage lang lässt sich der Kunde aus dem Papierkorb wiederherstellen.

60 Tage nach dem Löschen wird alles entfernt: seine Marken, Kampagnen, E-Mails, Ergebnisse und Kontaktlisten. Bis dahin funktionieren die Links in gesendeten Nachrichten, damit sich Empfänger weiterhin abmelden können. Kontakte, die sich alle Ihre Kunden teilen, bleiben unberührt.$$),

('team', 'api-key', '{api-keys,settings}',
'How does a program of ours use Reachout?',
$$With an API key: under **Settings**, **API keys**, choose **Create key**, a name, the permissions and how long it is valid. Copy the key at once, because it is shown only once, and keep it like a password.

The program sends it with each request in the header `Authorization: Bearer …`. The **API reference** on the same page lists all operations. A key acts for this one organization, and never has more permissions than the person who created it.$$,
'Wie nutzt ein eigenes Programm Reachout?',
$$Mit einem API-Schlüssel: Wählen Sie unter **Einstellungen**, **API-Schlüssel** die Aktion **Schlüssel anlegen**, einen Namen, die Berechtigungen und die Gültigkeit. Kopieren Sie den Schlüssel sofort, denn er wird nur einmal angezeigt, und bewahren Sie ihn wie ein Passwort auf.

Das Programm sendet ihn mit jeder Anfrage im Header `Authorization: Bearer …`. Die **API-Referenz** auf derselben Seite nennt alle Operationen. Ein Schlüssel handelt für diese eine Organisation und hat nie mehr Berechtigungen als die Person, die ihn angelegt hat.$$),

('team', 'send-by-program', '{api-keys,touchpoints}',
'Can a program send single emails, such as a confirmation of an order?',
$$Yes. Write the email as usual, then choose **Send on request** instead of sending it to an audience. From then on, your program can request messages of this email, each for one address, with its own data. The page of the send shows a complete request as an example.

The program needs an API key with the permission **Send emails**. While it is switched on, the email cannot be edited. Addresses that get no email of this brand get no message either.$$,
'Kann ein Programm einzelne E-Mails senden, etwa eine Bestellbestätigung?',
$$Ja. Schreiben Sie die E-Mail wie sonst, und wählen Sie dann **Auf Anforderung senden** statt des Versands an eine Zielgruppe. Von da an kann Ihr Programm Nachrichten dieser E-Mail anfordern, jede für eine Adresse und mit eigenen Daten. Die Seite des Versands zeigt eine vollständige Anfrage als Beispiel.

Das Programm braucht einen API-Schlüssel mit der Berechtigung **E-Mails senden**. Solange die E-Mail eingeschaltet ist, lässt sie sich nicht bearbeiten. Adressen, die keine E-Mails dieser Marke erhalten, erhalten auch keine solche Nachricht.$$),

('team', 'leaked-key', '{api-keys}',
'An API key may have become known. What do I do?',
$$Revoke it at once under **Settings**, **API keys**: programs that use it lose access immediately. Then create a new key for them. The audit log shows what was done with the key.

Your own keys of all organizations are listed in your account under **API keys**. After a new password, look through them there: a password does not end keys.$$,
'Ein API-Schlüssel ist vielleicht bekannt geworden. Was tun?',
$$Widerrufen Sie ihn sofort unter **Einstellungen**, **API-Schlüssel**: Programme, die ihn verwenden, verlieren sofort den Zugriff. Legen Sie dann für sie einen neuen Schlüssel an. Das Protokoll zeigt, was mit dem Schlüssel getan wurde.

Ihre eigenen Schlüssel aller Organisationen stehen in Ihrem Konto unter **API-Schlüssel**. Sehen Sie sie dort nach einem neuen Passwort durch: Ein Passwort beendet keine Schlüssel.$$);
