import type { RecipientGroup } from '@reachout/contract/statuses.ts';
import { sendError } from '@reachout/contract/rules/send-errors.ts';
import { deliveringSendStatus, sendKinds, takesSingleMessages } from '@reachout/contract/states/send.ts';
import { statement } from '../platform/database/pipelined.ts';

// Parts of the statements that lease deliveries and store their results. These run hundreds of times a second, so they
// are prepared, and several share one round trip. $1 is the organization, $2 the send.
//
// A transaction that changes the rows of a message holds a lock: on the message's chunk while its lease is valid, or else on
// the send. A transaction that needs both locks the send first. Transactions about one message are thereby serialized, and
// each statement after the lock sees everything stored before. Without the lock, a message would be counted twice if one
// worker stored its result while another recovered it.
//
// Rows are looked up by arrays and ranges that are computed first, not by joins: while a send is new, PostgreSQL estimates
// its tables as empty, and a join then scans the whole send for every row (22 ms instead of 1 for a chunk).

export interface SendKey {
  organizationId: string;
  sendId: string;
}

/** Lifetime of a lease that is not renewed. A worker that dies loses its leases at once (worker_is_alive). */
const leaseSeconds = 120;

/** A lane from which messages may be leased. */
export interface WantedLane {
  lane: RecipientGroup;
  /** Maximum number of messages to lease, or to mark in a chunk. */
  limit: number;
}

export const ofSend = 'organization_id = $1 and send_id = $2';
export const sendRow = 'touchpoint_sends where organization_id = $1 and id = $2';
export const isSending = `exists (select from ${sendRow} and status = '${deliveringSendStatus}')`;
/** Condition on `touchpoint_sends s`. */
export const isSendingRow = `s.status = '${deliveringSendStatus}'`;
/** `next_due_at` for `touchpoint_sends s`: now, unless the send waits after a failure or is not `sending`. */
export const dueNow = `case when not ${isSendingRow} then next_due_at
    when failure_count = 0 then now() else coalesce(next_due_at, now()) end`;
/** `error` for `touchpoint_sends s`: cleared once messages are accepted. @param sent  number of accepted messages */
export const errorAfter = (sent: string) =>
  `case when ${isSendingRow} and failure_count = 0 and ${sent} > 0 then null else error end`;
/** Counters of a chunk while it is being processed. */
export const countColumns = [
  'sent_count',
  'bounced_count',
  'failed_count',
  'suppressed_count',
  'uncertain_count',
  'not_measured_count',
] as const;
/** Adds to the counters of a send. @param counted  a row with `countColumns` */
export const addCounts = (counted: string) => `
  recipients_accepted_count = recipients_accepted_count + ${counted}.sent_count,
  recipients_total_sent_count = recipients_total_sent_count + ${counted}.sent_count,
  recipients_total_delivery_failed_count = recipients_total_delivery_failed_count + ${counted}.bounced_count,
  recipients_total_failed_count = recipients_total_failed_count + ${counted}.failed_count,
  recipients_suppressed_count = recipients_suppressed_count + ${counted}.suppressed_count,
  recipients_uncertain_count = recipients_uncertain_count + ${counted}.uncertain_count,
  recipients_not_measured_count = recipients_not_measured_count + ${counted}.not_measured_count`;
export const leaseEnd = `now() + make_interval(secs => ${leaseSeconds})`;

export const lockSend = statement('lock_send')`select from ${sendRow} for no key update`;

/** Keeps the status of the send as it is until the transaction ends; several workers can hold this lock. */
export const shareSend = statement('share_send')`select from ${sendRow} for share`;

export const workerStopped = sendError('worker_stopped');

/** How long providers of the send's transports may need to say what they took; null without one (`keepTransport`). */
const evidence = `(select max((t ->> 'evidence_ms')::float8) * interval '1 ms'
  from touchpoint_send_contents, jsonb_array_elements(transports) t where ${ofSend})`;

/**
 * When an uncertain message is retried: automatically once only, so that no recipient gets it more than twice. A provider may still say
 * that it has the message, whatever the policy is.
 */
export const uncertainDueAt = (isFirst: string) =>
  `case when ${isFirst} then coalesce(now() + ${evidence},
    case when (select uncertain_policy from ${sendRow}) = 'retry' then now() end) end`;

/** When a message that a dead worker had under way was handed over at the earliest: providers are asked for what came since. */
export const handedOverAt = `now() - case when ${evidence} is null then interval '0' else interval '10 minutes' end`;

