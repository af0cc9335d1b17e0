import type { DnsRecord, DnsRecordType } from '@reachout/contract/rules/domain-advice.ts';
import type { DomainStatus } from '@reachout/contract/states/domain.ts';
import {
  dkimRecords,
  dmarcRecord,
  recordsFor,
  spfRecord,
  type DomainSetup,
} from '../../email/domains/records-for.ts';
import { toName, type DnsAnswer, type Lookups } from '../../email/domains/resolver.ts';
import type { AnswerDomain, Answers } from '../../email/domains/run-check.ts';
import type { CheckDeps } from '../../outreach/domains/check-domain.ts';
import type { DomainInstallation } from '../../outreach/domains/domain-setup-of.ts';
import type { Config } from '../../platform/config.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { isAtHome } from '../../platform/terminal-key.ts';
import { hasDemoByDefault } from './demo-key.ts';
import { dayMs, monthMs } from './plan-emails.ts';
import { plots, type BrandKey } from './story/story.ts';

/** What runs the checks of the domains, without waiting for the DNS: a transaction is open. */
export type DemoDomainDeps = CheckDeps & { secrets: Secrets };

/**
 * Whether the domains of the demo have records: they are nowhere in the DNS. Not with a mail server, which would send for
 * domains that only exist here.
 */
export const hasDemoDomains = (
  config: Pick<Config, 'databaseUrl' | 'smtpUrl' | 'host' | 'publicUrl'>,
  isDemoAskedFor: boolean,
): boolean => hasDemoByDefault(config) || (isDemoAskedFor && isAtHome(config));

/** A server at home has no names that records could point to: those of the demo point to names of nobody, and only they do. */
export const withDemoDomains = (installation: DomainInstallation): DomainInstallation => ({
  ...installation,
  exception: {
    domains: demoDomains.map(({ brand }) => plots[brand].domain),
    settings: {
      publicUrl: 'https://reachout.example',
      bounceDomain: 'bounce.reachout.example',
      spfInclude: '_spf.reachout.example',
      dmarcReports: 'dmarc@reachout.example',
    },
  },
});

interface DemoDomain {
  status: DomainStatus;
  /** Its sender addresses are of this domain. */
  brand: BrandKey;
  /** Whether all brands of the client may use it. */
  isOfClient: boolean;
  ageMs: number;
  lost?: { kind: 'dkim'; agoMs: number; fails: number };
  /** What it has in the DNS. @param wanted  records for this setup that pass every check */
  records: (wanted: readonly DnsRecord[], setup: DomainSetup) => DnsRecord[];
}

/** One in each state. */
export const demoDomains: readonly DemoDomain[] = [
  {
    brand: 'nordwind',
    isOfClient: true,
    status: 'verified',
    ageMs: 14 * monthMs,
    records: (wanted) => [...wanted],
  },
  // Its owner still collects reports, and links lead to the host of the installation.
  {
    brand: 'morrow',
    isOfClient: false,
    status: 'verified',
    ageMs: 9 * monthMs,
    records: (wanted, setup) => [
      ...without(wanted, dmarcRecord(setup).name, setup.tracking.host),
      dmarcRecord(setup),
    ],
  },
  // A new DNS provider took over all records but the keys: the paused email is of this brand.
  {
    brand: 'business',
    isOfClient: false,
    status: 'failing',
    ageMs: 12 * monthMs,
    lost: { kind: 'dkim', agoMs: 1.2 * dayMs, fails: 29 },
    records: (wanted, setup) => without(wanted, ...dkimRecords(setup).map(({ name }) => name)),
  },
  // Somebody enters the records for the first time.
  {
    brand: 'academy',
    isOfClient: false,
    status: 'pending',
    ageMs: 2 * dayMs,
    records: (wanted, setup) => {
      const { domain, bounce, tracking } = setup;
      const [signing] = dkimRecords(setup);
      const spf = spfRecord(domain, setup);
      return [
        ...without(wanted, signing!.name, bounce.host, tracking.host, dmarcRecord(setup).name),
        { ...signing!, value: `v=DKIM1; k=rsa; p=${setup.selectors[1].publicKey}` },
        { ...spf, value: 'v=spf1 include:_spf.mail-hoster.example -all' },
        { type: 'CNAME', name: `${bounce.host}.${domain}`, value: bounce.target! },
        { type: 'CNAME', name: tracking.host, value: `www.${domain}` },
        { type: 'TXT', name: '_spf.mail-hoster.example', value: 'v=spf1 ip4:198.51.100.0/24 -all' },
      ];
    },
  },
];

