import type { DomainDetails } from '@reachout/contract/domains.ts';
import type { Config } from '../platform/config.ts';
import type { Zone } from './dns-server.ts';

/** Settings of an installation that can check everything about domains. */
export const domainConfig = {
  publicUrl: 'https://app.reachout.example',
  bounceDomain: 'bounce.reachout.example',
  spfInclude: '_spf.reachout.example',
  dmarcReports: 'dmarc@reachout.example',
} as const satisfies Partial<Config>;

export type OpenZone = Record<string, Zone[string]>;

/** @returns the names of the installation; tests add those of domains */
export const installationZone = (): OpenZone => ({
  'app.reachout.example': { A: ['192.0.2.80'] },
  'bounce.reachout.example': {
    MX: ['10 bounce.reachout.example'],
    TXT: ['v=spf1 include:_spf.reachout.example -all'],
  },
  '_spf.reachout.example': { TXT: ['v=spf1 ip4:192.0.2.10 -all'] },
});

/** Enters the records that a domain needs, but not that of its links, whose host would be visited. */
export function publish(
  zone: OpenZone,
  { domain, records }: Pick<DomainDetails, 'domain' | 'records'>,
): void {
  for (const { purpose, type, name, value } of records) {
    if (purpose === 'tracking') continue;
    zone[name] = type === 'CNAME' ? { CNAME: value } : { [type]: [value] };
  }
  // Whoever receives reports about other domains agrees to it.
  zone[`${domain}._report._dmarc.reachout.example`] = { TXT: ['v=DMARC1'] };
}

/** Removes all records of a domain. */
export function withdraw(zone: OpenZone, domain: string): void {
  for (const name of Object.keys(zone)) if (name === domain || name.endsWith(`.${domain}`)) delete zone[name];
}