/** Columns of `deliveries` for `recipient`, from which the following statements read. */
export const recipientColumns =
  'seq, contact_id, address, lower(address) as address_key, variables, tracked, tracking_consent';

// Whole rows become JSON for a third less than with json_build_object, which looks up its arguments' types for each row.
const toRecipients = ({ columns = '', orMarked = '' } = {}) => `
  select coalesce(json_agg(r order by seq), '[]') as recipients
  from (
    select seq, contact_id, address, variables, tries, ${columns}
      tracked and seq not in (select seq from unmeasured) as tracked,
      address_key in (select address_key from suppressed)${orMarked} as is_suppressed
    from recipient
    offset 0
  ) r`;
const orMarked = ' or seq in (select seq from marked)';

/** Rows of `recipient` (`recipientColumns`, tries), with `judgedAudience`, as one array of `Recipient`, by seq. */
export const recipientsAsJson = toRecipients();
/** The same with `created_at`, for queued messages: with `judgedRecipients`. */
export const singleRecipientsAsJson = toRecipients({ columns: 'created_at,', orMarked });
/** The same with `lane`. */
export const queuedRecipientsAsJson = toRecipients({ columns: 'created_at, lane,', orMarked });

const recipientKeys = 'array(select address_key from recipient)';

const singleKinds = sendKinds.filter((kind) => takesSingleMessages({ kind }));

// Brand and topic come as columns: PostgreSQL inlines the function only if no argument is a subquery. Who tests an email need
// not have chosen its topic. The function about the topic is not called for emails without one, which are most.
/** Further tables of a statement with `recipient`: `suppressed` (address_key). */
export const suppressedRecipients = `
  sender as materialized (select brand_id, topic_id, kind from ${sendRow}),
  record as materialized (
    select r.address_key,
      subscription_state(r.value, r.brand_id, r.topic_id, r.until, s.brand_id, s.topic_id) as state
    from sender s
    cross join consent_records r
    where r.organization_id = $1 and r.address_key = any(${recipientKeys})
  ), suppressed as materialized (
    select address_key from record where state <> 'subscribed'
    union all
    select address_key from recipient
    where (select state_without_choice($1, topic_id) from sender where kind <> 'test' and topic_id is not null) is not null
      and address_key not in (select address_key from record where state = 'subscribed')
  )`;

// An audience snapshot already excluded contacts that were marked as unsubscribed; a single message remembers it for itself.
const marked = `
  marked as materialized (
    select r.seq from recipient r
    where (select kind from sender) = any('{${singleKinds.join(',')}}')
      and (select m.is_unsubscribed from messages m where ${ofSend} and m.seq = r.seq)
  )`;

// The recipients whose opens and clicks are not measured although that was decided with the audience: the address or the brand
// has decided otherwise since. The lookups are hashed; a join would compare each recipient with each choice.
const unmeasured = `
  choice as materialized (
    select address_key, is_allowed from tracking_records
    where organization_id = $1 and address_key = any(${recipientKeys}) and brand_id = (select brand_id from sender)
  ), unmeasured as materialized (
    select r.seq
    from (
      select seq, tracking_consent, case
          when address_key in (select address_key from choice where is_allowed) then true
          when address_key in (select address_key from choice where not is_allowed) then false
        end as is_allowed
      from recipient
      where tracked
      offset 0
    ) r
    where is_tracked(
      (select tracking_policy from tracking_policies where organization_id = $1 and brand_id = (select brand_id from sender)),
      r.is_allowed, r.tracking_consent) is not true
  )`;

/** Further tables of a statement with `recipient`, for messages of an audience: `suppressed` (address_key) and `unmeasured` (seq). */
export const judgedAudience = `${suppressedRecipients}, ${unmeasured}`;
/** The same for messages of any send, with `marked` (seq). */
export const judgedRecipients = `${judgedAudience}, ${marked}`;

/** Keeps what is `unmeasured`, so that a later attempt, a follow-up and a decision about the message know it. */
export const storeUntracked = `
  update deliveries set tracked = false where ${ofSend} and seq = any(array(select seq from unmeasured))`;

/** Maximum time between `changed_at` of a record and its commit, during which a lease does not see it. */
const overlapSeconds = 60;

export const hasNewlySuppressed = (since: string) => `
  exists (select from consent_records where organization_id = $1
    and changed_at > ${since} - make_interval(secs => ${overlapSeconds}))`;
