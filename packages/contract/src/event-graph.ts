import { z } from 'zod';
import { apiErrors, pickErrors } from './errors.ts';
import { quotaErrors } from './organizations.ts';
import { maxRecords, memberOperations, publicOperations, tooManyRecords } from './operation.ts';
import {
  causeTypes,
  daysOfDelay,
  delayPattern,
  maxDelayDays,
  maxPatternLength,
  reactionActions,
  reactionReasons,
  reactionStates,
} from './rules/event-graph.ts';
import { touchpointStatuses, touchpointTypes } from './states/touchpoint.ts';
import {
  collectionName,
  deleted,
  id,
  itemKey,
  list,
  optional,
  paging,
  singleLine,
  timestamp,
} from './values.ts';

// Touchpoints that react to events of others, and to what is known of people. The rules: docs/event-graph.md

export const TouchpointEventType = z.object({
  touchpoint_type: z.enum(touchpointTypes),
  event_type: z.enum(causeTypes),
});
export type TouchpointEventType = z.infer<typeof TouchpointEventType>;

export const TouchpointEventAction = z.object({
  id,
  name: z.enum(reactionActions),
  /** Null for what begins with a person. */
  notifier_touchpoint_type: z.enum(touchpointTypes).nullable(),
  listener_touchpoint_type: z.enum(touchpointTypes),
});
export type TouchpointEventAction = z.infer<typeof TouchpointEventAction>;

const causeType = z.enum(causeTypes);
const pattern = optional(singleLine(maxPatternLength));

/** What makes a reaction void, if the contact did it since the cause. */
export const Unless = z.strictObject({
  event_type: causeType,
  event: pattern.default(null),
  /** Null: the touchpoint that notifies, and of an email the message of the cause. */
  touchpoint_id: id.nullable().default(null),
});
export type Unless = z.infer<typeof Unless>;

/** How many reactions of a listener are in each state. */
const Numbers = z.record(z.enum(reactionStates), z.number());

const SkipReason = z.object({ reason: z.enum(reactionReasons), count: z.number() });
export type SkipReason = z.infer<typeof SkipReason>;

const delay = z
  .string()
  .max(60, { error: 'Enter a duration by ISO 8601, such as P3D or PT2H.', abort: true })
  .regex(delayPattern, 'Enter a duration by ISO 8601, such as P3D or PT2H.')
  .refine((given) => daysOfDelay(given) <= maxDelayDays, `Use at most ${maxDelayDays} days.`);

