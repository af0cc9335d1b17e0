import type { BrandColor } from '@reachout/contract/rules/brand-colors.ts';
import { topics } from './topics.ts';

export const brandKit = {
  identity: 'Name, color and logo',
  identityHint: 'Shown wherever you work for this brand, and to recipients.',
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
  senderHint: 'New emails start with these values. Existing emails keep theirs.',
  fromNameHint: 'If empty, the brand name is used.',
  legal: 'Postal address and imprint',
  legalHint:
    'Many laws ask for them in marketing emails (such as CAN-SPAM and § 5 DDG). Templates include them with merge tags; the unsubscribe page shows them as well.',
  postalAddressHint: 'Company, street, postal code and city. In emails, the lines are joined into one.',
  imprint: 'Imprint',
  imprintHint: 'For example managing directors, commercial register and VAT number.',
  imprintUrl: 'Imprint link',
  tracking: 'Measuring opens and clicks',
  trackingHint: 'The unsubscribe link and the link to the preference page stay in all messages.',
  quietHours: 'Quiet hours',
  quietHoursHint:
    'Emails to an audience wait until they end; nobody is left out. For a scheduled email they are in its time zone, or in that of each contact.',
  quietHoursEnd: 'Until',
  sameTimes: 'Choose another time than the start.',
  timeZoneHint: 'For emails that are sent without a schedule.',
  noZone: 'No such time zone',
  light: 'Light',
  dark: 'Dark',
  send: 'Send',
  previewSubject: 'Good to see you again',
  previewAddress: 'No postal address yet',
} as const;

/** Only needed by pages of a brand. */
export const brandPages = { brandKit, topics };
