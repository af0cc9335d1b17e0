import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { invalidTransition, memberOperations } from './operation.ts';
import { Quota } from './organizations.ts';
import { defaultWindowDays, maxEventNameLength, maxGoalValue, maxWindowDays } from './rules/conversions.ts';
import { maxHostLength, maxHosts } from './rules/website-hosts.ts';
import { dropReasons, visitorEventTypes } from './states/website.ts';
import { filledLine, id, singleLine, timestamp } from './values.ts';

export const Website = z.object({
  /** Sent by the tracking client, with the token. */
  id,
  touchpoint_id: id,
  /** The hosts whose events are stored: names as people write them, with a port if it is not the default one. */
  hosts: z.array(z.string()),
  /** What the snippet names as hosts, as `location.host` has them: all, unless one cookie can be that of all of them. */
  linked_hosts: z.array(z.string()),
  /** Public, since it is in the pages of the website: it only adds events to this website. */
  token: z.string(),
  token_rotated_at: timestamp.nullable(),
  /** Address of the script of the tracking client. */
  tracker_url: z.string(),
  /** The earliest event that is stored, also before it is counted; null before the first. */
  first_event: z.object({ at: timestamp, url: z.string() }).nullable(),
  last_event_at: timestamp.nullable(),
  /** Events of today and the 29 days before it (UTC) that were not stored, the most frequent reason first. */
  drops: z.array(z.object({ reason: z.enum(dropReasons), count: z.number(), last_at: timestamp })),
  /** What it took today (UTC), up to a second ago, and may take in a day; in begun megabytes. */
  quotas: z.array(Quota.extend({ quota: z.enum(['website_events', 'website_megabytes']) })),
  updated_at: timestamp,
});
export type Website = z.infer<typeof Website>;

export const WebsiteEvent = z.object({
  id,
  at: timestamp,
  type: z.enum(visitorEventTypes),
  /** Of a TRACK event. */
  name: z.string().nullable(),
  path: z.string(),
  title: z.string().nullable(),
  /** Null for none, and for the website itself. */
  referrer_host: z.string().nullable(),
  /** ISO 3166-1 alpha-2. */
  country: z.string().nullable(),
  language: z.string().nullable(),
  /** In CSS pixels. */
  width: z.number().nullable(),
  is_bot: z.boolean(),
  /** The end of the visitor's random id, which tells the visitors of a list apart. */
  visitor: z.string(),
  /** What the page says about its visitor, which proves nothing. Null for callers who cannot read contacts. */
  user_id: z.string().nullable(),
  collection: z.string().nullable(),
});
export type WebsiteEvent = z.infer<typeof WebsiteEvent>;

export const WebsiteInput = z.strictObject({
  /** `shop.example`, `*.shop.example` for its subdomains, or `localhost:3000`. Replaces all of them. */
  hosts: z.array(singleLine(maxHostLength)).max(maxHosts, `Use at most ${maxHosts} hosts.`),
});

/** An event of a website that counts as a conversion. */
export const ConversionGoal = z.object({
  id,
  touchpoint_id: id,
  /** The name of the event. */
  event: z.string(),
  /** Of one conversion in the currency of the organization, unless the event brings its own. */
  value: z.number().nullable(),
  /** A message gets the conversion if its link was followed at most so many days before. */
  window_days: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type ConversionGoal = z.infer<typeof ConversionGoal>;

const goalFields = {
  value: z.number().min(0).max(maxGoalValue).multipleOf(0.01).nullable(),
  window_days: z.number().int().min(1).max(maxWindowDays),
};
export const ConversionGoalInput = z.strictObject({
  event: filledLine(maxEventNameLength, 'Enter the name of the event.'),
  value: goalFields.value.default(null),
  window_days: goalFields.window_days.default(defaultWindowDays),
});

const onTouchpoint = memberOperations('Websites', 'touchpoints');

export const websites = {
  get: onTouchpoint(
    'GET /touchpoints/{id}/website',
    'Hosts and token of a website, its first event, and how many were dropped',
    'read Touchpoint',
  ).output(Website),
  update: onTouchpoint(
    'PATCH /touchpoints/{id}/website',
    'Change the hosts whose events are stored',
    'update Touchpoint',
  )
    .input(WebsiteInput.extend({ id }))
    .errors(pickErrors('host_missing'))
    .output(Website),
  rotateToken: onTouchpoint(
    'POST /touchpoints/{id}/website/token',
    'Replace the token; the old one stops working within 10 seconds',
    'update Touchpoint',
  ).output(Website),
  start: onTouchpoint(
    'POST /touchpoints/{id}/website/start',
    'Start or resume a website: its events are stored',
    'update Touchpoint',
  )
    .errors({ ...invalidTransition, ...pickErrors('campaign_archived', 'host_missing') })
    .output(Website),
  pause: onTouchpoint(
    'POST /touchpoints/{id}/website/pause',
    'Pause a website: its events are dropped and counted',
    'update Touchpoint',
  )
    .errors(invalidTransition)
    .output(Website),
  events: onTouchpoint(
    'GET /touchpoints/{id}/website/events',
    'The newest 50 events of a website',
    'read Statistics',
  ).output(z.array(WebsiteEvent)),
  goals: onTouchpoint(
    'GET /touchpoints/{id}/website/goals',
    'The events of a website that count as conversions',
    'read Touchpoint',
  ).output(z.array(ConversionGoal)),
  createGoal: onTouchpoint(
    'POST /touchpoints/{id}/website/goals',
    'Count an event of a website as a conversion, from now on',
    'update Touchpoint',
  )
    .input(ConversionGoalInput.extend({ id }))
    .errors(pickErrors('goal_exists', 'too_many_goals'))
    .output(ConversionGoal),
  updateGoal: onTouchpoint(
    'PATCH /touchpoints/{id}/website/goals/{goal_id}',
    'Change value or window of a goal, for later conversions',
    'update Touchpoint',
  )
    .input({
      goal_id: id,
      value: goalFields.value.optional(),
      window_days: goalFields.window_days.optional(),
    })
    .output(ConversionGoal),
  deleteGoal: onTouchpoint(
    'DELETE /touchpoints/{id}/website/goals/{goal_id}',
    'Remove a goal, with all conversions that it counted',
    'update Touchpoint',
  )
    .input({ goal_id: id })
    .output({ id }),
};
