import type { DnsRecord } from '@reachout/contract/rules/domain-advice.ts';
import { zoneOf } from './domain-name.ts';

/** What the checks and the records of one sending domain depend on. All names are A-labels in lower case. */
export interface DomainSetup {
  /** The domain of sender addresses, as `readSendingDomain` returned it; messages are signed for it. */
  domain: string;
  /** The first one signs; the other is the next one. */
  selectors: readonly [signing: DkimSelector, next: DkimSelector];
  bounce: BounceSetup;
  senders: SpfSenders;
  /** Where aggregate reports of DMARC go. */
  reportAddress: string;
  tracking: TrackingSetup;
}

export interface DkimSelector {
  /** Such as `r1`. */
  selector: string;
  /** SubjectPublicKeyInfo in base64, the value of `p=`. */
  publicKey: string;
  /** Where we publish the key, if the customer only adds a CNAME. */
  target?: string;
}

interface BounceSetup {
  /** Host of the envelope sender, such as `bounce.example.com`. */
  host: string;
  /** Our host for bounces, if the customer only adds a CNAME; otherwise MX and SPF records are needed. */
  target?: string;
  /** Our server for returned mail. */
  mx: string;
  /** Whether what comes back is read. */
  isRead?: boolean;
}

/** What an SPF record must allow. */
export interface SpfSenders {
  /** IP addresses of the servers that send. */
  addresses: readonly string[];
  /** Our name whose SPF record lists them. */
  include?: string;
}

interface TrackingSetup {
  /** Host of links in messages, such as `click.example.com`. */
  host: string;
  target: string;
}

export const dkimName = (selector: string, domain: string): string => `${selector}._domainkey.${domain}`;

/** The terms that an SPF record needs for our servers; the `include` alone if there is one, because its list may change. */
export const spfTermsOf = ({ addresses, include }: SpfSenders): string[] =>
  include === undefined
    ? addresses.map((address) => `${address.includes(':') ? 'ip6' : 'ip4'}:${address}`)
    : [`include:${include}`];

export interface RecordToSet extends DnsRecord {
  purpose: 'dkim' | 'return_path' | 'spf' | 'dmarc' | 'tracking';
  /** The name within the zone, as DNS providers ask for it; `@` for the zone itself. */
  host: string;
  /** For TXT values longer than 255 characters: the strings that they consist of, each in quotation marks. */
  splitValue?: string;
}

/** @returns the records that the customer adds; each check says apart which of them are missing */
export function recordsFor(setup: DomainSetup): RecordToSet[] {
  const zone = zoneOf(setup.domain);
  const toSet = (purpose: RecordToSet['purpose'], records: readonly DnsRecord[]): RecordToSet[] =>
    records.map((record) => ({
      ...record,
      purpose,
      host: hostIn(zone, record.name),
      ...(record.type === 'TXT' &&
        record.value.length > maxStringLength && { splitValue: splitText(record.value) }),
    }));
  return [
    ...toSet('dkim', dkimRecords(setup)),
    ...toSet('return_path', returnPathRecords(setup)),
    ...toSet('spf', [spfRecord(setup.domain, setup)]),
    ...toSet('dmarc', [dmarcRecord(setup)]),
    ...toSet('tracking', [trackingRecord(setup)]),
  ];
}

/** Of one character string in a TXT record: RFC 1035 section 3.3. */
const maxStringLength = 255;

export const dkimRecords = ({ domain, selectors }: Pick<DomainSetup, 'domain' | 'selectors'>): DnsRecord[] =>
  selectors.map(({ selector, publicKey, target }) => {
    const name = dkimName(selector, domain);
    return target === undefined
      ? { type: 'TXT', name, value: `v=DKIM1; k=rsa; p=${publicKey}` }
      : { type: 'CNAME', name, value: target };
  });

export function returnPathRecords({ bounce, senders }: Pick<DomainSetup, 'bounce' | 'senders'>): DnsRecord[] {
  if (bounce.target !== undefined) return [{ type: 'CNAME', name: bounce.host, value: bounce.target }];
  return [{ type: 'MX', name: bounce.host, value: `10 ${bounce.mx}` }, spfRecord(bounce.host, { senders })];
}

/** For a name without an SPF record. */
export const spfRecord = (name: string, { senders }: Pick<DomainSetup, 'senders'>): DnsRecord => ({
  type: 'TXT',
  name,
  value: ['v=spf1', ...spfTermsOf(senders), '~all'].join(' '),
});

export const dmarcRecord = ({
  domain,
  reportAddress,
}: Pick<DomainSetup, 'domain' | 'reportAddress'>): DnsRecord => ({
  type: 'TXT',
  name: `_dmarc.${domain}`,
  value: `v=DMARC1; p=none; rua=mailto:${reportAddress}`,
});

export const trackingRecord = ({ tracking }: Pick<DomainSetup, 'tracking'>): DnsRecord => ({
  type: 'CNAME',
  name: tracking.host,
  value: tracking.target,
});

/** @returns what is entered as the name in a zone: `r1._domainkey`, or `@` for the zone itself */
export function hostIn(zone: string, name: string): string {
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

const splitText = (text: string): string =>
  (text.match(new RegExp(`.{1,${maxStringLength}}`, 'gs')) ?? []).map((part) => `"${part}"`).join(' ');
