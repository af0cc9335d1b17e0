import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { memberOperations } from './operation.ts';
import { bounceClasses, eventTypes, moveRules, recipientGroups } from './statuses.ts';
import { mostRows, tableNames } from './rules/statistics-tables.ts';
import { visitorEventTypes, websiteDimensions } from './states/website.ts';
import { csvFile, defaultPageSize, documented, id, timestamp, timeZone } from './values.ts';

/** Units of periods and of chart buckets. */
export const periodUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type PeriodUnit = (typeof periodUnits)[number];

/** `unique` counts distinct messages, `total` counts every event, `bots` counts events of bots. */
const Count = z.object({ unique: z.number(), total: z.number(), bots: z.number() });

/** Until when opens, clicks or visits are counted; behind if that is minutes ago (docs/tracking.md, "What is stored"). */
export const CountedUntil = z.object({ at: timestamp, is_behind: z.boolean() });
export type CountedUntil = z.infer<typeof CountedUntil>;

export const EmailStats = z.object({
  recipients: z.number(),
  /** Accepted by the mail server, whatever became of them later. */
  accepted: z.number(),
  /** Accepted by the mail server and not bounced since; equals a send's number of sent messages. */
  delivered: z.number(),
  /** Of the delivered ones, those whose opens and clicks are not measured. */
  not_measured: z.number(),
  bounced: z.number(),
  failed: z.number(),
  suppressed: z.number(),
  uncertain: z.number(),
  queued: z.number(),
  opened: Count,
  clicked: Count,
  /** Messages whose link led a person to a tracked website. */
  visited: z.number(),
  /** Messages that led to at least one conversion. */
  converted: z.number(),
  /** All conversions that messages led to, and the sum of their values in the currency of the organization. */
  conversions: z.number(),
  conversion_value: z.number(),
  unsubscribed: z.number(),
  /** Messages that their recipients marked as unwanted. */
  complained: z.number(),
});
export type EmailStats = z.infer<typeof EmailStats>;

/** The events of one type instead of all metrics; SEND_EMAIL and BOUNCE count `accepted` and `bounced`. */
const EventStats = Count.extend({ type: z.enum(eventTypes) });

const toChart = <Counts extends z.ZodRawShape>(counts: Counts) =>
  z.object({
    unit: z.enum(periodUnits),
    time_zone: z.string(),
    /** End of the rows: the end of the period, or now. */
    until: timestamp,
    /** One row per bucket of the period that has begun, empty ones included. */
    rows: z.array(z.object({ at: timestamp, ...counts })),
  });

export const EmailChart = toChart({
  delivered: z.number(),
  not_measured: z.number(),
  opened: z.number(),
  clicked: z.number(),
  converted: z.number(),
  bounced: z.number(),
  unsubscribed: z.number(),
  complained: z.number(),
});
export type EmailChart = z.infer<typeof EmailChart>;
export const FailureChart = toChart({ bounced: z.number(), failed: z.number(), suppressed: z.number() });
export type FailureChart = z.infer<typeof FailureChart>;
/** Of the events of one type. */
const EventChart = toChart({ count: z.number() });

const timestampPattern = String.raw`\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?`;

export const LinkClicks = z.object({
  link_no: z.number(),
  url: z.string(),
  unique: z.number(),
  total: z.number(),
  /** Clicks of bots, which are included in neither of the other counts. */
  bots: z.number(),
});
export type LinkClicks = z.infer<typeof LinkClicks>;

/** The email preview on which clicks are displayed. */
export const LinkMap = z.object({
  /**
   * The email as it was last sent, without a recipient; each tracked link points to its marker (rules/link-marker.ts). Null
   * if nothing was sent, or the email is too long or cannot be rendered without a recipient.
   */
  html: z.string().nullable(),
  /** Destinations of the links, indexed by their number. */
  links: z.array(z.string()),
});
export type LinkMap = z.infer<typeof LinkMap>;

export const ProviderRow = z.object({
  provider: z.enum(recipientGroups),
  recipients: z.number(),
  delivered: z.number(),
  not_measured: z.number(),
  bounced: z.number(),
  opened: z.number(),
  clicked: z.number(),
});
export type ProviderRow = z.infer<typeof ProviderRow>;

