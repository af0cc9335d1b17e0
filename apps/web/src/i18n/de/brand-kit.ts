import type { BrandColor } from '@reachout/contract/rules/brand-colors.ts';

export const brandKit = {
  identity: 'Name, Farbe und Logo',
  identityHint: 'Überall zu sehen, wo Sie für diese Marke arbeiten, und für die Empfänger.',
  color: 'Farbe',
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
  sender: 'Absender',
  senderHint: 'Neue E-Mails beginnen mit diesen Angaben. Bestehende E-Mails behalten ihre.',
  fromName: 'Absendername',
  fromNameHint: 'Ohne Angabe wird der Markenname verwendet.',
  fromEmail: 'Absenderadresse',
  replyTo: 'Antwortadresse',
  at: 'Ein Absendername darf kein @ enthalten.',
  legal: 'Postanschrift und Impressum',
  legalHint:
    'Viele Gesetze verlangen sie in Werbe-E-Mails (etwa § 5 DDG und CAN-SPAM). Vorlagen geben sie mit Platzhaltern aus; auch die Abmeldeseite zeigt sie.',
  postalAddress: 'Postanschrift',
  postalAddressHint: 'Firma, Straße, Postleitzahl und Ort. In E-Mails werden die Zeilen zu einer verbunden.',
  imprint: 'Impressum',
  imprintHint: 'Zum Beispiel Geschäftsführung, Handelsregister und Umsatzsteuer-ID.',
  imprintUrl: 'Link zum Impressum',
  webAddress: 'Geben Sie eine Webadresse wie https://example.com ein.',
  preview: 'Vorschau',
  light: 'Hell',
  dark: 'Dunkel',
  send: 'Senden',
  previewSubject: 'Schön, dass Sie wieder da sind',
  previewAddress: 'Noch keine Postanschrift',
} as const;

/** Only needed by the brand kit page. */
export const brandPages = { brandKit };
