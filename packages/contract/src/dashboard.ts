import { z } from 'zod';
import { ListedCampaign } from './campaigns.ts';
import { memberOperations } from './operation.ts';
import { Setup } from './organizations.ts';
import { dashboardPeriods, defaultDashboardPeriod } from './rules/dashboard.ts';
import { Send } from './sends.ts';
import { periodUnits } from './statistics.ts';
import { ListedTouchpoint } from './touchpoints.ts';
import { id, timestamp, timeZone } from './values.ts';

/** Of all emails of the scope; each means what it means in the statistics of one email (docs/statistics.md). */
export const Results = z.object({
  /** Accepted by the mail server in the period, and not bounced since. */
  delivered: z.number(),
  bounced: z.number(),
  /** Messages that a person opened for the first time, or followed a link of. */
  opened: z.number(),
  clicked: z.number(),
  unsubscribed: z.number(),
});
export type Results = z.infer<typeof Results>;

const span = z.object({ from: timestamp, until: timestamp });

/** How many clients are named; the totals are of all. */
export const shownClients = 8;

export const DashboardResults = z.object({
  unit: z.enum(periodUnits),
  time_zone: z.string(),
  period: span,
  total: Results,
  /** As many units right before it, of which as much as of the current one has passed, by quarters of an hour. */
  previous_period: span,
  previous_total: Results,
  /** One for each bucket of the period that has begun, empty ones too. */
  rows: z.array(Results.extend({ at: timestamp })),
  /** The clients with results in the period, by delivered messages. */
  clients: z.array(Results.extend({ client: z.object({ id, name: z.string() }) })),
  /** All clients with results in the period. */
  clients_count: z.number(),
});
export type DashboardResults = z.infer<typeof DashboardResults>;

/** What somebody has to decide or to mend about a send, most urgent first. */
export const sendAttention = ['send_paused', 'send_unclear', 'send_failed', 'send_short'] as const;

const attentionToSend = z.object({ kind: z.enum(sendAttention), send: Send });
const attentionToImport = z.object({
  kind: z.literal('import_failed'),
  import: z.object({ id, collection: z.string(), file_name: z.string(), created_at: timestamp }),
});

/** What somebody has to mend about a brand with campaigns: its emails have no sender, or one that may not send here. */
export const brandAttention = ['brand_sender_denied', 'brand_sender_missing'] as const;
export type BrandAttention = (typeof brandAttention)[number];

const attentionToBrand = z.object({
  kind: z.enum(brandAttention),
  brand: z.object({
    id,
    name: z.string(),
    client: z.object({ id, name: z.string() }),
    from_email: z.string(),
  }),
});

export const Attention = z.discriminatedUnion('kind', [attentionToSend, attentionToImport, attentionToBrand]);
export type Attention = z.infer<typeof Attention>;

/** Sends and things to attend to that are named; the counts are of all. */
export const shownWork = 10;

export const DashboardWork = z.object({
  /** Those that wait for their start, run, or that a person has paused; not those that only take single messages. */
  open: z.array(Send),
  open_count: z.number(),
  attention: z.array(Attention),
  attention_count: z.number(),
});
export type DashboardWork = z.infer<typeof DashboardWork>;

export const DashboardRecent = z.object({
  campaigns: z.array(ListedCampaign),
  touchpoints: z.array(ListedTouchpoint),
  sends: z.array(Send),
});

/** Characters of all `logos` of a response together; brands beyond it are shown by `logo_url`. */
export const maxLogosLength = 100_000;

export const DashboardOverview = z.object({
  setup: Setup,
  results: DashboardResults,
  work: DashboardWork,
  recent: DashboardRecent,
  /** The logos of the brands in it, small, as `data:` URLs by their `logo_url` or `dark_logo_url`. */
  logos: z.record(z.string(), z.string()),
});
export type DashboardOverview = z.infer<typeof DashboardOverview>;

const inOrganization = memberOperations('Dashboard', 'organization_id');
const where = {
  organization_id: id,
  /** Only what belongs to this client. */
  client_id: id.optional(),
};
const resultsInput = z.strictObject({
  ...where,
  period: z.enum(dashboardPeriods).default(defaultDashboardPeriod),
  time_zone: timeZone.default('UTC'),
});

export const dashboard = {
  overview: inOrganization(
    'GET /dashboard',
    'Setup, results, work and recent changes in one response, with the logos of their brands',
    'read Campaign',
    { additionalPermissions: ['read Touchpoint', 'read Statistics'], isExpensive: true },
  )
    .input(resultsInput)
    .output(DashboardOverview),
  results: inOrganization(
    'GET /dashboard/results',
    'Results of all emails in a period and in the one before, over time and by client',
    'read Statistics',
    { isExpensive: true },
  )
    .input(resultsInput)
    .output(DashboardResults),
  work: inOrganization(
    'GET /dashboard/work',
    'Sends under way, and what somebody has to decide or to mend',
    'read Touchpoint',
  )
    .input(z.strictObject(where))
    .output(DashboardWork),
  recent: inOrganization(
    'GET /dashboard/recent',
    'The five campaigns that changed last, and the five newest touchpoints and sends',
    'read Campaign',
    { additionalPermissions: ['read Touchpoint'] },
  )
    .input(z.strictObject(where))
    .output(DashboardRecent),
};