/** Messages of one reason and recipient domain that were not delivered. */
export const FailureRow = z.object({
  state: z.enum(['bounced', 'failed']),
  /** Null for a failure before a mail server was asked. */
  class: z.enum(bounceClasses).nullable(),
  /** Of the addresses; empty where the persons were erased. */
  domain: z.string(),
  count: z.number(),
  /** Of these, those that a mail server had accepted, and returned later. */
  late: z.number(),
  last_at: timestamp,
  /** The words of the server, of the last one. */
  reply: z.string().nullable(),
});
export type FailureRow = z.infer<typeof FailureRow>;

export const readerDevices = ['computer', 'phone', 'tablet', 'unknown'] as const;

/** Number of messages by the device of the first open by a person, and of the first click by a person. */
export const DeviceRow = z.object({
  device: z.enum(readerDevices),
  opened: z.number(),
  clicked: z.number(),
});
export type DeviceRow = z.infer<typeof DeviceRow>;

/** Number of messages by the country of the first click by a person. */
export const ClickCountryRow = z.object({
  /** ISO 3166-1 alpha-2; null if it is not known. */
  country: z.string().nullable(),
  clicked: z.number(),
});
export type ClickCountryRow = z.infer<typeof ClickCountryRow>;

/** A send and its results up to a certain age. */
export const ComparedSend = z.object({
  send_id: id,
  touchpoint: z.object({ id, name: z.string() }),
  send_date: timestamp,
  /** The subject as written, including merge tags. */
  subject: z.string(),
  /** The name that the audience had when the send was confirmed. */
  audience: z.string().nullable(),
  recipients: z.number(),
  delivered: z.number(),
  not_measured: z.number(),
  bounced: z.number(),
  opened: z.number(),
  clicked: z.number(),
  unsubscribed: z.number(),
});
export type ComparedSend = z.infer<typeof ComparedSend>;

export const EmailComparison = z.object({
  /** Age at which both sends are compared: that of the younger one, at most 30 days. */
  age_seconds: z.number(),
  current: ComparedSend,
  /** The preceding send: of the campaign, or else of the brand. Null for the first one. */
  previous: ComparedSend.nullable(),
  /** Whether the previous send belongs to the same campaign. */
  of_campaign: z.boolean(),
  /** Up to five sends of the brand before it, together, each at that age; null for the first one. */
  recent: z
    .object({ emails: z.number(), delivered: z.number(), not_measured: z.number(), clicked: z.number() })
    .nullable(),
});
export type EmailComparison = z.infer<typeof EmailComparison>;

/** What happened on a website in a period, without bots. */
export const WebsiteTotals = z.object({
  /** Each counted once, by its sessions that began in the period. */
  visitors: z.number(),
  /** That began in the period. */
  sessions: z.number(),
  page_views: z.number(),
  /** Events with a name. */
  events: z.number(),
  /** Those that are goals of the website, and the sum of their values in the currency of the organization. */
  conversions: z.number(),
  conversion_value: z.number(),
  /** Each counted once, however many conversions it has. */
  converted_visitors: z.number(),
});
export type WebsiteTotals = z.infer<typeof WebsiteTotals>;

const span = z.object({ from: timestamp, until: timestamp });

export const WebsiteOverview = z.object({
  unit: z.enum(periodUnits),
  time_zone: z.string(),
  period: span,
  total: WebsiteTotals,
  /** Of a period that is not over, the same part of the one before. */
  previous_period: span,
  previous_total: WebsiteTotals,
  /** One row per bucket that has begun, empty ones included. Visitors do not add up, and are only in the totals. */
  rows: z.array(
    WebsiteTotals.omit({ visitors: true, conversion_value: true, converted_visitors: true }).extend({
      at: timestamp,
    }),
  ),
});
export type WebsiteOverview = z.infer<typeof WebsiteOverview>;

