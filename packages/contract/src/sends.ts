import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { BrandSummary } from './clients.ts';
import { apiErrors, pickErrors } from './errors.ts';
import { Cause } from './event-graph.ts';
import { dailyLimitReached, invalidTransition, memberOperations } from './operation.ts';
import { quotaErrors } from './organizations.ts';
import {
  exclusionReasons,
  reactions,
  recipientFilters,
  recipientStates,
  uncertainPolicies,
} from './statuses.ts';
import { liveSendKinds, sendKinds, sendStatuses } from './states/send.ts';
import { AudienceBreakdown } from './filters.ts';
import { reviewChecks, reviewVersion } from './touchpoints.ts';
import { csvFile, id, timestamp, list, order, paging, search } from './values.ts';
import { SendError } from './send-error.ts';

/** Throughput of a send: the average of about the last 10 s, as measured by the responding process. */
export const SendPace = z.object({
  per_minute: z.number(),
  /** Seconds until no recipient is queued, at this pace. */
  seconds_left: z.number(),
});
export type SendPace = z.infer<typeof SendPace>;

/** The error in English, for API clients, and as a code with values, for the screens. */
export const errorFields = { error_content: z.string().nullable(), error: SendError.nullable() };

/**
 * One run of an email touchpoint over its audience, or the single messages that it takes. The counters do not overlap: every
 * recipient is in exactly one state, and `recipients_total_count` is their sum.
 */
export const Send = z.object({
  id,
  organization_id: id,
  touchpoint_id: id,
  kind: z.enum(sendKinds),
  /** The send that a follow-up belongs to. */
  parent_send_id: id.nullable(),
  /** Null for a send that was started by hand, and once its schedule was deleted. */
  schedule_id: id.nullable(),
  /** The planned time, also if it started later; null for a send that was started by hand. */
  occurrence_at: timestamp.nullable(),
  /** IANA name of its schedule. */
  time_zone: z.string().nullable(),
  /** Key of the content item that it was confirmed with. */
  item_id: z.string().nullable(),
  /** Its title at that time, or its key. */
  item_title: z.string().nullable(),
  /** One of several sends of its touchpoint, which do not change its status. */
  in_series: z.boolean(),
  status: z.enum(sendStatuses),
  /** Scheduled or actual start. */
  send_date: timestamp,
  end_date: timestamp.nullable(),
  uncertain_policy: z.enum(uncertainPolicies),
  /** Why it waits, paused or failed, and what to do. */
  ...errorFields,
  recipients_total_count: z.number(),
  /** Waiting or in progress: the total minus all other counts. */
  recipients_queued_count: z.number(),
  recipients_total_sent_count: z.number(),
  /** Of the sent messages, those whose opens and clicks are not measured. */
  recipients_not_measured_count: z.number(),
  /** Rejected by the mail server because of the address or mailbox, immediately or by a bounce. */
  recipients_total_delivery_failed_count: z.number(),
  recipients_total_failed_count: z.number(),
  recipients_suppressed_count: z.number(),
  recipients_skipped_count: z.number(),
  recipients_cancelled_count: z.number(),
  recipients_uncertain_count: z.number(),
  /** Null unless the send is in progress, until the pace is known, and for single messages. */
  pace: SendPace.nullable(),
  /**
   * Set if no message is in progress or due before this time: `error_content` has the reason, or messages wait for their
   * next attempt. Otherwise null.
   */
  waits_until: timestamp.nullable(),
  /** The audience when the send's snapshot of it was taken; null until then. */
  audience_breakdown: AudienceBreakdown.nullable(),
  created_at: timestamp,
  touchpoint: z.object({ id, name: z.string() }),
  campaign: z.object({ id, name: z.string() }),
  brand: BrandSummary,
});
export type Send = z.infer<typeof Send>;

