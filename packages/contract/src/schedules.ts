import { z } from 'zod';
import { BrandSummary } from './clients.ts';
import { invalidTransition, memberOperations } from './operation.ts';
import { quotaErrors } from './organizations.ts';
import { maxQueuedItems } from './rules/lengths.ts';
import { errorFields, sendBlocked, sendConfirmation, startErrors } from './sends.ts';
import { itemStatuses } from './states/collection-item.ts';
import { plannedStatus, sendStatuses } from './states/send.ts';
import { touchpointTypes } from './states/touchpoint.ts';
import {
  deleted,
  id,
  itemKey,
  list,
  paging,
  singleLine,
  timeOfDay,
  timestamp,
  timestampInput,
  timeZone,
} from './values.ts';

/** When an email is sent: once on a date, or repeatedly. */
export const Schedule = z.object({
  id,
  organization_id: id,
  touchpoint_id: id,
  schedule_content: z.object({ item_id: itemKey.optional() }),
  /** The first occurrence. */
  start_date: timestamp,
  /** IANA name. */
  time_zone: z.string(),
  /** Recurrence rule (RFC 5545) without DTSTART; null: once. */
  rrule: z.string().nullable(),
  contact_time_zones: z.boolean(),
  spread_minutes: z.number().nullable(),
  window_start: z.string().nullable(),
  window_end: z.string().nullable(),
  /** Whether a send is to come. False also while it is paused. */
  is_active: z.boolean(),
  /** The send of the next occurrence, which exists already; null once all have started. */
  next: z
    .object({
      send_id: id,
      /** When it starts: with `contact_time_zones` before the time for which it is scheduled. */
      send_date: timestamp,
      scheduled_date: timestamp,
      status: z.enum(sendStatuses),
    })
    .nullable(),
  created_at: timestamp,
});
export type Schedule = z.infer<typeof Schedule>;

/** A content item that is or was sent on a date. */
export const QueuedItem = z.object({
  item_id: z.string(),
  /** Its title when it was confirmed, or its key. */
  item_title: z.string(),
  send_id: id,
  /** Null once its schedule was deleted. */
  schedule_id: id.nullable(),
  /** The planned time. */
  schedule_date: timestamp,
  /** IANA name; null once its schedule was deleted. */
  time_zone: z.string().nullable(),
  /** When it went out; null until then. */
  send_date: timestamp.nullable(),
  item_status: z.enum(itemStatuses),
  /** Recipients whose message failed or bounced so far. */
  failed_count: z.number(),
  /** Why its send waits, paused or failed. */
  ...errorFields,
});
export type QueuedItem = z.infer<typeof QueuedItem>;

/** The times of a queue of content items, such as every Tuesday at ten: those with which items were last added. */
export const QueueSlots = z.object({
  /** The next time that no item has. */
  start_date: timestamp,
  time_zone: z.string(),
  /** Without an end: each further item needs a further time. */
  rrule: z.string(),
});
export type QueueSlots = z.infer<typeof QueueSlots>;

/** A page of the content items of a touchpoint. */
export const ItemQueue = list(QueuedItem).extend({
  /** Null if no item was added with a rule, or no time of it is left. */
  slots: QueueSlots.nullable(),
});
export type ItemQueue = z.infer<typeof ItemQueue>;

/** What can differ between an email and what its sends to come have of it. */
export const changedParts = [
  'subject',
  'preheader',
  'sender',
  'reply_to',
  'audience',
  'audience_rule',
  'topic',
  'item',
  'body',
  'values',
] as const;

const MessageText = z.object({ html: z.string(), text: z.string() });

/** How an email differs from what was confirmed. */
export const ContentChanges = z.object({
  /** Of the message as it is now; for `expected_content_hash`. */
  content_hash: z.string(),
  confirmed_at: timestamp,
  recipients_confirmed: z.number(),
  /** How many sends have not started. The others keep what was confirmed. */
  sends: z.number(),
  /** Of the send that starts next. */
  changes: z.array(
    z.object({
      field: z.enum(changedParts),
      /** Both are null where a text would not show it: see `message`. */
      confirmed: z.string().nullable(),
      current: z.string().nullable(),
    }),
  ),
  /** Both versions without a recipient; null if they are the same, and empty if one cannot be rendered so. */
  message: z.object({ confirmed: MessageText, current: MessageText }).nullable(),
});
export type ContentChanges = z.infer<typeof ContentChanges>;