export const BreakdownRow = z.object({
  /** Empty for unknown: no referrer, for example. Screens are `phone`, `tablet`, `laptop`, `desktop`; countries ISO 3166-1 alpha-2. */
  value: z.string(),
  /** All values beyond those that are kept of a month: the row has no value. */
  is_other: z.boolean(),
  /** Page views, or events by name. */
  count: z.number(),
  /** Sessions by their first event; null for pages and events. */
  sessions: z.number().nullable(),
  previous_count: z.number(),
});
export type BreakdownRow = z.infer<typeof BreakdownRow>;

export const WebsiteBreakdown = z.object({
  dimension: z.enum(websiteDimensions),
  /** Of all values: page views, or events with a name. */
  total: z.object({ count: z.number(), sessions: z.number().nullable(), previous_count: z.number() }),
  /** Number of all values in the period. */
  values: z.number(),
  /** The most frequent ones. */
  rows: z.array(BreakdownRow),
});
export type WebsiteBreakdown = z.infer<typeof WebsiteBreakdown>;

/** The last five minutes. */
export const WebsiteNow = z.object({
  visitors: z.number(),
  page_views: z.number(),
  /** The pages with the most visitors, at most 10. */
  pages: z.array(z.object({ path: z.string(), visitors: z.number() })),
});
export type WebsiteNow = z.infer<typeof WebsiteNow>;

export const WebsiteConversions = z.object({
  goals: z.array(
    z.object({
      goal_id: id,
      event: z.string(),
      conversions: z.number(),
      /** Each counted once, however many conversions it has. */
      converted_visitors: z.number(),
      value: z.number(),
      /** Of `conversions`, those that a message led to. */
      attributed: z.number(),
      previous_conversions: z.number(),
    }),
  ),
  /** The emails that led to conversions on the website, most conversions first; null for all that the caller cannot read. */
  emails: z.array(
    z.object({
      touchpoint: z.object({ id, name: z.string() }).nullable(),
      converted: z.number(),
      conversions: z.number(),
      value: z.number(),
    }),
  ),
});
export type WebsiteConversions = z.infer<typeof WebsiteConversions>;

/** Events of visitors by type, or sessions with such an event; a type without any has no entry. */
const visitorEvents = z.array(z.object({ type: z.enum(visitorEventTypes), count: z.number() }));
const countedSpan = z.object({
  /** Null for all time. */
  start: timestamp.nullable(),
  end: timestamp.nullable(),
  events: visitorEvents,
});
export const WebsiteMetrics = z.object({ current: countedSpan, previous: countedSpan.nullable() });

/** From delivered messages to those that led to a conversion. */
export const Funnel = z.object({
  delivered: z.number(),
  not_measured: z.number(),
  clicked: z.number(),
  visited: z.number(),
  converted: z.number(),
  conversions: z.number(),
  conversion_value: z.number(),
});
export type Funnel = z.infer<typeof Funnel>;

/** Of all sends but tests, over all time. */
export const CampaignFunnel = z.object({
  total: Funnel,
  /** The emails of the campaign to which something was sent, by their first send. */
  emails: z.array(Funnel.extend({ touchpoint: z.object({ id, name: z.string() }) })),
  counted: CountedUntil,
});
export type CampaignFunnel = z.infer<typeof CampaignFunnel>;

const rate = z.number().nullable();
const Rates = z.object({ opened: rate, clicked: rate, unsubscribed: rate, bounced: rate });
/** Start and end are null for all time. */
const limits = { start: timestamp.nullable(), end: timestamp.nullable() };
const EmailMetrics = z.union([EmailStats.extend({ ...limits, rates: Rates }), EventStats.extend(limits)]);

const RecordCounts = z.object({
  clients: z.number(),
  brands: z.number(),
  campaigns: z.number(),
  touchpoints: z.number(),
  /** Excludes tests. */
  sends: z.number(),
  recipients: z.number(),
  delivered: z.number(),
  /** Of the delivered ones. */
  not_measured: z.number(),
  /** Messages opened by a person; `clicked`: messages with a link clicked by a person. */
  opened: z.number(),
  clicked: z.number(),
});
export type RecordCounts = z.infer<typeof RecordCounts>;

