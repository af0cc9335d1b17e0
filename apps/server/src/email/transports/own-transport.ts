import type { TransportSettings } from '@reachout/contract/rules/transports.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';

/** A mail server, or an account at a provider, by which an organization sends. */
export interface OwnTransport {
  id: string;
  organizationId: string;
  settings: TransportSettings;
  /** Password, API key or secret access key; null without one. */
  secret: string | null;
  /** Signs what Elastic Email reports (`whsec_…`); null if it does not sign. */
  webhookSecret: string | null;
}

export type OwnTransportOf<K extends TransportSettings['kind']> = OwnTransport & {
  settings: Extract<TransportSettings, { kind: K }>;
};

export interface OpenOptions {
  /** With `handoverLimits`; its `maxConcurrent` should not be below `connections`. */
  outbound: OutboundClient;
  /** Maximum SMTP connections, or open requests. */
  connections: number;
  /** Default: those of the providers. */
  endpoints?: ProviderEndpoints | undefined;
}

/** Where stand-ins of the providers listen, in tests. */
export interface ProviderEndpoints {
  /** With the version, without a slash at the end. */
  elasticEmail?: string;
  ses?: string;
  /** Origin from which SNS serves certificates and subscriptions. */
  sns?: string;
  /** Certificate of the authority that mail servers are trusted by. */
  smtpCa?: string;
}

/** What an account may send; null: the provider does not say. */
export interface ProviderLimits {
  perSecond: number | null;
  perDay: number | null;
  sentToday: number | null;
  openRequests: number | null;
}

/** The provider or the server refuses what was asked of it. */
export class TransportCheckError extends Error {
  override name = 'TransportCheckError';
  /** Of the provider or the connection, without secrets; at most 300 ASCII characters. */
  readonly words: string;
  /** It would refuse any request for now: it is about the account or the provider. */
  readonly isOfAccount: boolean;
  constructor(
    words: string,
    { isOfAccount = true, ...options }: ErrorOptions & { isOfAccount?: boolean } = {},
  ) {
    super(words, options);
    this.words = words;
    this.isOfAccount = isOfAccount;
  }
}
