/** When a verified domain fails later, it is `failing`; after 30 days of that, another organization can verify its name. */
export const domainStatuses = ['pending', 'verified', 'failing'] as const;
export type DomainStatus = (typeof domainStatuses)[number];

export const domainCan = {
  send: ({ status }: { status: DomainStatus }) => status === 'verified',
};

/** What is checked of a domain; all but `tracking` are needed for `verified`. */
export const domainCheckKinds = ['dkim', 'spf', 'return_path', 'dmarc', 'tracking'] as const;
export type DomainCheckKind = (typeof domainCheckKinds)[number];

/** What the latest check said that had an answer of the DNS. */
export const domainCheckStates = ['pass', 'warn', 'fail'] as const;
export type DomainCheckState = (typeof domainCheckStates)[number];

/** Why a name cannot be a sending domain; `email/domains/domain-name.ts` on the server explains each. */
export const domainNameProblems = [
  'malformed',
  'ip_address',
  'single_label',
  'public_suffix',
  'free_mail',
  'own_name',
] as const;

/** Settings of the operator that checks need. */
export const domainSettings = ['PUBLIC_URL', 'BOUNCE_DOMAIN', 'SPF_INCLUDE', 'DMARC_REPORTS'] as const;
export type DomainSetting = (typeof domainSettings)[number];
