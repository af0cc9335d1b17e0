import type { mailbox as en } from '#web/i18n/en/mailbox.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const mailbox: Translation<typeof en> = {
  what: 'Nachrichten',
  whatOne: 'Nachricht',
  intro: 'Ohne Mailserver werden Nachrichten hierher zugestellt und verlassen diesen Rechner nicht.',
  search: 'Nach Adresse oder Betreff suchen',
  noSubject: '(kein Betreff)',
  received: 'Eingegangen',
  noMatch: 'Keine Nachrichten für diese Filter gefunden.',
  ofSend: 'Es werden die Nachrichten eines Versands angezeigt.',
  empty: {
    title: 'Das Postfach ist leer',
    body: 'Gesendete Nachrichten erscheinen hier so, wie Empfänger sie sehen würden.',
  },
  preview: 'Nachricht',
  headers: 'Kopfzeilen',
  links: 'Links in dieser Nachricht',
  linksHint: 'Links öffnen sich in einem neuen Tab. Website-Links zählen als Klick dieses Empfängers.',
  linksHidden: 'Links funktionieren nur für Mitglieder, die Kampagnen senden dürfen.',
  noLinks: 'Diese Nachricht hat keine Links.',
  open: 'Als geöffnet zählen',
  openHint: 'Lädt das Tracking-Pixel, wie es ein E-Mail-Programm tun würde.',
  opened: 'Als geöffnet gezählt',
};
