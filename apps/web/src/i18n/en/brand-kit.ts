import type { BrandColor } from '@reachout/contract/rules/brand-colors.ts';

export const brandKit = {
  identity: 'Name, color and logo',
  identityHint: 'Shown wherever you work for this brand, and to recipients.',
  color: 'Color',
  colorHint: 'Marks everything that belongs to this brand, so that nobody sends in the wrong name.',
  colors: {
    red: 'Red',
    orange: 'Orange',
    amber: 'Amber',
    olive: 'Olive',
    green: 'Green',
    teal: 'Teal',
    cyan: 'Cyan',
    blue: 'Blue',
    indigo: 'Indigo',
    violet: 'Violet',
    magenta: 'Magenta',
    slate: 'Slate',
  } satisfies Record<BrandColor, string>,
  logo: 'Logo for light backgrounds',
  darkLogo: 'Logo for dark backgrounds',
  sender: 'Sender',
  senderHint: 'New emails start with these values. Existing emails keep theirs.',
  fromName: 'Sender name',
  fromNameHint: 'If empty, the brand name is used.',
  fromEmail: 'Sender address',
  replyTo: 'Reply-to address',
  at: 'A sender name can’t contain @.',
  legal: 'Postal address and imprint',
  legalHint:
    'Many laws ask for them in marketing emails (such as CAN-SPAM and § 5 DDG). Templates include them with merge tags; the unsubscribe page shows them as well.',
  postalAddress: 'Postal address',
  postalAddressHint: 'Company, street, postal code and city. In emails, the lines are joined into one.',
  imprint: 'Imprint',
  imprintHint: 'For example managing directors, commercial register and VAT number.',
  imprintUrl: 'Imprint link',
  webAddress: 'Enter a web address such as https://example.com.',
  preview: 'Preview',
  light: 'Light',
  dark: 'Dark',
  send: 'Send',
  previewSubject: 'Good to see you again',
  previewAddress: 'No postal address yet',
} as const;

/** Only needed by the brand kit page. */
export const brandPages = { brandKit };
