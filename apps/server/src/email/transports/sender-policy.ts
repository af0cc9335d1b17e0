import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import type { TransportKind } from '@reachout/contract/rules/transports.ts';
import { domainCan, type DomainStatus } from '@reachout/contract/states/domain.ts';
import type { Config } from '../../platform/config.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { parseAddress } from '../addresses/address.ts';
import type { PrepareMessage } from './transport.ts';

/** What holds for all organizations. Plain data, so that it can be sent to another process. */
export interface InstallationPolicy {
  /**
   * Name of the transport that messages leave by. `mailbox`, the built-in one, keeps all mail on this machine: neither senders
   * nor recipients are limited.
   */
  transport: string;
  /** Domains of sender addresses that the operator allows, as A-labels; subdomains are not included. */
  senderDomains: readonly string[];
  /** Maximum recipients in 24 hours of an organization without its own limit. */
  dailyRecipientLimit: number;
  /** Host in the envelope sender of messages, which receives bounces. */
  bounceDomain: string;
  /** Whether mail to this host, and to those of sending domains, is read. Default false. */
  takesReturnedMail?: boolean;
  /** Address of links and pictures in messages, without a slash at the end. */
  publicUrl: string;
}

/** A sending domain of the organization. */
export interface SenderDomain {
  id: string;
  /** A-labels in lower case. */
  domain: string;
  status: DomainStatus;
  /** Whether the brand can use it, and the campaign, if it is linked to any, is linked to it. */
  isAllowed: boolean;
  /** Host of the envelope sender, if bounces to it reach us. */
  bounceDomain?: string;
  /** Address of links, if it is answered by us over TLS. */
  publicUrl?: string;
}

/** What bounds how much is sent. */
export type LimitingPolicy = Pick<SenderPolicy, 'transport' | 'dailyRecipientLimit' | 'own'>;

export type MessageHosts = Pick<InstallationPolicy, 'bounceDomain' | 'publicUrl'>;

/** A transport of the organization that sends instead of that of the installation. Plain data. */
export interface ChosenTransport {
  id: string;
  name: string;
  kind: TransportKind;
  /** Another one with each change of its settings. */
  version: number;
  /** Limits of the provider; null without one. */
  perSecond: number | null;
  perDay: number | null;
  /** Messages that it takes until it is asked again. */
  leftToday: number | null;
}

/** What the emails of a campaign may be sent as, and by which way they leave. Plain data. */
export interface SenderPolicy extends InstallationPolicy {
  /** Its `transport` is then the id of this one. */
  own?: ChosenTransport;
  /** Of the brand and the campaign, of every status. */
  domains: readonly SenderDomain[];
  /** The campaign is linked to domains: its senders can be at no other one, nor at those of the operator. */
  isLinked: boolean;
}

/** Whose emails they are. */
export interface SenderScope {
  organizationId: string;
  brandId: string;
  /** Undefined for what the brand may send in general, without links of a campaign. */
  campaignId: string | undefined;
}

/** Finds the policy of emails, each time that a send is reviewed, confirmed, prepared or loaded. */
export interface SenderPolicies {
  /** For what depends on no sender. */
  ofInstallation: InstallationPolicy;
  of: (trx: Transaction, scope: SenderScope) => Promise<SenderPolicy>;
  /**
   * Asked before a send starts or goes on, of a sender that may send.
   * @returns id of a sending domain that `checkSender` has to check first; undefined if none is due
   * @throws PreparationError if nothing of it may leave after the check
   */
  findUnchecked?: (trx: Transaction, from: string, policy: SenderPolicy) => Promise<string | undefined>;
  /** Asks the DNS for the records of a sending domain, within seconds and without a transaction. Never rejects. */
  checkSender?: (organizationId: string, domainId: string) => Promise<void>;
  /**
   * Asked when a send is loaded, and every other second while its messages are prepared.
   * @param from  the sender address
   * @returns what is done to each of its messages before they leave; undefined for nothing
   * @throws PreparationError if nothing of it may leave now: the send pauses
   */
  preparationOf?: (
    trx: Transaction,
    organizationId: string,
    from: string,
    policy: SenderPolicy,
  ) => Promise<PrepareMessage | undefined>;
}

/** The policy of an installation whose organizations have no sending domains. */
export const policyForAll = (policy: InstallationPolicy): SenderPolicies => ({
  ofInstallation: policy,
  of: () => Promise.resolve({ ...policy, domains: [], isLinked: false }),
});

/** Host in the envelope sender of messages to the built-in mailbox, which never leave this machine (RFC 6761). */
const mailboxDomain = 'mailbox.localhost';

/** Whether messages are signed here: a provider signs itself, and replaces what our signature would be about. */
export const isSignedHere = ({ own }: Pick<SenderPolicy, 'own'>): boolean =>
  own === undefined || own.kind === 'smtp';

/** @param config  the settings of the operator; without a mail server, the built-in mailbox takes all mail */
export const policyOfInstallation = ({
  smtpUrl,
  senderDomains,
  dailyRecipientLimit,
  bounceDomain,
  inbound,
  publicUrl,
}: Omit<InstallationPolicy, 'transport' | 'takesReturnedMail'> &
  Pick<Config, 'smtpUrl' | 'inbound'>): InstallationPolicy => ({
  transport: smtpUrl === undefined ? 'mailbox' : 'smtp',
  senderDomains,
  dailyRecipientLimit,
  bounceDomain,
  takesReturnedMail: inbound !== undefined,
  publicUrl,
});

/** @returns why this address cannot be a sender; undefined if it can. The error does not name the allowed domains. */
export function findSenderProblem(address: string, policy: SenderPolicy): SendError | undefined {
  const { transport, senderDomains, domains, isLinked } = policy;
  if (transport === 'mailbox') return undefined;
  const domain = domainOf(address);
  const own = domains.find((of) => of.domain === domain);
  // Its server decides who may send, and signs.
  if (policy.own !== undefined)
    return isLinked && own?.isAllowed !== true
      ? sendError('sender_domain_not_linked', { domain })
      : undefined;
  if (own?.status === 'failing') return sendError('sender_domain_failing', { domain });
  if (own?.isAllowed === true && domainCan.send(own)) return undefined;
  if (!isLinked && senderDomains.includes(domain)) return undefined;
  if (own?.status === 'pending') return sendError('sender_domain_pending', { domain });
  if (isLinked) return sendError('sender_domain_not_linked', { domain });
  if (senderDomains.length === 0 && domains.length === 0) return sendError('sender_domains_missing');
  return sendError('sender_domain_denied', { domain });
}

/** @returns the verified sending domain that this address is at, exactly; undefined without one */
export const sendingDomainOf = (
  address: string,
  { domains }: Pick<SenderPolicy, 'domains'>,
): SenderDomain | undefined => {
  const domain = domainOf(address);
  return domains.find((of) => of.domain === domain && of.isAllowed && domainCan.send(of));
};

/** @returns the hosts of the verified sending domain where its records pass, else those of the installation */
export function hostsOf(address: string, policy: SenderPolicy): MessageHosts {
  const isMailbox = policy.transport === 'mailbox';
  const own = isMailbox ? undefined : sendingDomainOf(address, policy);
  return {
    bounceDomain: isMailbox ? mailboxDomain : (own?.bounceDomain ?? policy.bounceDomain),
    publicUrl: own?.publicUrl ?? policy.publicUrl,
  };
}

/** @returns the domain as A-labels; empty for what is no address */
function domainOf(address: string): string {
  const parsed = parseAddress(address);
  return 'error' in parsed ? '' : parsed.key.slice(parsed.key.lastIndexOf('@') + 1);
}
