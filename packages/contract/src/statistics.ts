import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { memberOperations } from './operation.ts';
import { eventTypes } from './statuses.ts';
import { documented, id, timestamp, timeZone } from './values.ts';

/** What periods are counted in, and what charts are cut into. */
export const periodUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type PeriodUnit = (typeof periodUnits)[number];

/** Unique is the number of distinct messages; total counts every event. `bots` counts those of bots. */
const Count = z.object({ unique: z.number(), total: z.number(), bots: z.number() });

export const EmailStats = z.object({
  recipients: z.number(),
  /** Accepted by the mail server, and not bounced since: what a send shows as sent. */
  delivered: z.number(),
  bounced: z.number(),
  failed: z.number(),
  suppressed: z.number(),
  uncertain: z.number(),
  queued: z.number(),
  opened: Count,
  clicked: Count,
  unsubscribed: z.number(),
});
export type EmailStats = z.infer<typeof EmailStats>;

export const EmailChart = z.object({
  unit: z.enum(periodUnits),
  time_zone: z.string(),
  /** Until when there are rows: the end of the period, or now. */
  until: timestamp,
  /** One row for each bucket of the period that has begun, empty ones too. */
  rows: z.array(
    z.object({
      at: timestamp,
      delivered: z.number(),
      opened: z.number(),
      clicked: z.number(),
      bounced: z.number(),
      unsubscribed: z.number(),
    }),
  ),
});
export type EmailChart = z.infer<typeof EmailChart>;

const timestampPattern = String.raw`\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?`;

/** `1day`, `-1day`, `7day`, or `start::end` as ISO 8601. */
export const period = z
  .string()
  .max(100)
  .register(documented, {
    pattern: `^(?:-1|[1-9]\\d{0,2}|1000)(?:${periodUnits.join('|')})$|^${timestampPattern}::${timestampPattern}$`,
  });

const inOrganization = memberOperations('Statistics', 'organization_id');
const where = {
  organization_id: id,
  touchpoint: id,
  /** One send of the touchpoint; without it all of them. */
  send: id.optional(),
};

export const statistics = {
  emailStats: inOrganization(
    'GET /content/{organization_id}/reachout/touchpoint_emails/stats',
    'Statistics of an email touchpoint',
    'read Statistics',
    { isExpensive: true },
  )
    .input(z.strictObject({ ...where, period: period.optional(), time_zone: timeZone.default('UTC') }))
    .errors(pickErrors('invalid_period'))
    .output(z.object({ data: EmailStats })),
  emailChart: inOrganization(
    'GET /content/{organization_id}/reachout/touchpoint_emails/stats_chart',
    'Statistics of an email touchpoint over time',
    'read Statistics',
    { isExpensive: true },
  )
    .input(z.strictObject({ ...where, period: period.default('7day'), time_zone: timeZone.default('UTC') }))
    .errors(pickErrors('invalid_period'))
    .output(z.object({ data: EmailChart })),
  emailLinks: inOrganization(
    'GET /content/{organization_id}/reachout/touchpoint_emails/links',
    'Clicks by link',
    'read Statistics',
    { isExpensive: true },
  )
    .input(z.strictObject(where))
    .output(
      z.object({
        data: z.array(
          z.object({ link_no: z.number(), url: z.string(), unique: z.number(), total: z.number() }),
        ),
      }),
    ),
  emailEvents: inOrganization(
    'GET /content/{organization_id}/reachout/touchpoint_emails/events',
    'The latest events',
    'read Statistics',
    { isExpensive: true },
  )
    .input(
      z.strictObject({
        ...where,
        type: z.enum(eventTypes).optional(),
        limit: z.coerce.number<number>().int().min(1).max(100).default(20),
      }),
    )
    .output(
      z.object({
        data: z.array(
          z.object({
            id,
            type: z.enum(eventTypes),
            at: timestamp,
            address: z.string(),
            url: z.string().nullable(),
            is_bot: z.boolean(),
          }),
        ),
      }),
    ),
};
