insert into written_categories values
  (11, 'account', 'Your account', 'Signing in, security and preferences.',
   'Ihr Konto', 'Anmeldung, Sicherheit und persönliche Einstellungen.');

insert into written_faqs (category, name, screens, en_title, en_content, de_title, de_content) values

('account', 'forgot-password', '{account}',
'I have forgotten my password. How do I get in?',
$$On the sign-in page, **Email me a code** sends a six-digit code that works for 10 minutes in the same browser; you need no password for it. **Forgot your password?** sends a link with which you set a new one. It works once, within 30 minutes, and ends all of your sessions.

If no email arrives, check the address and the spam folder. For safety, the page says the same whether or not an address has an account.$$,
'Ich habe mein Passwort vergessen. Wie komme ich hinein?',
$$Auf der Anmeldeseite sendet **Code per E-Mail senden** einen sechsstelligen Code, der 10 Minuten in demselben Browser gilt; ein Passwort brauchen Sie dafür nicht. **Passwort vergessen?** sendet einen Link, mit dem Sie ein neues festlegen. Er gilt einmal, innerhalb von 30 Minuten, und beendet alle Ihre Sitzungen.

Kommt keine E-Mail an, prüfen Sie die Adresse und den Spamordner. Aus Sicherheitsgründen sagt die Seite dasselbe, ob eine Adresse ein Konto hat oder nicht.$$),

('account', 'second-step', '{account,settings}',
'How do I protect my account with a second step?',
$$In your account, open **Security** and set up an **Authenticator app**, or add a **Passkey**. After that, knowing your password or reading your inbox is not enough to sign in. A passkey alone is sufficient, because it is bound to your device.

Save the recovery codes: each signs you in once if you do not have your phone. An organization can require a second step of all members under **Settings**, **General**.$$,
'Wie schütze ich mein Konto mit einem zweiten Schritt?',
$$Öffnen Sie in Ihrem Konto **Sicherheit**, und richten Sie eine **Authenticator-App** ein oder fügen Sie einen **Passkey** hinzu. Danach reicht Ihr Passwort oder der Zugang zu Ihrem Posteingang allein nicht mehr. Ein Passkey genügt für sich, weil er an Ihr Gerät gebunden ist.

Speichern Sie die Wiederherstellungscodes: Jeder meldet Sie einmal an, wenn Sie Ihr Smartphone nicht zur Hand haben. Eine Organisation kann unter **Einstellungen**, **Allgemein** von allen Mitgliedern einen zweiten Schritt verlangen.$$),

('account', 'language-and-time-zone', '{account}',
'How do I change language, time zone and colors?',
$$In your account under **Preferences**: language, format of numbers and dates, time zone, light or dark theme, and whether things move. Changes apply immediately, in every browser in which you are signed in. Language and theme are also in the menu of your account.

The time zone is the one in which you see times. Schedules have their own, which you choose when you plan.$$,
'Wie ändere ich Sprache, Zeitzone und Farben?',
$$In Ihrem Konto unter **Persönliche Einstellungen**: Sprache, Format von Zahlen und Datum, Zeitzone, helles oder dunkles Farbschema und ob sich etwas bewegt. Änderungen gelten sofort und in jedem Browser, in dem Sie angemeldet sind. Sprache und Farbschema stehen auch im Menü Ihres Kontos.

Die Zeitzone ist die, in der Sie Zeiten sehen. Zeitpläne haben ihre eigene, die Sie beim Planen wählen.$$),

('account', 'unknown-session', '{account}',
'I see a session that I do not recognize. What now?',
$$In your account under **Sessions**, choose **Sign out** beside it, or **Sign out everywhere else**. Then change your password under **Password**; that also signs you out everywhere else. Look through your **API keys** as well, because a new password does not end them.

A session ends by itself after seven days without use, and after thirty days in any case.$$,
'Ich sehe eine Sitzung, die ich nicht kenne. Was nun?',
$$Wählen Sie in Ihrem Konto unter **Sitzungen** daneben **Abmelden**, oder **Überall sonst abmelden**. Ändern Sie dann unter **Passwort** Ihr Passwort; auch das meldet Sie überall sonst ab. Sehen Sie auch Ihre **API-Schlüssel** durch, denn ein neues Passwort beendet sie nicht.

Eine Sitzung endet von selbst nach sieben Tagen ohne Nutzung und in jedem Fall nach dreißig Tagen.$$),

('account', 'content-token', '{account,api-keys}',
'What is a content token for?',
$$With it, a program of yours reads the contacts and other items that you created in an organization. In your account under **API keys**, choose **Create content token** and the organization. Copy the token at once, because it is shown only once, and keep it like a password.

It cannot change anything, sees nothing of others, and works for a year at most. You can have five in each organization. A token ends when you leave the organization, or when you or an administrator revoke it. For everything else, a program needs an API key of the organization.$$,
'Wozu dient ein Inhalts-Token?',
$$Damit liest ein Programm von Ihnen die Kontakte und anderen Einträge, die Sie in einer Organisation angelegt haben. Wählen Sie in Ihrem Konto unter **API-Schlüssel** die Aktion **Inhalts-Token anlegen** und die Organisation. Kopieren Sie das Token sofort, denn es wird nur einmal angezeigt, und bewahren Sie es wie ein Passwort auf.

Es kann nichts ändern, sieht nichts von anderen und gilt höchstens ein Jahr. In jeder Organisation können Sie fünf haben. Ein Token endet, wenn Sie die Organisation verlassen, oder wenn Sie oder ein Administrator es widerrufen. Für alles andere braucht ein Programm einen API-Schlüssel der Organisation.$$),

('account', 'delete-my-account', '{account}',
'How do I get or delete the data about myself?',
$$In your account under **Your data**. **Download** saves everything stored about you as a file: profile, addresses, memberships, sessions and activity.

**Delete account** deletes your profile, addresses, links, preferences and sessions permanently. What you created in your organizations stays there without your name. If you are the last owner of an organization, first make somebody else an owner, or delete the organization.$$,
'Wie bekomme oder lösche ich die Daten über mich?',
$$In Ihrem Konto unter **Ihre Daten**. **Herunterladen** speichert alles, was über Sie gespeichert ist, als Datei: Profil, Adressen, Mitgliedschaften, Sitzungen und Aktivitäten.

**Konto löschen** löscht Profil, Adressen, Links, Einstellungen und Sitzungen endgültig. Was Sie in Ihren Organisationen erstellt haben, bleibt dort ohne Ihren Namen. Sind Sie der letzte Eigentümer einer Organisation, machen Sie zuerst jemand anderen zum Eigentümer, oder löschen Sie die Organisation.$$);
