import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import { parseAddress } from '../addresses/address.ts';

/**
 * What the operator allows once a mail server delivers. Without one there are no such rules: the built-in mailbox keeps
 * all mail on this machine.
 */
export interface RelayRules {
  /** Domains of sender addresses as A-labels: exactly these, none below them. */
  senderDomains: readonly string[];
  /** Recipients in 24 hours of an organization without a limit of its own. */
  dailyRecipientLimit: number;
}

/** Undefined with the built-in mailbox. */
export const relayRulesOf = (config: RelayRules & { smtpUrl: string | undefined }): RelayRules | undefined =>
  config.smtpUrl === undefined
    ? undefined
    : { senderDomains: config.senderDomains, dailyRecipientLimit: config.dailyRecipientLimit };

/** Says why this address cannot be a sender here; undefined when it can. The domains of others are not named. */
export function findSenderProblem(address: string, relay: RelayRules | undefined): SendError | undefined {
  if (relay === undefined) return undefined;
  if (relay.senderDomains.length === 0) return sendError('sender_domains_missing');
  const parsed = parseAddress(address);
  const domain = 'error' in parsed ? '' : parsed.key.slice(parsed.key.lastIndexOf('@') + 1);
  if (relay.senderDomains.includes(domain)) return undefined;
  return sendError('sender_domain_denied', { domain });
}
