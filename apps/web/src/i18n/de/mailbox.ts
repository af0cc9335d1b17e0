import type { mailbox as en } from '#web/i18n/en/mailbox.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const mailbox: Translation<typeof en> = {
  title: 'Postfach',
  what: 'Nachrichten',
  whatOne: 'Nachricht',
  intro: 'Nachrichten, die ohne Mailserver gesendet werden, landen hier. Nichts verlässt diesen Rechner.',
  search: 'Adresse oder Betreff suchen',
  recipient: 'An',
  sender: 'Von',
  subject: 'Betreff',
  noSubject: '(kein Betreff)',
  received: 'Eingegangen',
  size: 'Größe',
  noMatch: 'Keine Nachricht entspricht diesen Filtern.',
  ofSend: 'Es werden nur Nachrichten einer Sendung angezeigt.',
  empty: {
    title: 'Das Postfach ist leer',
    body: 'Wird eine E-Mail gesendet, erscheint hier jede Nachricht so, wie sie ankommt.',
  },
  preview: 'Die Nachricht',
  headers: 'Kopfzeilen',
  links: 'Links in dieser Nachricht',
  linksHint: 'Links öffnen sich in einem neuen Tab. Die zu Websites zählen als Klick dieser Person.',
  noLinks: 'Diese Nachricht hat keine Links.',
  opensNew: 'öffnet sich in einem neuen Tab',
  open: 'Als geöffnet zählen',
  openHint: 'Lädt das Zählpixel der Nachricht, wie es ein Mailprogramm täte.',
  opened: 'Als geöffnet gezählt',
};
