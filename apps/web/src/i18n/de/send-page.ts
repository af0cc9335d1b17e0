import type { sendPage as en } from '#web/i18n/en/send-page.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const sendPage: Translation<typeof en> = {
  list: {
    title: 'Versand',
    whatOne: 'Versand',
    empty: {
      title: 'Noch nicht gesendet',
      body: 'Sobald diese E-Mail gesendet ist, finden Sie hier ihren Versand mit den Ergebnissen.',
    },
    progress: 'Fortschritt',
  },
  sendOf: 'Versand vom {{when}}',
  kind: { triggered: 'Einzelne Nachrichten', follow_up: 'Folgeversand', test: 'Test' },
  followUp_one: 'Erneut an {{count}} fehlgeschlagenen Empfänger senden',
  followUp_other: 'Erneut an {{count}} fehlgeschlagene Empfänger senden',
  why: 'Gründe ansehen',
  pauseNote: 'Bereits gesendete E-Mails können nicht zurückgerufen werden.',
  announce: '{{percent}} gesendet',
  search: 'Nach Adresse oder Kontakt-ID suchen',
  contact: 'Kontakt {{id}}',
  erased: 'Auf Wunsch gelöscht',
  details: 'Details',
  by: 'über {{transport}}',
  allButSent: 'Alle außer gesendeten',
  reaction: {
    label: 'Reaktion',
    any: 'Alle Reaktionen',
    opened: 'Geöffnet',
    clicked: 'Geklickt',
    converted: 'Konvertiert',
    unsubscribed: 'Abgemeldet',
    complained: 'Als Spam gemeldet',
    link: 'Link {{number}} geklickt',
  },
  empty: 'Die Empfänger erscheinen hier, sobald sie vorbereitet sind.',
  uncertain_one: '{{count}} Zustellung ist unklar',
  uncertain_other: '{{count}} Zustellungen sind unklar',
  uncertainBody:
    'Die Verbindung brach ab, bevor der Mailserver geantwortet hat. Beim erneuten Senden erhalten einige Empfänger die E-Mail möglicherweise doppelt. Werten Sie die Zustellungen als gesendet, erhalten einige sie möglicherweise nicht.',
  retryUncertain: 'Erneut senden',
  treatAsSent: 'Als gesendet werten',
  cancelTitle: 'Diesen Versand abbrechen?',
  cancelBody:
    '{{sent}} E-Mails sind bereits gesendet und können nicht zurückgerufen werden. Die übrigen {{left}} werden nicht gesendet.',
  keep: 'Weiter senden',
  statistics: 'Statistik ansehen',
  suppressedBySend_one: '{{count, number}} Adresse durch diesen Versand gesperrt',
  suppressedBySend_other: '{{count, number}} Adressen durch diesen Versand gesperrt',
  mailbox: 'Testpostfach öffnen',
  celebration: {
    all_one: 'Geschafft. {{number}} Person hat Ihre E-Mail.',
    all_other: 'Geschafft. Alle {{number}} haben Ihre E-Mail.',
    most: 'Geschafft. {{sent}} von {{total}} haben Ihre E-Mail.',
  },
};
