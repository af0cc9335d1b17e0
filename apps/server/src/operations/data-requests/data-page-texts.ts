import type { PageTexts } from '../../insight/public-pages/page-texts.ts';

/** Texts of the pages about a person's own data; `{brand}`, `{organization}` and `{address}` are placeholders. */
export const dataPageTexts = {
  en: {
    askTitle: 'Your data',
    ask: 'You can get a copy of the data that {organization} stores about your address for {brand}, or have it erased. You confirm both by a link that we send to this address.',
    askCopy: 'Email me a link to my data',
    askErasure: 'Erase my data',
    checkInbox:
      'We have sent an email with a link to {address}. Nothing happens until you confirm there. The link can confirm for 24 hours.',
    oftenTitle: 'We have sent this email already',
    often:
      'You have asked for this three times within a day. Please look for our emails in your inbox and your spam folder, or try again tomorrow.',
    copyTitle: 'Get a copy of your data?',
    copy: 'The copy has all that {organization} stores about {address}, for whichever brand: contact data, emails and choices.',
    copyConfirm: 'Prepare my copy',
    erasureTitle: 'Erase your data?',
    erasure:
      'All that {organization} stores about {address}, for whichever brand, is erased, and you get no more emails from {organization}. This can’t be undone.',
    erasureConfirm: 'Erase my data',
    runningTitle: 'We are working on it',
    running:
      'This usually takes less than a minute. You can close this page and open the link of our email again later.',
    reload: 'Look again',
    readyTitle: 'Your copy is ready',
    ready: 'It is a file that you can open with any text program. You can download it for 7 days.',
    download: 'Download my data',
    erasedTitle: 'Your data is erased',
    erased:
      'Nothing about your address is stored any more, except an encrypted fingerprint so that you get no emails again.',
    laterTitle: '{organization} has to finish a mailing first',
    later:
      'You get no more emails. What is stored about you is erased when a mailing that has begun is over. {organization} knows of it.',
    cameBackTitle: 'The erasure has ended',
    cameBack:
      'Before it was finished, you signed up for emails again, or {organization} resubscribed you. To have your data erased after all, open the link for your data in a newer email, and ask again.',
    waitingTitle: '{organization} has to finish this',
    waiting:
      'A part of your data is in another program of {organization}, which knows of your request and finishes it. You get no more emails.',
    failedTitle: 'This could not be finished yet',
    failed:
      '{organization} knows of your request and can try it again. You can also reply to one of its emails.',
    unknown:
      'It may be too old. Open the link for your data in one of the emails that you got from {organization}, and ask again.',
  },
  de: {
    askTitle: 'Ihre Daten',
    ask: 'Sie können eine Kopie der Daten erhalten, die {organization} für {brand} zu Ihrer Adresse speichert, oder sie löschen lassen. Beides bestätigen Sie mit einem Link, den wir an diese Adresse senden.',
    askCopy: 'Link zu meinen Daten per E-Mail',
    askErasure: 'Meine Daten löschen',
    checkInbox:
      'Wir haben eine E-Mail mit einem Link an {address} gesendet. Es geschieht nichts, bevor Sie dort bestätigen. Das geht 24 Stunden lang.',
    oftenTitle: 'Diese E-Mail haben wir schon gesendet',
    often:
      'Sie haben das innerhalb eines Tages dreimal angefordert. Bitte suchen Sie unsere E-Mails in Ihrem Postfach und im Spam-Ordner, oder versuchen Sie es morgen wieder.',
    copyTitle: 'Kopie Ihrer Daten erhalten?',
    copy: 'Die Kopie enthält alles, was {organization} zu {address} speichert, gleich für welche Marke: Kontaktdaten, E-Mails und Einstellungen.',
    copyConfirm: 'Kopie erstellen',
    erasureTitle: 'Ihre Daten löschen?',
    erasure:
      'Alles, was {organization} zu {address} speichert, gleich für welche Marke, wird gelöscht, und Sie erhalten von {organization} keine E-Mails mehr. Das lässt sich nicht rückgängig machen.',
    erasureConfirm: 'Meine Daten löschen',
    runningTitle: 'Wir arbeiten daran',
    running:
      'Das dauert meist weniger als eine Minute. Sie können diese Seite schließen und den Link in unserer E-Mail später wieder öffnen.',
    reload: 'Noch einmal nachsehen',
    readyTitle: 'Ihre Kopie ist fertig',
    ready: 'Es ist eine Datei, die jedes Textprogramm öffnet. Sie können sie 7 Tage lang herunterladen.',
    download: 'Meine Daten herunterladen',
    erasedTitle: 'Ihre Daten sind gelöscht',
    erased:
      'Zu Ihrer Adresse ist nichts mehr gespeichert, außer einem nicht lesbaren Prüfwert, damit Sie nicht wieder E-Mails erhalten.',
    laterTitle: '{organization} muss erst einen Versand abschließen',
    later:
      'Sie erhalten keine E-Mails mehr. Was zu Ihnen gespeichert ist, wird gelöscht, sobald ein begonnener Versand beendet ist. {organization} weiß davon.',
    cameBackTitle: 'Die Löschung wurde beendet',
    cameBack:
      'Bevor sie abgeschlossen war, haben Sie sich wieder angemeldet, oder {organization} hat Sie wieder angemeldet. Wenn Ihre Daten doch gelöscht werden sollen, öffnen Sie den Link zu Ihren Daten in einer neueren E-Mail, und fordern Sie es noch einmal an.',
    waitingTitle: '{organization} muss das abschließen',
    waiting:
      'Ein Teil Ihrer Daten liegt in einem anderen Programm. {organization} weiß von Ihrem Wunsch und erfüllt ihn. Sie erhalten keine E-Mails mehr.',
    failedTitle: 'Das ließ sich noch nicht abschließen',
    failed:
      '{organization} weiß von Ihrem Wunsch und kann es noch einmal versuchen. Sie können auch auf eine E-Mail von dort antworten.',
    unknown:
      'Er ist möglicherweise zu alt. Öffnen Sie den Link zu Ihren Daten in einer E-Mail von {organization}, und fordern Sie es noch einmal an.',
  },
} as const satisfies PageTexts<string>;
