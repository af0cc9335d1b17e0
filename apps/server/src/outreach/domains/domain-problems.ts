import type { DomainAttention } from '@reachout/contract/dashboard.ts';
import type { SenderPolicy } from '../../email/transports/sender-policy.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { hasOwnTransport, hasVerifiedDomain, listTroubledDomains } from './domain.queries.ts';

export interface DomainProblem {
  kind: DomainAttention;
  domain: { id: string; domain: string; since: string } | null;
}

/**
 * Domains that are failing, or still pending a day after they were added; the former come first. Without any, that none is
 * verified, if email leaves by a mail server and the operator allows no domain either.
 * @param clientId  limits it to the domains that this client can use
 */
export async function listDomainProblems(
  trx: Transaction,
  clientId: string | undefined,
  { transport, senderDomains }: Pick<SenderPolicy, 'transport' | 'senderDomains'>,
  limit: number,
): Promise<{ items: DomainProblem[]; count: number }> {
  const { rows, count } = await listTroubledDomains(trx, clientId, limit);
  const needsOne = count === 0 && transport !== 'mailbox' && senderDomains.length === 0;
  if (needsOne && !(await hasOwnTransport(trx)) && !(await hasVerifiedDomain(trx, clientId)))
    return { items: [{ kind: 'domain_missing', domain: null }], count: 1 };
  return {
    items: rows.map(({ status, ...domain }) => ({
      kind: status === 'failing' ? 'domain_failing' : 'domain_pending',
      domain,
    })),
    count,
  };
}
