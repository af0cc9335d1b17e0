import type { BrandAttention } from '@reachout/contract/dashboard.ts';
import type { InstallationPolicy } from '../../email/transports/sender-policy.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { selectBrandSenderProblems } from './brand-senders.queries.ts';

export interface BrandSenderProblem {
  kind: BrandAttention;
  brand: { id: string; name: string; client: { id: string; name: string }; from_email: string };
}

/**
 * Brands with campaigns whose emails would have no sender, or a sender domain that is neither verified nor allowed by the
 * operator; the latter come first.
 */
export async function listBrandSenderProblems(
  trx: Transaction,
  scope: { organizationId: string; clientId: string | undefined },
  { transport, senderDomains }: InstallationPolicy,
  limit: number,
): Promise<{ items: BrandSenderProblem[]; count: number }> {
  const allowed = transport === 'mailbox' ? undefined : senderDomains;
  const { rows, count } = await selectBrandSenderProblems(trx, scope, allowed, limit);
  return {
    items: rows.map(({ is_denied, client_id, client_name, ...brand }) => ({
      kind: is_denied ? 'brand_sender_denied' : 'brand_sender_missing',
      brand: { ...brand, client: { id: client_id, name: client_name } },
    })),
    count,
  };
}