const without = (records: readonly DnsRecord[], ...names: string[]): DnsRecord[] =>
  records.filter(({ name }) => !names.includes(name));

/** The records of the domains of the demo, and those of the installation. */
export const answerDemoDomain: AnswerDomain = (setup) => {
  const { domain, bounce, senders, reportAddress } = setup;
  const found = demoDomains.find(({ brand }) => plots[brand].domain === domain);
  if (found === undefined) return undefined;
  const wanted = recordsFor(setup).map(({ type, name, value }) => ({ type, name, value }));
  const strict = { ...dmarcRecord(setup), value: `v=DMARC1; p=quarantine; rua=mailto:${reportAddress}` };
  const platform: DnsRecord[] = [
    { type: 'A', name: bounce.mx, value: '192.0.2.25' },
    { type: 'MX', name: bounce.mx, value: `10 ${bounce.mx}` },
    spfRecord(bounce.mx, setup),
    { type: 'TXT', name: senders.include!, value: 'v=spf1 ip4:192.0.2.0/24 -all' },
    { type: 'TXT', name: `${domain}._report._dmarc.${reportAddress.split('@')[1]}`, value: 'v=DMARC1' },
  ];
  return answersFrom([...found.records([...without(wanted, strict.name), strict], setup), ...platform]);
};

/** CNAME records that are followed. */
const maxAliases = 5;

/**
 * Answers checks from a list of records, as a resolver that knows no others. The hosts of links answer a visit as ours do.
 * @param records  of type TXT, CNAME, MX and A
 */
const answersFrom = (records: readonly DnsRecord[]): Answers => ({
  lookups: lookupsIn(records),
  probe: () => Promise.resolve({ outcome: 'ok', certificateEndsAt: undefined }),
});

function lookupsIn(records: readonly DnsRecord[]): Lookups {
  const valuesAt = (name: string, type: DnsRecordType) =>
    records.filter((record) => record.name === name && record.type === type).map(({ value }) => value);
  const endOfAliases = (name: string, followed = 0): string => {
    const [target] = valuesAt(name, 'CNAME');
    return target === undefined || followed === maxAliases ? name : endOfAliases(target, followed + 1);
  };
  const find =
    <T>(type: DnsRecordType, read: (value: string) => T) =>
    (asked: string): Promise<DnsAnswer<T>> => {
      const name = type === 'CNAME' ? toName(asked) : endOfAliases(toName(asked));
      const values = valuesAt(name, type).map(read);
      if (values.length > 0) return Promise.resolve({ outcome: 'found', values });
      const isKnown = records.some((record) => record.name === name || record.name.endsWith(`.${name}`));
      return Promise.resolve({ outcome: 'absent', reason: isKnown ? 'no_data' : 'no_name' });
    };
  const absent = () => Promise.resolve({ outcome: 'absent', reason: 'no_data' } as const);
  return {
    txt: find('TXT', (value) => value),
    cname: find('CNAME', toName),
    mx: find('MX', (value) => {
      const [priority, exchange = ''] = value.split(' ');
      return { priority: Number(priority), exchange: toName(exchange) };
    }),
    addresses: find('A', (value) => value),
    caa: absent,
  };
}