/** `1day`, `-1day`, `7day`, or `start::end` in ISO 8601. */
export const period = z
  .string()
  .max(100)
  .register(documented, {
    pattern: `^(?:-1|[1-9]\\d{0,2}|1000)(?:${periodUnits.join('|')})$|^${timestampPattern}::${timestampPattern}$`,
  });

const inOrganization = memberOperations('Statistics', 'organization_id');
/** Statistics of a touchpoint, at the paths that the Directus of an organization asks for, too. */
const onTouchpoint =
  (folder: 'touchpoint_emails' | 'touchpoint_websites') =>
  (name: string, summary: string, options: { manualTransaction?: true } = {}) =>
    inOrganization(`GET /content/{organization_id}/reachout/${folder}/${name}`, summary, 'read Statistics', {
      isExpensive: true,
      ...options,
    });
const onEmail = onTouchpoint('touchpoint_emails');
const onWebsite = onTouchpoint('touchpoint_websites');
const where = {
  touchpoint: id,
  /** One send of the touchpoint; all of them if omitted. */
  send: id.optional(),
};

const onCampaign = memberOperations('Statistics', 'campaigns');
/** `true` counts sessions, by their start. */
const distinctInput = { distinct: z.enum(['true', 'false']).default('false') };
const ofWebsite = { touchpoint: id, time_zone: timeZone.default('UTC') };

const ofEmail = {
  ...where,
  /** Counts only the events of one type. */
  type: z.enum(eventTypes).optional(),
  time_zone: timeZone.default('UTC'),
};

