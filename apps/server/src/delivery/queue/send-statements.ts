import type { RecipientGroup } from '@reachout/contract/statuses.ts';
import { sendError } from '@reachout/contract/rules/send-errors.ts';
import { deliveringSendStatus, sendKinds, takesSingleMessages } from '@reachout/contract/states/send.ts';
import { unsubscribedAmong } from '../../content/audiences/unsubscribed-contacts.ts';
import type { PreparedStatement } from '../../platform/database/pipelined.ts';
import type { Recipient } from './delivery.ts';

// Pieces of the statements that lease deliveries and store their results. These run hundreds of times a second, so they
// are prepared, several in one round trip. $1 is the organization, $2 the send.
//
// Whoever changes what belongs to a message holds a lock: of the send, or of the chunk that the message belongs to
// while its lease is valid. Who needs both locks the send first. Transactions about one message then run one after the
// other, and each statement behind the lock sees all that was stored about it before. Without that, a worker that stores
// what another one recovers at the same moment would count a message twice.
//
// Rows are looked up by arrays and ranges that are worked out first, not by joins: while a send is young, PostgreSQL
// takes its tables for empty, and a join then walks the whole send for every row (22 ms instead of 1 for a chunk).

export interface SendKey {
  organizationId: string;
  sendId: string;
}

/** How long a lease holds without a sign of life. A worker that dies loses its leases at once (worker_is_alive). */
const leaseSeconds = 120;

/** A lane of which something may be taken. */
export interface WantedLane {
  lane: RecipientGroup;
  /** Messages that may be taken, or of a chunk marked ahead, at most. */
  limit: number;
}

export const ofSend = 'organization_id = $1 and send_id = $2';
export const sendRow = 'touchpoint_sends where organization_id = $1 and id = $2';
export const isSending = `exists (select from ${sendRow} and status = '${deliveringSendStatus}')`;
/** Of `touchpoint_sends s`. */
export const isSendingRow = `s.status = '${deliveringSendStatus}'`;
/** Of `touchpoint_sends s`: a worker looks at it next, unless the send waits after a failure, or for a person. */
export const dueNow = `case when not ${isSendingRow} then next_due_at
    when failure_count = 0 then now() else coalesce(next_due_at, now()) end`;
/** Of `touchpoint_sends s`: what was wrong is over once messages are taken. @param sent  how many were */
export const errorAfter = (sent: string) =>
  `case when ${isSendingRow} and failure_count = 0 and ${sent} > 0 then null else error end`;
/** What is counted in a chunk while it is worked on. */
export const countColumns = [
  'sent_count',
  'bounced_count',
  'failed_count',
  'suppressed_count',
  'uncertain_count',
] as const;
/** Sets the counters of a send. @param counted  has `countColumns` */
export const addCounts = (counted: string) => `
  recipients_accepted_count = recipients_accepted_count + ${counted}.sent_count,
  recipients_total_sent_count = recipients_total_sent_count + ${counted}.sent_count,
  recipients_total_delivery_failed_count = recipients_total_delivery_failed_count + ${counted}.bounced_count,
  recipients_total_failed_count = recipients_total_failed_count + ${counted}.failed_count,
  recipients_suppressed_count = recipients_suppressed_count + ${counted}.suppressed_count,
  recipients_uncertain_count = recipients_uncertain_count + ${counted}.uncertain_count`;
export const leaseEnd = `now() + make_interval(secs => ${leaseSeconds})`;

export const lockSend: PreparedStatement = {
  name: 'lock_send',
  text: `select from ${sendRow} for no key update`,
};

export const workerStopped = sendError('worker_stopped');

/** When something unclear is tried again: by itself once only, so that nobody gets a message more than twice. */
export const uncertainDueAt = (isFirst: string) =>
  `case when ${isFirst} and (select uncertain_policy from ${sendRow}) = 'retry' then now() end`;

/** Of `suppressions p`. */
const isOfBrand = `subscription_state(p.reason, p.brand_id, (select brand_id from ${sendRow})) is not null`;

const toRecipients = (columns: string) => `
  select coalesce(json_agg(json_build_object('seq', seq, 'contact_id', contact_id, 'address', address,
      'variables', variables, 'tries', tries, ${columns}
      'is_suppressed', lower(address) in (select address_key from suppressed)) order by seq), '[]') as recipients
  from recipient`;

/** Rows of `recipient` (seq, contact_id, address, variables, tries) as one array of `Recipient`, by seq. */
export const recipientsAsJson = toRecipients('');
/** The same with `created_at`, for messages that are leased one by one. */
export const singleRecipientsAsJson = toRecipients(`'created_at', created_at,`);
/** The same with `lane`. */
export const queuedRecipientsAsJson = toRecipients(`'created_at', created_at, 'lane', lane,`);

export interface RecipientsRow {
  recipients: Recipient[];
}

const recipientAddresses = 'array(select lower(address) from recipient)';

const singleKinds = sendKinds.filter((kind) => takesSingleMessages({ kind }));

// An audience was asked for its contacts' consent when it was stored; single messages have none.
export const suppressedRecipients = `
  select p.address_key from suppressions p
  where p.organization_id = $1 and p.address_key = any(${recipientAddresses}) and ${isOfBrand}
  union all
  select c.address_key from (${unsubscribedAmong(recipientAddresses)}) c
  where (select kind from ${sendRow}) = any('{${singleKinds.join(',')}}')`;

/** A suppression may have been under way for this long when it was looked for. */
const suppressionOverlapSeconds = 60;

export const hasNewlySuppressed = (since: string) => `
  exists (select from suppressions where organization_id = $1
    and created_at > ${since} - make_interval(secs => ${suppressionOverlapSeconds}))`;
