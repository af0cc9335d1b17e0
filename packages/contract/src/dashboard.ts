import { z } from 'zod';
import { ListedCampaign } from './campaigns.ts';
import { memberOperations } from './operation.ts';
import { Setup } from './organizations.ts';
import { dashboardPeriods, defaultDashboardPeriod, resultColumns } from './rules/dashboard.ts';
import { Send } from './sends.ts';
import { CountedUntil, periodUnits } from './statistics.ts';
import { ListedTouchpoint } from './touchpoints.ts';
import { id, list, order, paging, timestamp, timeZone } from './values.ts';

/** Totals of all emails in the requested scope; definitions as in the statistics of one email (docs/statistics.md). */
export const Results = z.object({
  /** Accepted by the mail server in the period, and not bounced since. */
  delivered: z.number(),
  /** Of the delivered ones, those whose opens and clicks are not measured. */
  not_measured: z.number(),
  bounced: z.number(),
  /** Messages that a person opened for the first time, or clicked a link in. */
  opened: z.number(),
  clicked: z.number(),
  /** Messages that led to their first conversion. */
  converted: z.number(),
  unsubscribed: z.number(),
  /** Messages that their recipients marked as unwanted. */
  complained: z.number(),
});
export type Results = z.infer<typeof Results>;

const span = z.object({ from: timestamp, until: timestamp });

/** Number of clients listed; the totals include all clients. */
export const shownClients = 8;

export const DashboardResults = z.object({
  unit: z.enum(periodUnits),
  time_zone: z.string(),
  period: span,
  total: Results,
  /** The same number of units before it, cut off at the time elapsed in the current unit, in steps of 15 minutes. */
  previous_period: span,
  previous_total: Results,
  /** One row per bucket that has begun, empty ones included. */
  rows: z.array(Results.extend({ at: timestamp })),
  /** The clients with results in the period, by number of delivered messages. */
  clients: z.array(Results.extend({ client: z.object({ id, name: z.string() }) })),
  /** Number of all clients with results in the period. */
  clients_count: z.number(),
  counted: CountedUntil,
});
export type DashboardResults = z.infer<typeof DashboardResults>;

/** Problems of a send that need a decision or a fix, most urgent first. */
export const sendAttention = ['send_paused', 'send_unclear', 'send_failed', 'send_short'] as const;

const attentionToSend = z.object({ kind: z.enum(sendAttention), send: Send });
const attentionToImport = z.object({
  kind: z.literal('import_failed'),
  import: z.object({ id, collection: z.string(), file_name: z.string(), created_at: timestamp }),
});

/** Problems of a brand with campaigns: its emails have no sender, or one that is not allowed on this installation. */
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

/**
 * Problems of a sending domain: it lost a record that it needs, or is not verified a day after it was added; or email leaves
 * by a mail server, and no domain of a sender is allowed.
 */
export const domainAttention = ['domain_failing', 'domain_pending', 'domain_missing'] as const;
export type DomainAttention = (typeof domainAttention)[number];

const attentionToDomain = z.object({
  kind: z.enum(domainAttention),
  /** Null if none is allowed. */
  domain: z.object({ id, domain: z.string(), since: timestamp }).nullable(),
});

export const Attention = z.discriminatedUnion('kind', [
  attentionToSend,
  attentionToImport,
  attentionToBrand,
  attentionToDomain,
]);
export type Attention = z.infer<typeof Attention>;

/** Number of sends and problems listed; the counts include all. */
export const shownWork = 10;

export const DashboardWork = z.object({
  /** Sends that are queued, running or paused by a user, without those that only take single messages. */
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

/** Total characters of all `logos` in a response; brands beyond the limit are shown by `logo_url`. */
export const maxLogosLength = 100_000;

export const DashboardOverview = z.object({
  setup: Setup,
  results: DashboardResults,
  work: DashboardWork,
  recent: DashboardRecent,
  /** Small logos of the brands in the response, as `data:` URLs keyed by their `logo_url` or `dark_logo_url`. */
  logos: z.record(z.string(), z.string()),
});
export type DashboardOverview = z.infer<typeof DashboardOverview>;

export const EmailResults = Results.extend({
  touchpoint: z.object({ id, name: z.string() }),
  brand: z.object({ id, name: z.string() }),
  client: z.object({ id, name: z.string() }),
});
export type EmailResults = z.infer<typeof EmailResults>;

/** Named, so that clients have one type for it. */
export const DashboardPeriod = z.enum(dashboardPeriods);

const inOrganization = memberOperations('Dashboard', 'organization_id');
/** Limits the response to this client. */
const ofClient = { client_id: id.optional() };
/** What the figures of the dashboard cover. */
export const resultsInput = z.strictObject({
  organization_id: id,
  ...ofClient,
  period: DashboardPeriod.default(defaultDashboardPeriod),
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
  emails: inOrganization(
    'GET /dashboard/results/emails',
    'The emails with a result in a period: their results add up to those of the organization',
    'read Statistics',
    { isExpensive: true },
  )
    .input({
      ...resultsInput.shape,
      order: order(resultColumns, 'delivered.desc'),
      ...paging(),
    })
    .output(
      list(EmailResults).extend({
        period: span,
        /** Of all emails, beyond the page too. */
        total: Results,
      }),
    ),
  work: inOrganization(
    'GET /dashboard/work',
    'Sends under way, and what somebody has to decide or to mend',
    'read Touchpoint',
  )
    .input(ofClient)
    .output(DashboardWork),
  recent: inOrganization(
    'GET /dashboard/recent',
    'The five campaigns that changed last, and the five newest touchpoints and sends',
    'read Campaign',
    { additionalPermissions: ['read Touchpoint'] },
  )
    .input(ofClient)
    .output(DashboardRecent),
};