export const TouchpointEventListener = z.object({
  id,
  touchpoint_event_id: id,
  listener_touchpoint_id: id,
  listener_name: z.string(),
  listener_status: z.enum(touchpointStatuses),
  /** ISO 8601, from the event on. */
  delay: z.string(),
  unless: Unless.nullable(),
  /** Whether a contact causes one reaction only, ever. */
  once_per_contact: z.boolean(),
  /** Whether what is due in the quiet hours of the brand waits until they end. */
  quiet_hours: z.boolean(),
  numbers: Numbers,
  /** Why reactions were skipped, the most frequent reason first. */
  skip_reasons: z.array(SkipReason),
  /** When the next waiting reaction is due; null for none, and while the event is switched off. */
  next_due_at: timestamp.nullable(),
  /** Reactions that were not made, because too many of the organization were waiting. */
  dropped_count: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type TouchpointEventListener = z.infer<typeof TouchpointEventListener>;

const Named = z.object({ id, name: z.string() });

export const TouchpointEvent = z.object({
  id,
  organization_id: id,
  /** In whose graph it is shown. */
  campaign_id: id,
  campaign: Named,
  brand: Named,
  client: Named,
  event_type: causeType,
  /** A pattern of links or paths, the name of a custom event, or a field of contacts, by the type (`eventMeanings`). */
  event: z.string().nullable(),
  is_active: z.boolean(),
  /** The touchpoint whose events these are; null for what begins with a person. */
  notifier_touchpoint_id: id.nullable(),
  notifier_name: z.string().nullable(),
  touchpoint_event_action_id: id,
  action: z.enum(reactionActions),
  /** Of a SIGN_UP. */
  form_id: id.nullable(),
  /** Of an ADD_CONTACT, CHANGE_FIELD or REACH_DATE. */
  collection: z.string().nullable(),
  /** Of a CHANGE_FIELD: the new value; null for any. */
  value: z.string().nullable(),
  /** Of a REACH_DATE: days from the date in the field, negative for before it. */
  days: z.number().nullable(),
  /** Of a REACH_DATE: whether it is reached each year, as a birthday is. */
  is_yearly: z.boolean(),
  listeners: z.array(TouchpointEventListener),
  created_at: timestamp,
  updated_at: timestamp,
});
export type TouchpointEvent = z.infer<typeof TouchpointEvent>;

const eventFields = {
  event_type: causeType,
  event: pattern,
  is_active: z.boolean(),
  notifier_touchpoint_id: id.nullable(),
  touchpoint_event_action_id: id,
  form_id: id.nullable(),
  collection: collectionName.nullable(),
  value: optional(singleLine(maxPatternLength)),
  days: z.int().min(-maxDelayDays).max(maxDelayDays).nullable(),
  is_yearly: z.boolean(),
};

const listenerFields = {
  listener_touchpoint_id: id,
  delay,
  unless: Unless.nullable(),
  once_per_contact: z.boolean(),
  quiet_hours: z.boolean(),
};

/** The event that a touchpoint reacted to. */
export const Cause = z.object({
  type: causeType,
  at: timestamp,
  /** Null for what began with a person, and for a touchpoint that is deleted. */
  touchpoint_id: id.nullable(),
  touchpoint_name: z.string().nullable(),
  /** The address of the link, the path of the page, the name of the event, the field, or the form. */
  detail: z.string().nullable(),
});
export type Cause = z.infer<typeof Cause>;

/** Why a contact gets a message, or got it, or did not. */
export const Reaction = z.object({
  id,
  /** Null once it is deleted, or its listener is. */
  touchpoint_event_id: id.nullable(),
  listener_id: id,
  action: z.enum(reactionActions),
  /** The email, or the website, that reacts. */
  touchpoint_id: id,
  touchpoint_name: z.string().nullable(),
  brand_id: id,
  /** Null once the brand is deleted. */
  client_id: id.nullable(),
  collection: z.string(),
  contact_id: z.string(),
  cause: Cause,
  /** Null while its event is switched off. */
  due_at: timestamp.nullable(),
  state: z.enum(reactionStates),
  reason: z.enum(reactionReasons).nullable(),
  /** When it got its state; null while it waits. */
  ended_at: timestamp.nullable(),
  /** The message that it became. */
  send_id: id.nullable(),
  seq: z.number().nullable(),
});
export type Reaction = z.infer<typeof Reaction>;

/** A loop of touchpoints, by their names: each notifies the next, and the last is the first. */
export const invalidTopology = {
  invalid_topology: {
    ...apiErrors.invalid_topology,
    data: z.object({ loop: z.array(z.object({ touchpoint_id: id, name: z.string() })) }),
  },
} as const;

/** What a change does to those who wait. */
const Effect = z.object({
  waiting: z.number(),
  /** Of them, those that are cancelled. */
  cancelled: z.number(),
  /** Of them, those that are due at once. */
  due_now: z.number(),
  /** Whether what is due goes out now: the email is active. */
  goes_out: z.boolean(),
});

const tag = 'Event graph';
const inOrganization = memberOperations(tag, 'organization_id');
const onEvent = memberOperations(tag, 'touchpoint_events');
const onCampaign = memberOperations(tag, 'campaigns');
const forAnybody = publicOperations(tag);

/** Whoever changes what sends email needs the permission to send it. */
const sends = { additionalPermissions: ['send Touchpoint'] } as const;

export const touchpointEventTypeList = forAnybody(
  'GET /touchpoint_event_types',
  'The events that touchpoints of each type emit',
).output(z.array(TouchpointEventType));

export const touchpointEventActionList = forAnybody(
  'GET /touchpoint_event_actions',
  'What touchpoints can do when an event happens',
).output(z.array(TouchpointEventAction));

export const touchpointEvents = {
  list: inOrganization('GET /touchpoint_events', 'Events with their listeners', 'read Touchpoint', {
    isExpensive: true,
  })
    .input({
      campaign_id: id.optional(),
      /** Those that it notifies of, and those that it listens to. */
      touchpoint_id: id.optional(),
    })
    .output({ items: z.array(TouchpointEvent) }),
  get: onEvent('GET /touchpoint_events/{id}', 'One event with its listeners', 'read Touchpoint', {
    isExpensive: true,
  }).output(TouchpointEvent),
  create: inOrganization('POST /touchpoint_events', 'React to an event', 'update Touchpoint', sends)
    .input({
      ...eventFields,
      campaign_id: id,
      event: eventFields.event.default(null),
      is_active: eventFields.is_active.default(false),
      notifier_touchpoint_id: eventFields.notifier_touchpoint_id.default(null),
      form_id: eventFields.form_id.default(null),
      collection: eventFields.collection.default(null),
      value: eventFields.value.default(null),
      days: eventFields.days.default(null),
      is_yearly: eventFields.is_yearly.default(false),
    })
    .errors({ ...tooManyRecords, ...pickErrors('campaign_archived') })
    .output(TouchpointEvent),
  update: onEvent(
    'PATCH /touchpoint_events/{id}',
    'Change an event, or switch it on or off',
    'update Touchpoint',
    sends,
  )
    .input(z.object(eventFields).omit({ event_type: true, notifier_touchpoint_id: true }).partial().shape)
    .errors(invalidTopology)
    .output(TouchpointEvent),
  delete: onEvent(
    'DELETE /touchpoint_events/{id}',
    'Delete an event with its listeners; what waits is cancelled',
    'update Touchpoint',
  ).output(deleted),
  createListener: onEvent(
    'POST /touchpoint_events/{id}/listeners',
    'Let a touchpoint react to an event',
    'update Touchpoint',
    sends,
  )
    .input({
      ...listenerFields,
      delay: delay.default('PT0S'),
      unless: listenerFields.unless.default(null),
      once_per_contact: listenerFields.once_per_contact.default(true),
      quiet_hours: listenerFields.quiet_hours.default(true),
    })
    .errors({ ...invalidTopology, ...tooManyRecords })
    .output(TouchpointEvent),
  updateListener: onEvent(
    'PATCH /touchpoint_events/{id}/listeners/{listener_id}',
    'Change how a touchpoint reacts; what waits gets the new delay',
    'update Touchpoint',
    sends,
  )
    .input({
      listener_id: id,
      ...z.object(listenerFields).omit({ listener_touchpoint_id: true }).partial().shape,
    })
    .errors(invalidTopology)
    .output(TouchpointEvent),
  deleteListener: onEvent(
    'DELETE /touchpoint_events/{id}/listeners/{listener_id}',
    'Let a touchpoint no longer react; what waits is cancelled',
    'update Touchpoint',
  )
    .input({ listener_id: id })
    .output(TouchpointEvent),
  effect: onEvent(
    'GET /touchpoint_events/{id}/effect',
    'What a change of the event or of one listener would do to those who wait',
    'read Touchpoint',
    { isExpensive: true },
  )
    .input({
      /** Undefined: of all listeners, if the event is deleted or switched. */
      listener_id: id.optional(),
      change: z.enum(['delay', 'delete', 'switch_off', 'switch_on']),
      /** The new one, of a change of the delay. */
      delay: delay.optional(),
    })
    .output(Effect),
  matches: inOrganization(
    'GET /touchpoint_event_matches',
    'The links, pages or names of stored events of the last 30 days, and which of them a pattern matches',
    'read Touchpoint',
    { isExpensive: true },
  )
    .input({
      notifier_touchpoint_id: id,
      event_type: z.enum(['CLICK', 'VIEW_PAGE', 'TRACK']),
      event: pattern.default(null),
    })
    .output({
      items: z
        .array(z.object({ value: z.string(), count: z.number(), is_matched: z.boolean() }))
        .max(maxRecords),
      /** Events of all values. */
      count: z.number(),
      matched_count: z.number(),
    }),
};

export const eventReactions = {
  list: inOrganization('GET /reactions', 'Reactions, those that are due next first', 'read Touchpoint', {
    // They name contacts.
    additionalPermissions: ['read Content'],
    isExpensive: true,
  })
    .input({
      touchpoint_id: id.optional(),
      listener_id: id.optional(),
      /** With `contact_id`: those of one contact. */
      collection: collectionName.optional(),
      contact_id: itemKey.optional(),
      state: z.enum(reactionStates).optional(),
      ...paging(),
    })
    .output(list(Reaction)),
  cancel: inOrganization('POST /reactions/{id}/cancel', 'Cancel a reaction that waits', 'update Touchpoint', {
    additionalPermissions: ['read Content'],
  })
    .input({ id })
    .errors(pickErrors('reaction_over'))
    .output(Reaction),
};

/** Graphs to begin with; each makes drafts of emails, and events that are not active. */
export const graphStarters = ['welcome_series', 'not_clicked', 'abandoned_form', 're_engagement'] as const;
export type GraphStarter = (typeof graphStarters)[number];

const Rehearsed = Reaction.omit({
  id: true,
  brand_id: true,
  client_id: true,
  ended_at: true,
  send_id: true,
  seq: true,
});

export const Rehearsal = z.object({
  from: timestamp,
  until: timestamp,
  /** By listener. */
  listeners: z.array(
    z.object({
      listener_id: id,
      sent: z.number(),
      done: z.number(),
      skipped: z.array(SkipReason),
      contacts: z.number(),
    }),
  ),
  /** The first of them by time. */
  items: z.array(Rehearsed).max(maxRecords),
  count: z.number(),
  /** Whether there were more events than a rehearsal reads. */
  is_cut: z.boolean(),
});
export type Rehearsal = z.infer<typeof Rehearsal>;

export const campaignGraph = {
  start: onCampaign('POST /campaigns/{id}/graph', 'Add a graph to begin with', 'update Touchpoint', sends)
    .input({ starter: z.enum(graphStarters), language: z.enum(['en', 'de']).default('en') })
    .errors({ ...tooManyRecords, ...quotaErrors, ...pickErrors('campaign_archived') })
    .output({ items: z.array(TouchpointEvent) }),
  rehearse: onCampaign(
    'GET /campaigns/{id}/rehearsal',
    'What the events of the last days would have caused, active or not, without sending',
    'read Touchpoint',
    { additionalPermissions: ['read Content'], isExpensive: true },
  )
    .input({ days: z.coerce.number<number>().int().min(1).max(30).default(30) })
    .output(Rehearsal),
};
