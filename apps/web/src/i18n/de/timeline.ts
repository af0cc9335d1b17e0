import type { timeline as en } from '#web/i18n/en/timeline.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const timeline: Translation<typeof en> = {
  title: 'Nachrichten',
  what: 'Nachrichten',
  empty: 'Noch keine Nachrichten',
  emptyHint: 'Hier erscheinen E-Mails an diesen Kontakt, mit Öffnungen, Klicks und Abmeldungen.',
  place: '{{client}} › {{brand}} › {{campaign}}',
  opened: 'Geöffnet',
  clicked: '{{url}} angeklickt',
  clickedUnknown: 'Link angeklickt',
  unsubscribed: 'Über den Link abgemeldet',
  bounced: 'Unzustellbar',
  times_one: '{{count, number}}-mal',
  times_other: '{{count, number}}-mal',
  bots_one: '{{count, number}} durch Bots, nicht gezählt',
  bots_other: '{{count, number}} durch Bots, nicht gezählt',
  openedByBots: 'Nur von Bots geöffnet',
  clickedByBots: 'Nur von Bots angeklickt: {{url}}',
  moreLinks_one: '{{count, number}} weiterer Link wurde angeklickt.',
  moreLinks_other: '{{count, number}} weitere Links wurden angeklickt.',
  reply: 'Serverantwort: {{reply}}',
  more: 'Ältere Nachrichten anzeigen',
  cut: 'Nur Nachrichten aus den letzten {{count, number}} Sendevorgängen sind aufgeführt.',
};
