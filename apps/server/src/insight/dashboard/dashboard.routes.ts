import type { Send } from '@reachout/contract/sends.ts';
import { createPaces } from '../../delivery/sends/send-pace.ts';
import type { CountedSend } from '../../delivery/sends/send.ts';
import { recentSends } from '../../delivery/sends/sends-overview.ts';
import type { SenderPolicies } from '../../email/transports/sender-policy.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import type { ShowLogo } from '../../identity/storage/logo-preview.ts';
import { getSetup } from '../../identity/organizations/setup.ts';
import { recentCampaigns } from '../../outreach/campaigns/recent-campaigns.ts';
import { recentTouchpoints } from '../../outreach/touchpoints/recent-touchpoints.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { listEmailResults } from '../statistics/email-results.ts';
import { getOrganizationResults } from '../statistics/organization-results.ts';
import { showBrandLogos } from './brand-logos.ts';
import { getWork } from './dashboard-work.ts';

type ResultsInput = Pick<Parameters<typeof getOrganizationResults>[1], 'period'> & {
  client_id?: string | undefined;
  time_zone: string;
};

export function createDashboardRoutes(policies: SenderPolicies, showLogo: ShowLogo) {
  const paces = createPaces();
  const present = (send: CountedSend): Send => ({ ...send, pace: paces.look(send) });

  const getResults = (trx: Transaction, input: ResultsInput, { organizationId }: OperationContext) =>
    getOrganizationResults(trx, {
      organizationId,
      clientId: input.client_id,
      period: input.period,
      timeZone: input.time_zone,
      now: new Date(),
    });
  const getRecent = async (trx: Transaction, clientId: string | undefined, context: OperationContext) => ({
    campaigns: await recentCampaigns(trx, context, clientId),
    touchpoints: await recentTouchpoints(trx, context, clientId),
    sends: (await recentSends(trx, clientId)).map(present),
  });

  return {
    overview: operations.dashboard.overview.handler(async ({ input, context }) => {
      // Runs both concurrently, like separate requests.
      const [results, others] = await Promise.all([
        context.transaction((trx) => getResults(trx, input, context)),
        context.quickTransaction(async (trx) => ({
          setup: await getSetup(trx, context.organizationId),
          work: await getWork(trx, { policies, present }, context, input.client_id),
          recent: await getRecent(trx, input.client_id, context),
        })),
      ]);
      const parts = { results, ...others };
      // Other users cannot read the logo files either.
      const logos = context.can('read', 'Brand') ? await showBrandLogos(parts, showLogo) : {};
      return { ...parts, logos };
    }),
    results: inTransaction(operations.dashboard.results, getResults),
    emails: inTransaction(operations.dashboard.emails, (trx, input, { organizationId }) =>
      listEmailResults(trx, {
        ...input,
        organizationId,
        clientId: input.client_id,
        timeZone: input.time_zone,
        now: new Date(),
      }),
    ),
    work: inTransaction(operations.dashboard.work, (trx, { client_id }, context) =>
      getWork(trx, { policies, present }, context, client_id),
    ),
    recent: inTransaction(operations.dashboard.recent, (trx, { client_id }, context) =>
      getRecent(trx, client_id, context),
    ),
  };
}
