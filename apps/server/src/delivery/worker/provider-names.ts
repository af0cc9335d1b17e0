import type { RecipientGroup } from '@reachout/contract/statuses.ts';

/** Names shown to users. */
export const providerNames: Record<RecipientGroup, string> = {
  google: 'Google',
  outlook: 'Outlook.com',
  microsoft_365: 'Microsoft 365',
  yahoo: 'Yahoo',
  gmx: 'GMX, web.de',
  t_online: 'T-Online',
  icloud: 'iCloud',
  other: 'The mail server',
};
