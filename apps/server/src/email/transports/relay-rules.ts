import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import { parseAddress } from '../addresses/address.ts';

/**
 * The operator's rules for sending through a mail server. Without one there are no rules: the built-in mailbox keeps all
 * mail on this machine.
 */
export interface RelayRules {
  /** Allowed domains of sender addresses, as A-labels; subdomains are not included. */
  senderDomains: readonly string[];
  /** Maximum recipients in 24 hours of an organization without its own limit. */
  dailyRecipientLimit: number;
}

/** @returns undefined with the built-in mailbox */
export const relayRulesOf = (config: RelayRules & { smtpUrl: string | undefined }): RelayRules | undefined =>
  config.smtpUrl === undefined
    ? undefined
    : { senderDomains: config.senderDomains, dailyRecipientLimit: config.dailyRecipientLimit };

/** @returns why this address cannot be a sender; undefined if it can. The error does not name the allowed domains. */
export function findSenderProblem(address: string, relay: RelayRules | undefined): SendError | undefined {
  if (relay === undefined) return undefined;
  if (relay.senderDomains.length === 0) return sendError('sender_domains_missing');
  const parsed = parseAddress(address);
  const domain = 'error' in parsed ? '' : parsed.key.slice(parsed.key.lastIndexOf('@') + 1);
  if (relay.senderDomains.includes(domain)) return undefined;
  return sendError('sender_domain_denied', { domain });
}
