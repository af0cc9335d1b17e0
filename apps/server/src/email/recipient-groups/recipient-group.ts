import type { RecipientGroup } from '@reachout/contract/statuses.ts';

/** Suffixes of the hosts in MX records; the first match decides. */
const mxSuffixes: readonly [suffix: string, group: RecipientGroup][] = [
  ['google.com', 'google'],
  ['googlemail.com', 'google'],
  ['olc.protection.outlook.com', 'outlook'],
  ['protection.outlook.com', 'microsoft_365'],
  ['mx.microsoft', 'microsoft_365'],
  ['yahoodns.net', 'yahoo'],
  ['gmx.net', 'gmx'],
  ['web.de', 'gmx'],
  ['t-online.de', 't_online'],
  ['mail.icloud.com', 'icloud'],
];

export interface MxRecord {
  exchange: string;
  priority: number;
}

/** @returns the group of a domain with these MX records: that of the host that is tried first (RFC 5321, section 5.1) */
export function groupOfMx(records: readonly MxRecord[]): RecipientGroup {
  const [first] = records.toSorted((one, other) => one.priority - other.priority);
  if (first === undefined) return 'other';
  const host = first.exchange.toLowerCase().replace(/\.$/, '');
  const found = mxSuffixes.find(([suffix]) => host === suffix || host.endsWith(`.${suffix}`));
  return found?.[1] ?? 'other';
}

/** Domains that need no look-up. */
export const wellKnownDomains: ReadonlyMap<string, RecipientGroup> = new Map(
  Object.entries({
    google: 'gmail.com googlemail.com',
    outlook:
      'outlook.com outlook.de outlook.fr outlook.es outlook.it hotmail.com hotmail.de hotmail.fr hotmail.it hotmail.es hotmail.co.uk live.com live.de live.fr live.nl live.co.uk msn.com',
    yahoo:
      'yahoo.com yahoo.de yahoo.fr yahoo.it yahoo.es yahoo.co.uk ymail.com rocketmail.com aol.com aol.de',
    gmx: 'gmx.de gmx.net gmx.at gmx.ch gmx.com web.de',
    t_online: 't-online.de magenta.de',
    icloud: 'icloud.com me.com mac.com',
  } satisfies Partial<Record<RecipientGroup, string>>).flatMap(([group, domains]) =>
    domains.split(' ').map((domain) => [domain, group as RecipientGroup] as const),
  ),
);

/** Whether a domain is reserved and never in the DNS (RFC 2606, RFC 6761). */
export const isReservedDomain = (domain: string): boolean =>
  /(?:^|\.)(?:example|test|invalid|localhost|local)$|(?:^|\.)example\.(?:com|net|org)$/.test(domain);