/** A contact that matched the send's rule: its delivery, or the reason why there is none. */
export const Recipient = z.object({
  /** Number of the delivery; null for an excluded contact. */
  seq: z.number().nullable(),
  contact_id: z.string(),
  /** Null if the contact has no address. */
  address: z.string().nullable(),
  state: z.enum(recipientStates),
  /** Only set for excluded contacts. */
  exclusion_reason: z.enum(exclusionReasons).nullable(),
  /** Of a message that reacts to an event of the contact. */
  cause: Cause.nullable(),
  attempts: z.number(),
  /** The transport of the organization that the message went to; null for that of the installation, and without an attempt. */
  transport: z.string().nullable(),
  /** The mail server's reply to the last attempt. */
  reply: z.string().nullable(),
  /** Set if the last attempt ended without a reply. */
  ...errorFields,
  next_attempt_at: timestamp.nullable(),
  at: timestamp.nullable(),
});
export type Recipient = z.infer<typeof Recipient>;

/** What is sent, to whom and by whom: fixed when a user confirmed the send, regardless of later changes. */
export const SendReceipt = z.object({
  /** When it was confirmed last. */
  confirmed_at: timestamp,
  /** Name of the person who confirmed the send; null if the account was deleted. */
  started_by: z.string().nullable(),
  /** The name that the audience had then; null for single messages. */
  audience: z.string().nullable(),
  /** The topic by its present name; null if it had none, or the topic was deleted since. */
  topic: z.string().nullable(),
  /** Recipients that were counted then; the audience is read again when the send starts. */
  recipients_confirmed: z.number(),
  from: z.object({ name: z.string(), email: z.string() }),
  /** The transports that messages went to, in the order of their first; null for that of the installation. Empty before it starts. */
  transports: z.array(z.string().nullable()),
  reply_to: z.string().nullable(),
  /** The subject as written, including merge tags. */
  subject: z.string(),
  /** The fields of a recipient that the email reads, such as those of `data` in POST /messages; null if it may read any. */
  contact_fields: z.array(z.string()).nullable(),
  /** The email of one recipient; null if it cannot be rendered. */
  shown: z
    .object({
      /**
       * The first recipient who got it, or else the next one who will. Null if it is rendered without a recipient: for single
       * messages, without access to contacts, and if there is nobody whose message could be shown.
       */
      to: z.string().nullable(),
      /** Whether this recipient has got it. */
      is_sent: z.boolean(),
      subject: z.string(),
      preheader: z.string(),
      html: z.string(),
      text: z.string(),
    })
    .nullable(),
});
export type SendReceipt = z.infer<typeof SendReceipt>;

/** For operations that check an email before it is sent. */
export const sendBlocked = {
  send_blocked: {
    ...apiErrors.send_blocked,
    data: z.object({
      checks: z.array(z.object({ check: z.enum(reviewChecks), message: z.string().nullable() })),
    }),
  },
} as const;

/** Columns by which the sends of a touchpoint can be sorted. */
const sendListColumns = [
  'created_at',
  'send_date',
  'status',
  'recipients_total_count',
  'recipients_total_sent_count',
] as const;

/** Filters of recipients, all of which must match. */
export const recipientFilter = {
  state: z.enum(recipientFilters).optional(),
  /** Requires `read` on statistics, like `link`. */
  reaction: z.enum(reactions).optional(),
  /** The number of a link that the recipient clicked, as in the statistics. */
  link: z.coerce.number<number>().int().min(0).max(10_000).optional(),
  /** A part of the address, or the full contact id. */
  search,
};
export type RecipientFilters = z.output<z.ZodObject<typeof recipientFilter>>;

/** What a member confirms with a send. */
export const sendConfirmation = {
  /** That of the organization if omitted. */
  uncertain_policy: z.enum(uncertainPolicies).optional(),
  /** The number that was shown and confirmed; the request is rejected if the number is another one now. */
  expected_recipients: z.number().int().min(0).optional(),
  /** The audience that was named and confirmed; another one of the same size is rejected, too. */
  expected_filter_id: id.optional(),
  expected_version: reviewVersion.optional(),
  /** Confirms that sample text and links which a template began with are to be sent; otherwise they block the send. */
  sends_sample_content: z.boolean().default(false),
};
export type SendConfirmation = z.output<z.ZodObject<typeof sendConfirmation>>;

/** Why an email is not confirmed. */
export const startErrors = {
  ...invalidTransition,
  ...sendBlocked,
  ...pickErrors('campaign_archived', 'changed_elsewhere'),
  ...quotaErrors,
  audience_changed: {
    ...apiErrors.audience_changed,
    data: z.object({ expected: z.number(), actual: z.number() }),
  },
};

