import { isIP } from 'node:net';
import type { DomainCheckKind, DomainSetting } from '@reachout/contract/states/domain.ts';
import { recordsFor, type DomainSetup, type RecordToSet } from '../../email/domains/records-for.ts';
import type { Config } from '../../platform/config.ts';
import { isLoopback } from '../../platform/loopback.ts';
import type { PublishedKey } from './dkim-key.queries.ts';

/** The settings of the installation that records of domains name. */
type DomainConfig = Pick<Config, 'publicUrl' | 'bounceDomain' | 'spfInclude' | 'dmarcReports'> &
  Partial<Pick<Config, 'inbound'>>;

/** Plain data, so that it can be sent to another process. */
export interface DomainInstallation extends DomainConfig {
  /** Domains whose records name something else, and nothing else does. */
  exception?: { domains: readonly string[]; settings: DomainConfig };
}

const settingsFor = (domain: string, { exception, ...settings }: DomainInstallation): DomainConfig =>
  exception?.domains.includes(domain) === true ? exception.settings : settings;

const neededSettings: Readonly<Record<DomainCheckKind, readonly DomainSetting[]>> = {
  dkim: [],
  spf: ['BOUNCE_DOMAIN', 'SPF_INCLUDE'],
  return_path: ['BOUNCE_DOMAIN'],
  dmarc: ['DMARC_REPORTS'],
  tracking: ['PUBLIC_URL'],
};

/** @returns what the operator must set before all of a domain can be checked */
export function missingSettings(domain: string, installation: DomainInstallation): DomainSetting[] {
  const { publicUrl, bounceDomain, spfInclude, dmarcReports } = settingsFor(domain, installation);
  const { hostname } = new URL(publicUrl);
  const isNamed = !isLoopback(hostname) && isIP(hostname.replaceAll(/^\[|\]$/g, '')) === 0;
  const missing: Record<DomainSetting, boolean> = {
    PUBLIC_URL: !isNamed,
    BOUNCE_DOMAIN: !bounceDomain.includes('.'),
    SPF_INCLUDE: spfInclude === undefined,
    DMARC_REPORTS: dmarcReports === undefined,
  };
  return (Object.keys(missing) as DomainSetting[]).filter((setting) => missing[setting]);
}

/** @returns what the operator must set before this check */
export const missingSettingsOf = (
  kind: DomainCheckKind,
  domain: string,
  installation: DomainInstallation,
): DomainSetting[] => {
  const missing = missingSettings(domain, installation);
  return neededSettings[kind].filter((setting) => missing.includes(setting));
};

/** Hosts that belong to the installation, and cannot be domains of organizations. */
export const ownNamesOf = ({ publicUrl, bounceDomain, spfInclude }: DomainInstallation): string[] => [
  new URL(publicUrl).hostname,
  bounceDomain,
  ...(spfInclude === undefined ? [] : [spfInclude]),
];

/**
 * @param keys  both of the organization
 * @returns the setup, with empty texts for missing settings: `missingSettingsOf` says which checks they exclude
 */
export function domainSetupOf(
  domain: string,
  keys: readonly PublishedKey[],
  installation: DomainInstallation,
): DomainSetup {
  const settings = settingsFor(domain, installation);
  const { publicUrl, bounceDomain, spfInclude = '', dmarcReports = '', inbound } = settings;
  const [signing, next] = keys.toSorted((one, other) => Number(other.is_signing) - Number(one.is_signing));
  const selectorOf = ({ selector, public_key }: PublishedKey) => ({ selector, publicKey: public_key });
  return {
    domain,
    selectors: [selectorOf(signing!), selectorOf(next!)],
    bounce: {
      host: `bounce.${domain}`,
      target: bounceDomain,
      mx: bounceDomain,
      isRead: inbound !== undefined,
    },
    senders: { addresses: [], include: spfInclude },
    reportAddress: dmarcReports,
    tracking: { host: `click.${domain}`, target: new URL(publicUrl).hostname },
  };
}

/** @returns the records that the settings of the installation suffice for */
export const knownRecords = (setup: DomainSetup, installation: DomainInstallation): RecordToSet[] =>
  recordsFor(setup).filter(
    ({ purpose }) => missingSettingsOf(purpose, setup.domain, installation).length === 0,
  );
