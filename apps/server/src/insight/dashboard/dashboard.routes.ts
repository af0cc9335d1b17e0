import { shownWork, type Attention } from '@reachout/contract/dashboard.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { listFailedImports } from '../../content/imports/imports.ts';
import { createPaces } from '../../delivery/sends/send-pace.ts';
import type { CountedSend } from '../../delivery/sends/send.ts';
import { listOpenSends, listSendsToAttend, recentSends } from '../../delivery/sends/sends-overview.ts';
import type { RelayRules } from '../../email/transports/relay-rules.ts';
import { inTransaction, operations } from '../../identity/access/operations.ts';
import { listBrandsToMend } from '../../outreach/campaigns/brand-senders.ts';
import { recentCampaigns } from '../../outreach/campaigns/recent-campaigns.ts';
import { recentTouchpoints } from '../../outreach/touchpoints/recent-touchpoints.ts';
import { getOrganizationResults } from '../statistics/organization-results.ts';

const byUrgency: readonly Attention['kind'][] = [
  'send_paused',
  'send_unclear',
  'brand_sender_denied',
  'import_failed',
  'send_failed',
  'send_short',
  'brand_sender_missing',
];

/** @param relay  undefined where no mail server delivers */
export function createDashboardRoutes(relay: RelayRules | undefined) {
  const paces = createPaces();
  const present = (send: CountedSend): Send => ({ ...send, pace: paces.look(send) });

  return {
    results: inTransaction(operations.dashboard.results, (trx, input, { organizationId }) =>
      getOrganizationResults(trx, {
        organizationId,
        clientId: input.client_id,
        period: input.period,
        timeZone: input.time_zone,
        now: new Date(),
      }),
    ),

    work: inTransaction(operations.dashboard.work, async (trx, input, { organizationId, can }) => {
      const query = { organizationId, clientId: input.client_id };
      const open = await listOpenSends(trx, query, shownWork);
      const sends = await listSendsToAttend(trx, query, shownWork);
      const imports = can('read', 'Content')
        ? await listFailedImports(trx, query, shownWork)
        : { rows: [], count: 0 };
      // Named to those who can give a brand its sender.
      const brands = can('update', 'Brand')
        ? await listBrandsToMend(trx, query, relay, shownWork)
        : { items: [], count: 0 };
      const attention: Attention[] = [
        ...sends.items.map(({ kind, send }) => ({ kind, send: present(send) })),
        ...brands.items,
        ...imports.rows.map((row) => ({ kind: 'import_failed' as const, import: row })),
      ];
      return {
        open: open.items.map(present),
        open_count: open.count,
        attention: attention
          .toSorted((one, other) => byUrgency.indexOf(one.kind) - byUrgency.indexOf(other.kind))
          .slice(0, shownWork),
        attention_count: sends.count + imports.count + brands.count,
      };
    }),

    recent: inTransaction(operations.dashboard.recent, async (trx, { client_id }, context) => ({
      campaigns: await recentCampaigns(trx, context, client_id),
      touchpoints: await recentTouchpoints(trx, context, client_id),
      sends: (await recentSends(trx, client_id)).map(present),
    })),
  };
}