const onTouchpoint = memberOperations('Sends', 'touchpoints');
const inOrganization = memberOperations('Sends', 'organization_id');
const onSend = memberOperations('Sends', 'touchpoint_sends');

export const sends = {
  start: onTouchpoint(
    'POST /touchpoints/{id}/sends',
    'Send an email touchpoint to its audience, or activate it for single messages',
    'send Touchpoint',
    { successStatus: 201, manualTransaction: true, isExpensive: true },
  )
    .input({
      /** `triggered`: no audience; the email takes single messages (POST /messages) until the send is cancelled. */
      kind: z.enum(liveSendKinds).default('campaign'),
      /** Whether to start at once instead of in one minute. */
      immediately: z.boolean().default(false),
      ...sendConfirmation,
    })
    .errors(startErrors)
    .output(Send),
  listOfTouchpoint: onTouchpoint(
    'GET /touchpoints/{id}/sends',
    'Sends of a touchpoint but tests',
    'read Touchpoint',
  )
    .input({ order: order(sendListColumns, 'created_at.desc'), ...paging() })
    .output(list(Send)),
  recent: inOrganization('GET /sends/recent', 'The five newest sends but tests', 'read Touchpoint')
    .input({ client_id: id.optional() })
    .output(z.array(Send)),
  get: onSend('GET /sends/{id}', 'One send', 'read Touchpoint').output(Send),
  receipt: onSend(
    'GET /sends/{id}/receipt',
    'What is sent, to whom and by whom, as it was confirmed',
    'read Touchpoint',
    {
      manualTransaction: true,
      isExpensive: true,
    },
  ).output(SendReceipt),
  progress: onSend(
    'GET /sends/{id}/progress',
    'Progress of a send, as server-sent events',
    'read Touchpoint',
    { manualTransaction: true },
  ).output(eventIterator(Send)),
  deliveries: onSend(
    'GET /sends/{id}/deliveries',
    'Deliveries of a send, and the contacts excluded from it; single messages with the newest first',
    'read Touchpoint',
  )
    .input({ ...recipientFilter, ...paging() })
    .output(
      list(Recipient).extend({
        /** The collection of the contacts; null if the recipients are none, as those of single messages. */
        collection: z.string().nullable(),
      }),
    ),
  pause: onSend('POST /sends/{id}/pause', 'Pause a send, or hold one that has not started', 'send Touchpoint')
    .errors(invalidTransition)
    .output(Send),
  resume: onSend(
    'POST /sends/{id}/resume',
    'Resume a paused or held send; a held one whose time has passed starts in one minute',
    'send Touchpoint',
  )
    .errors(invalidTransition)
    .output(Send),
  cancel: onSend('POST /sends/{id}/cancel', 'Cancel a send', 'send Touchpoint')
    .errors(invalidTransition)
    .output(Send),
  followUp: onSend(
    'POST /sends/{id}/follow_ups',
    'Send again to those whose delivery failed',
    'send Touchpoint',
    { successStatus: 201 },
  )
    .input({
      /** Whether to start at once instead of in one minute. */
      immediately: z.boolean().default(false),
    })
    .errors({
      ...dailyLimitReached,
      ...invalidTransition,
      ...pickErrors('nothing_to_follow_up', 'campaign_archived'),
      ...quotaErrors,
    })
    .output(Send),
  resolveUncertain: onSend(
    'POST /sends/{id}/uncertain',
    'Resolve the uncertain deliveries of a send',
    'send Touchpoint',
  )
    .input({ decision: z.enum(['retry', 'treat_as_sent']) })
    .errors(invalidTransition)
    .output(Send),
};

export const recipientsExport = onSend(
  'GET /sends/{id}/deliveries/export',
  'The recipients of a send as a CSV file: how each delivery ended, and what came back',
  'read Statistics',
  {
    // The export has all addresses and actions at once: more than a user with access to one list of one client may see.
    additionalPermissions: ['read Content'],
    isExpensive: true,
  },
)
  .input({ ...recipientFilter })
  .output(csvFile);
