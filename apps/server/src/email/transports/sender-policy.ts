import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { parseAddress } from '../addresses/address.ts';
import type { PrepareMessage } from './transport.ts';

/** What an organization may send, and by which way it leaves. Plain data, so that it can be sent to another process. */
export interface SenderPolicy {
  /**
   * Name of the transport that messages leave by. `mailbox`, the built-in one, keeps all mail on this machine: neither senders
   * nor recipients are limited.
   */
  transport: string;
  /** Allowed domains of sender addresses, as A-labels; subdomains are not included. */
  senderDomains: readonly string[];
  /** Maximum recipients in 24 hours of an organization without its own limit. */
  dailyRecipientLimit: number;
  /** Host in the envelope sender of messages, which receives bounces. */
  bounceDomain: string;
  /** Address of links and pictures in messages, without a slash at the end. */
  publicUrl: string;
}

/** Finds the policy of an organization, each time that a send is reviewed, confirmed, prepared or loaded. */
export interface SenderPolicies {
  of: (trx: Transaction, organizationId: string) => Promise<SenderPolicy>;
  /**
   * Asked when a send is loaded.
   * @param from  the sender address
   * @returns what is done to each of its messages before they leave; undefined for nothing
   * @throws PreparationError if nothing of it may leave now: the send pauses
   */
  preparationOf?: (
    trx: Transaction,
    organizationId: string,
    from: string,
  ) => Promise<PrepareMessage | undefined>;
}

/** The policy of the installation, which holds for every organization. */
export const policyForAll = (policy: SenderPolicy): SenderPolicies => ({ of: () => Promise.resolve(policy) });

/** Host in the envelope sender of messages to the built-in mailbox, which never leave this machine (RFC 6761). */
const mailboxDomain = 'mailbox.localhost';

/** @param config  the settings of the operator; without a mail server, the built-in mailbox takes all mail */
export const policyOfInstallation = ({
  smtpUrl,
  senderDomains,
  dailyRecipientLimit,
  bounceDomain,
  publicUrl,
}: Omit<SenderPolicy, 'transport'> & { smtpUrl: string | undefined }): SenderPolicy => ({
  transport: smtpUrl === undefined ? 'mailbox' : 'smtp',
  senderDomains,
  dailyRecipientLimit,
  bounceDomain: smtpUrl === undefined ? mailboxDomain : bounceDomain,
  publicUrl,
});

/** @returns why this address cannot be a sender; undefined if it can. The error does not name the allowed domains. */
export function findSenderProblem(
  address: string,
  { transport, senderDomains }: SenderPolicy,
): SendError | undefined {
  if (transport === 'mailbox') return undefined;
  if (senderDomains.length === 0) return sendError('sender_domains_missing');
  const parsed = parseAddress(address);
  const domain = 'error' in parsed ? '' : parsed.key.slice(parsed.key.lastIndexOf('@') + 1);
  if (senderDomains.includes(domain)) return undefined;
  return sendError('sender_domain_denied', { domain });
}