/** One entry of the calendar: a send, or an occurrence that has no send yet. */
export const Occurrence = z.object({
  /** Unique in the response. */
  key: z.string(),
  at: timestamp,
  /** Of the schedule; null for a send that was started by hand. */
  time_zone: z.string().nullable(),
  schedule_id: id.nullable(),
  rrule: z.string().nullable(),
  /** Null for an occurrence that has no send yet. */
  send_id: id.nullable(),
  /** `planned`: it has no send yet. */
  status: z.enum([plannedStatus, ...sendStatuses]),
  /** Recipients of the send; until it starts, those that were confirmed. */
  recipients: z.number(),
  /** How many of them got it so far. */
  sent: z.number(),
  touchpoint: z.object({ id, name: z.string(), type: z.enum(touchpointTypes) }),
  campaign: z.object({ id, name: z.string() }),
  brand: BrandSummary,
});
export type Occurrence = z.infer<typeof Occurrence>;

/** The longest period of a calendar: six weeks, as a month is drawn. */
export const maxCalendarDays = 42;
/** Later entries of a calendar are left out. */
export const maxCalendarEntries = 500;
/** Schedules whose further occurrences are computed for a calendar: each takes some milliseconds. */
export const maxRepeatingSchedules = 100;

/** The longest spread: a week. */
export const maxSpreadMinutes = 10_080;

const time = {
  /** Not in the past, and at most two years ahead. */
  start_date: timestampInput,
  time_zone: timeZone,
  /** At most 500 occurrences, at least a day apart, within 100 years. */
  rrule: singleLine(200).nullable(),
};

/** When the messages of each send start. */
const sendTimes = {
  /**
   * Whether the local date and time are meant in the time zone of each contact, by the field that the audience names. A contact
   * without a valid one has the zone of the schedule, and one whose time has passed gets the message at once.
   */
  contact_time_zones: z.boolean(),
  /** The messages are spread evenly over so many minutes; null: they start together. */
  spread_minutes: z.number().int().min(1).max(maxSpreadMinutes).nullable(),
  /** Messages start only between these times of each day, in the same time zone. Both or none; may end on the next day. */
  window_start: timeOfDay.nullable(),
  window_end: timeOfDay.nullable(),
};

const newSendTimes = {
  contact_time_zones: sendTimes.contact_time_zones.default(false),
  spread_minutes: sendTimes.spread_minutes.default(null),
  window_start: sendTimes.window_start.default(null),
  window_end: sendTimes.window_end.default(null),
};

export const isWindow = ({ window_start: start, window_end: end }: Window): boolean =>
  start === undefined || end === undefined || start === null || end === null ? start === end : start !== end;
interface Window {
  window_start?: string | null | undefined;
  window_end?: string | null | undefined;
}
export const windowProblem = { path: ['window_end'], error: 'Use two different times, or none.' };

/** When an email is sent, and what its sender confirms. */
export const newSchedule = {
  ...time,
  rrule: time.rrule.default(null),
  ...newSendTimes,
  ...sendConfirmation,
};

/** What a schedule would do with the present audience. */
export const SchedulePreview = z.object({
  /** When the first and the last message start. */
  first_at: timestamp,
  last_at: timestamp,
  /** Null for callers who cannot read contacts, and while those of a remote content backend are not known. */
  recipients: z
    .object({
      count: z.number(),
      /** How many get the message at once, because their hour has passed. */
      past: z.number(),
      /** How many have no valid time zone, and so that of the schedule; 0 without `contact_time_zones`. */
      without_zone: z.number(),
      /** The most frequent time zones. */
      zones: z.array(z.object({ time_zone: z.string(), count: z.number(), first_at: timestamp })),
      /** Number of further time zones. */
      zones_more: z.number(),
    })
    .nullable(),
  /** Of the brand, in the same time zone as the schedule; null if it has none. */
  quiet_hours: z.object({ start: z.string(), end: z.string() }).nullable(),
});
export type SchedulePreview = z.infer<typeof SchedulePreview>;

const { uncertain_policy: _policy, ...reconfirmation } = sendConfirmation;

const onTouchpoint = memberOperations('Schedules', 'touchpoints');
const onCampaign = memberOperations('Schedules', 'campaigns');
const onSchedule = memberOperations('Schedules', 'touchpoint_schedules');
const inOrganization = memberOperations('Schedules', 'organization_id');

