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

export interface BounceSetup {
  /** Host of the envelope sender, such as `bounce.example.com`. */
  host: string;
  /** Our host for bounces, if the customer only adds a CNAME; otherwise MX and SPF records are needed. */
  target?: string;
  /** Our server for returned mail. */
  mx: string;
}

/** What an SPF record must allow. */
export interface SpfSenders {
  /** IP addresses of the servers that send. */
  addresses: readonly string[];
  /** Our name whose SPF record lists them. */
  include?: string;
}

export interface TrackingSetup {
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
