import { setTimeout } from 'node:timers/promises';
import {
  maxLogosLength,
  shownWork,
  type Attention,
  type DashboardOverview,
  type DashboardWork,
} from '@reachout/contract/dashboard.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { listFailedImports } from '../../contacts/imports/imports.ts';
import { createPaces } from '../../delivery/sends/send-pace.ts';
import type { CountedSend } from '../../delivery/sends/send.ts';
import { listOpenSends, listSendsToAttend, recentSends } from '../../delivery/sends/sends-overview.ts';
import type { SenderPolicies } from '../../email/transports/sender-policy.ts';
import { inTransactions, operations, type OperationContext } from '../../identity/access/operations.ts';
import { getSetup } from '../../identity/organizations/setup.ts';
import type { ShowLogo } from '../../identity/storage/logo-preview.ts';
import { listBrandSenderProblems } from '../../outreach/campaigns/brand-senders.ts';
import { recentCampaigns } from '../../outreach/campaigns/campaigns.ts';
import { listDomainProblems } from '../../outreach/domains/domain-problems.ts';
import { recentTouchpoints } from '../../outreach/touchpoints/recent-touchpoints.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { listEmailResults } from '../statistics/email-results.ts';
import { getOrganizationResults } from '../statistics/organization-results.ts';

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
    ...inTransactions(operations.dashboard, {
      results: getResults,
      emails: (trx, input, { organizationId }) =>
        listEmailResults(trx, {
          ...input,
          organizationId,
          clientId: input.client_id,
          timeZone: input.time_zone,
          now: new Date(),
        }),
      work: (trx, { client_id }, context) => getWork(trx, { policies, present }, context, client_id),
      recent: (trx, { client_id }, context) => getRecent(trx, client_id, context),
    }),
  };
}

type Parts = Pick<DashboardOverview, 'work' | 'recent'>;

/** After this time, the screen loads the remaining logos by URL. Reads in progress are cached for the next response. */
const maxWaitMs = 1_000;

/**
 * Returns the logos of all brands in the rows, to replace one request per logo. Call it outside transactions,
 * because it reads files.
 */
export async function showBrandLogos(parts: Parts, showLogo: ShowLogo): Promise<Record<string, string>> {
  const shown: Record<string, string> = {};
  const add = async () => {
    let length = 0;
    // Sequential, because few images can be converted at the same time.
    for (const url of listLogoUrls(parts)) {
      const logo = await showLogo(url);
      if (logo === null || length + logo.length > maxLogosLength) continue;
      length += logo.length;
      shown[url] = logo;
    }
  };
  await Promise.race([add(), setTimeout(maxWaitMs, undefined, { ref: false })]);
  return { ...shown };
}

function listLogoUrls({ work, recent }: Parts): Set<string> {
  const sends = [...work.open, ...work.attention.flatMap((item) => ('send' in item ? [item.send] : []))];
  const rows = [...sends, ...recent.campaigns, ...recent.touchpoints, ...recent.sends];
  const urls = rows.flatMap(({ brand: { logo_url, dark_logo_url } }) => [logo_url, dark_logo_url]);
  return new Set(urls.filter((url) => url !== null));
}

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

/** @returns the open sends and the items that need attention, of an organization or one client */
export async function getWork(
  trx: Transaction,
  { policies, present }: { policies: SenderPolicies; present: (send: CountedSend) => Send },
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