export const schedules = {
  create: onTouchpoint(
    'POST /touchpoints/{id}/schedules',
    'Schedule an email touchpoint: once on a date, or repeatedly',
    'send Touchpoint',
    { successStatus: 201, manualTransaction: true, isExpensive: true },
  )
    .input(z.strictObject({ id, ...newSchedule }).refine(isWindow, windowProblem))
    .errors(startErrors)
    .output(Schedule),
  preview: onTouchpoint(
    'POST /touchpoints/{id}/schedules/preview',
    'Show when the messages of a schedule would start, without creating it',
    'send Touchpoint',
    // It changes nothing: there is no response to store and no audit log entry.
    { manualTransaction: true, isExpensive: true },
  )
    .input(
      z
        .strictObject({ id, start_date: time.start_date, time_zone: time.time_zone, ...newSendTimes })
        .refine(isWindow, windowProblem),
    )
    .errors(invalidTransition)
    .output(SchedulePreview),
  listOfTouchpoint: onTouchpoint(
    'GET /touchpoints/{id}/schedules',
    'Schedules of a touchpoint, the newest first',
    'read Touchpoint',
  ).output(z.array(Schedule)),
  queueItems: onTouchpoint(
    'POST /touchpoints/{id}/collection_items',
    'Schedule an email once for each content item, at the next free times of a rule',
    'send Touchpoint',
    {
      successStatus: 201,
      additionalPermissions: ['read Content'],
      manualTransaction: true,
      isExpensive: true,
    },
  )
    .input({
      /** Keys of items of the touchpoint's collection, in the order in which they are sent. */
      item_ids: z.array(itemKey).min(1).max(maxQueuedItems),
      ...time,
      ...sendConfirmation,
    })
    .errors(startErrors)
    .output(ItemQueue),
  freeTimes: onTouchpoint(
    'GET /touchpoints/{id}/collection_items/free_times',
    'Times of a rule at which the next content items would be sent',
    'read Touchpoint',
  )
    .input({
      start_date: time.start_date,
      time_zone: time.time_zone,
      rrule: singleLine(200).optional(),
    })
    .output(z.array(timestamp)),
  listItems: onTouchpoint(
    'GET /touchpoints/{id}/collection_items',
    'Content items of a touchpoint that are or were sent on a date, the last one first',
    'read Touchpoint',
  )
    .input({ ...paging() })
    .output(ItemQueue),
  changes: onTouchpoint(
    'GET /touchpoints/{id}/changes',
    'How a scheduled email differs from what was confirmed; null if no send of it is to come',
    'read Touchpoint',
    { additionalPermissions: ['read Content'], manualTransaction: true, isExpensive: true },
  )
    .errors(sendBlocked)
    .output(ContentChanges.nullable()),
  confirm: onTouchpoint(
    'POST /touchpoints/{id}/confirm',
    'Confirm a scheduled email again: its sends to come get its present content and audience, at the same times',
    'send Touchpoint',
    { manualTransaction: true, isExpensive: true },
  )
    .input({
      ...reconfirmation,
      /** The `content_hash` of the changes that were shown; the request is rejected if the message is another one now. */
      expected_content_hash: z.string().max(64).optional(),
    })
    .errors(startErrors)
    .output({ id, sends: z.number() }),
  update: onSchedule(
    'PATCH /schedules/{id}',
    'Move a schedule whose next send has not started',
    'send Touchpoint',
  )
    .input(
      z
        .strictObject({
          id,
          start_date: time.start_date.optional(),
          time_zone: time.time_zone.optional(),
          rrule: time.rrule.optional(),
          contact_time_zones: sendTimes.contact_time_zones.optional(),
          spread_minutes: sendTimes.spread_minutes.optional(),
          window_start: sendTimes.window_start.optional(),
          window_end: sendTimes.window_end.optional(),
        })
        .refine(isWindow, windowProblem),
    )
    .errors({ ...invalidTransition, ...quotaErrors })
    .output(Schedule),
  delete: onSchedule(
    'DELETE /schedules/{id}',
    'Unschedule: cancel what has not started, and delete the schedule',
    'send Touchpoint',
  ).output(deleted),
  occurrences: inOrganization(
    'GET /schedules/occurrences',
    'Sends of a period and what is planned in it, in order of time',
    'read Touchpoint',
    { isExpensive: true },
  )
    .input({
      client_id: id.optional(),
      brand_id: id.optional(),
      campaign_id: id.optional(),
      from: timestampInput,
      /** Exclusive, at most 42 days after `from`. */
      to: timestampInput,
    })
    .output({
      items: z.array(Occurrence),
      /** Whether entries were left out: these are the first 500, with the occurrences of at most 100 repeating schedules. */
      is_cut: z.boolean(),
    }),
  pauseCampaign: onCampaign(
    'POST /campaigns/{id}/pause',
    'Pause all sends of a campaign, and hold those that have not started',
    'send Touchpoint',
  ).output({ id, paused: z.number() }),
  resumeCampaign: onCampaign(
    'POST /campaigns/{id}/resume',
    'Resume the sends of a campaign; those whose time has passed are held until a member decides',
    'send Touchpoint',
  ).output({ id, resumed: z.number(), held: z.number() }),
  pauseTouchpoint: onTouchpoint(
    'POST /touchpoints/{id}/pause',
    'Pause all sends of a touchpoint, and hold those that have not started',
    'send Touchpoint',
  ).output({ id, paused: z.number() }),
  resumeTouchpoint: onTouchpoint(
    'POST /touchpoints/{id}/resume',
    'Resume the sends of a touchpoint; those whose time has passed are held until a member decides',
    'send Touchpoint',
  ).output({ id, resumed: z.number(), held: z.number() }),
};
