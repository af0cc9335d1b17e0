import { shownWork, type Attention, type DashboardWork } from '@reachout/contract/dashboard.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { listFailedImports } from '../../content/imports/imports.ts';
import type { CountedSend } from '../../delivery/sends/send.ts';
import { listOpenSends, listSendsToAttend } from '../../delivery/sends/sends-overview.ts';
import type { SenderPolicies } from '../../email/transports/sender-policy.ts';
import type { OperationContext } from '../../identity/access/operations.ts';
import { listBrandSenderProblems } from '../../outreach/campaigns/brand-senders.ts';
import { listDomainProblems } from '../../outreach/domains/domain-problems.ts';
import type { Transaction } from '../../platform/database/database.ts';

const byUrgency: readonly Attention['kind'][] = [
  'send_paused',
  'send_unclear',
  'domain_failing',
  'domain_missing',
  'brand_sender_denied',
  'import_failed',
  'send_failed',
  'send_short',
  'brand_sender_missing',
  'domain_pending',
];

interface Deps {
  policies: SenderPolicies;
  present: (send: CountedSend) => Send;
}

/** @returns the open sends and the items that need attention, of an organization or one client */
export async function getWork(
  trx: Transaction,
  { policies, present }: Deps,
  { organizationId, can }: Pick<OperationContext, 'organizationId' | 'can'>,
  clientId: string | undefined,
): Promise<DashboardWork> {
  const query = { organizationId, clientId };
  const open = await listOpenSends(trx, query, shownWork);
  const sends = await listSendsToAttend(trx, query, shownWork);
  const imports = can('read', 'Content')
    ? await listFailedImports(trx, query, shownWork)
    : { rows: [], count: 0 };
  // Listed only for users who can set a brand's sender.
  const brands = can('update', 'Brand')
    ? await listBrandSenderProblems(trx, query, policies.ofInstallation, shownWork)
    : { items: [], count: 0 };
  const domains = can('read', 'Domain')
    ? await listDomainProblems(trx, clientId, policies.ofInstallation, shownWork)
    : { items: [], count: 0 };
  const attention: Attention[] = [
    ...sends.items.map(({ kind, send }) => ({ kind, send: present(send) })),
    ...brands.items,
    ...domains.items,
    ...imports.rows.map((row) => ({ kind: 'import_failed' as const, import: row })),
  ];
  return {
    open: open.items.map(present),
    open_count: open.count,
    attention: attention
      .toSorted((one, other) => byUrgency.indexOf(one.kind) - byUrgency.indexOf(other.kind))
      .slice(0, shownWork),
    attention_count: sends.count + imports.count + brands.count + domains.count,
  };
}
