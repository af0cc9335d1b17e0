import type { BrandColor } from '@reachout/contract/rules/brand-colors.ts';
import { topics } from './topics.ts';

export const brandKit = {
  identity: 'Name, Farbe und Logo',
  identityHint: 'Überall zu sehen, wo Sie für diese Marke arbeiten, und für die Empfänger.',
  colorHint: 'Kennzeichnet alles, was zu dieser Marke gehört, damit niemand im falschen Namen sendet.',
  colors: {
    red: 'Rot',
    orange: 'Orange',
    amber: 'Bernstein',
    olive: 'Oliv',
    green: 'Grün',
    teal: 'Petrol',
    cyan: 'Cyan',
    blue: 'Blau',
    indigo: 'Indigo',
    violet: 'Violett',
    magenta: 'Magenta',
    slate: 'Schiefer',
  } satisfies Record<BrandColor, string>,
  logo: 'Logo für helle Hintergründe',
  darkLogo: 'Logo für dunkle Hintergründe',
  senderHint: 'Neue E-Mails beginnen mit diesen Angaben. Bestehende E-Mails behalten ihre.',
  fromNameHint: 'Ohne Angabe wird der Markenname verwendet.',
  legal: 'Postanschrift und Impressum',
  legalHint:
    'Viele Gesetze verlangen sie in Werbe-E-Mails (etwa § 5 DDG und CAN-SPAM). Vorlagen geben sie mit Platzhaltern aus; auch die Abmeldeseite zeigt sie.',
  postalAddressHint: 'Firma, Straße, Postleitzahl und Ort. In E-Mails werden die Zeilen zu einer verbunden.',
  imprint: 'Impressum',
  imprintHint: 'Zum Beispiel Geschäftsführung, Handelsregister und Umsatzsteuer-ID.',
  imprintUrl: 'Link zum Impressum',
  tracking: 'Messen von Öffnungen und Klicks',
  trackingHint: 'Der Abmeldelink und der Link zur Einstellungsseite bleiben in allen Nachrichten.',
  quietHours: 'Ruhezeit',
  quietHoursHint:
    'E-Mails an eine Zielgruppe warten, bis sie endet; niemand wird ausgelassen. Bei geplanten E-Mails gilt sie in deren Zeitzone oder in der jedes Kontakts.',
  quietHoursEnd: 'Bis',
  sameTimes: 'Wählen Sie eine andere Zeit als den Beginn.',
  timeZoneHint: 'Für E-Mails, die ohne Zeitplan gesendet werden.',
  noZone: 'Keine solche Zeitzone',
  light: 'Hell',
  dark: 'Dunkel',
  send: 'Senden',
  previewSubject: 'Schön, dass Sie wieder da sind',
  previewAddress: 'Noch keine Postanschrift',
} as const;

/** Only needed by pages of a brand. */
export const brandPages = { brandKit, topics };