export const statistics = {
  recordCounts: inOrganization(
    'GET /content/{organization_id}/reachout/db/metrics',
    'Number of records of the organization, and the results of its emails',
    'read Statistics',
    { isExpensive: true },
  ).output({ data: RecordCounts }),
  emailMetrics: onEmail(
    'metrics',
    'Statistics and rates of an email touchpoint, in a period and in the one before',
  )
    .input({ ...ofEmail, period: period.optional() })
    .errors(pickErrors('invalid_period'))
    .output({ data: z.object({ current: EmailMetrics, previous: EmailMetrics.nullable() }) }),
  emailFailureChart: onEmail(
    'failure_stats_chart',
    'Undelivered messages of an email touchpoint by reason, over time',
  )
    .input({ ...ofEmail, period: period.default('7day') })
    .errors(pickErrors('invalid_period'))
    .output({ data: z.union([FailureChart, EventChart]) }),
  emailStats: onEmail('stats', 'Statistics of an email touchpoint')
    .input({ ...ofEmail, period: period.optional() })
    .errors(pickErrors('invalid_period'))
    .output({
      data: z.union([EmailStats, EventStats]),
      /** Of the period before; of a period that is not over, of the same part. Null for all time, and with `type`. */
      previous: EmailStats.extend({ period: span }).nullable(),
      counted: CountedUntil,
    }),
  emailChart: onEmail('stats_chart', 'Statistics of an email touchpoint over time')
    .input({ ...ofEmail, period: period.default('7day') })
    .errors(pickErrors('invalid_period'))
    .output({ data: z.union([EmailChart, EventChart]) }),
  emailLinks: onEmail('links', 'Clicks by link')
    .input(where)
    .output({ data: z.array(LinkClicks) }),
  emailLinkMap: onEmail('link_map', 'The email on which clicks are shown', { manualTransaction: true })
    .input(where)
    .output({ data: LinkMap }),
  emailProviders: onEmail('providers', 'Results by mail provider')
    .input(where)
    .output({ data: z.array(ProviderRow) }),
  emailFailures: onEmail('failures', 'Undelivered messages by reason and recipient domain')
    .input(where)
    .output({ data: z.array(FailureRow) }),
  emailDevices: onEmail('devices', 'Opens and clicks by device')
    .input(where)
    .output({ data: z.array(DeviceRow) }),
  emailCountries: onEmail('countries', 'Clicks by country')
    .input(where)
    .output({ data: z.array(ClickCountryRow) }),
  emailComparison: onEmail('comparison', 'An email compared with the last one before it, at the same age')
    .input({ touchpoint: id })
    .output({ data: EmailComparison.nullable() }),
  emailEvents: onEmail('events', 'The latest events')
    .input({
      ...where,
      type: z.enum(eventTypes).optional(),
      limit: z.coerce.number<number>().int().min(1).max(100).default(defaultPageSize),
    })
    .output({
      data: z.array(
        z.object({
          id,
          type: z.enum(eventTypes),
          at: timestamp,
          address: z.string(),
          url: z.string().nullable(),
          is_bot: z.boolean(),
          moved_by: z
            .enum(moveRules)
            .nullable()
            .describe('Why a click counts as a bot’s, which first was a person’s'),
        }),
      ),
    }),
  campaignFunnel: onCampaign(
    'GET /campaigns/{id}/funnel',
    'From the delivered messages of a campaign to their conversions, for each email and together',
    'read Statistics',
    { isExpensive: true },
  ).output(CampaignFunnel),
  websiteStats: onWebsite('stats', 'Events of the visitors of a website by type, or their sessions')
    .input({ ...ofWebsite, ...distinctInput, period: period.optional() })
    .errors(pickErrors('invalid_period'))
    .output({ data: z.object({ events: visitorEvents }) }),
  websiteMetrics: onWebsite(
    'metrics',
    'Events of the visitors of a website by type, or their sessions, in a period and in the one before',
  )
    .input({ ...ofWebsite, ...distinctInput, period: period.optional() })
    .errors(pickErrors('invalid_period'))
    .output({ data: WebsiteMetrics }),
  websiteEventChart: onWebsite(
    'event_stats_chart',
    'Events of the visitors of a website by type, or their sessions, over time',
  )
    .input({ ...ofWebsite, ...distinctInput, period: period.default('7day') })
    .errors(pickErrors('invalid_period'))
    .output({ data: toChart({ events: visitorEvents }) }),
  websiteChart: onWebsite(
    'stats_chart',
    'All events of the visitors of a website, or all sessions, over time',
  )
    .input({ ...ofWebsite, ...distinctInput, period: period.default('7day') })
    .errors(pickErrors('invalid_period'))
    .output({ data: toChart({ count: z.number() }) }),
  websiteOverview: onWebsite(
    'overview',
    'What happened on a website in a period and in the one before, and over time',
  )
    .input({ ...ofWebsite, period: period.default('30day') })
    .errors(pickErrors('invalid_period'))
    .output({ data: WebsiteOverview, counted: CountedUntil }),
  websiteBreakdown: onWebsite(
    'breakdown',
    'Page views and sessions of a website by page, host, referrer, country, language or screen, or its events by name',
  )
    .input({
      ...ofWebsite,
      period: period.default('30day'),
      dimension: z.enum(websiteDimensions),
      limit: z.coerce.number<number>().int().min(1).max(mostRows).default(defaultPageSize),
    })
    .errors(pickErrors('invalid_period'))
    .output({ data: WebsiteBreakdown }),
  websiteNow: inOrganization(
    'GET /content/{organization_id}/reachout/touchpoint_websites/now',
    'Visitors of a website in the last five minutes',
    'read Statistics',
  )
    .input({ touchpoint: id })
    .output({ data: WebsiteNow }),
  websiteConversions: onWebsite('conversions', 'Conversions on a website by goal and by email')
    .input({ ...ofWebsite, period: period.default('30day') })
    .errors(pickErrors('invalid_period'))
    .output({ data: WebsiteConversions }),
};

/**
 * A table of the screens, with its numbers. The chart of an email has its numbers since the start of the period. A file has at
 * most 1,000 rows, or one for each bucket of a chart.
 */
export const statisticsExport = memberOperations('Statistics', 'touchpoints')(
  'GET /touchpoints/{id}/statistics/export',
  'A table of the statistics of an email or a website as a CSV file',
  'read Statistics',
  { isExpensive: true },
)
  .input({
    table: z.enum(tableNames).default('chart'),
    period: period.optional(),
    time_zone: timeZone.default('UTC'),
  })
  .errors(pickErrors('invalid_period'))
  .output(csvFile);
