import type { BounceClass } from '@reachout/contract/statuses.ts';
import type { OpenOptions } from '../transports/own-transport.ts';

/** A request to the address that an organization has given its provider, as it was received. */
export interface StoredRequest {
  method: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Without the question mark. */
  query: string;
  /** At most 64 kB. */
  body: string;
  receivedAt: Date;
}

/** What a provider reports. `token` is the return-path token of the message, whose MAC has yet to be verified. */
export type ProviderEvent =
  /** The provider has the message, or has delivered it. */
  | { token: string; kind: 'accepted'; reference: string }
  | {
      token: string;
      kind: 'failure';
      class: BounceClass;
      code: number;
      enhanced: string | null;
      /** ASCII, at most 500 characters. */
      text: string;
    }
  | { token: string; kind: 'complaint' }
  | { token: string; kind: 'unsubscribe' }
  /** Changes nothing: what we count ourselves, other mail of the account, or a delay. */
  | { kind: 'note' };

/** `rejected`: why the request is not believed. */
export type ProviderEvents = { events: ProviderEvent[] } | { rejected: string };

export type ProviderEventDeps = Pick<OpenOptions, 'outbound' | 'endpoints'>;

export const note: ProviderEvents = { events: [{ kind: 'note' }] };

/** @returns the text if it has the form of a return-path token: other mail of the account has none */
export const readToken = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[\da-z]{1,11}-[\da-z]{1,6}-[\da-z]{26}$/.test(text) ? text : undefined;
