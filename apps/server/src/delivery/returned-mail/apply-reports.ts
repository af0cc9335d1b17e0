import { sendError } from '@reachout/contract/rules/send-errors.ts';
import {
  isAboutAddress,
  liftBounced,
  suppressBounced,
  suppressComplained,
} from '../../contacts/consent/suppress-addresses.ts';
import { aboutMessage } from '../../events/event.ts';
import { eventSteps, listWithEvent, storeEventsIn } from '../../events/store-events.ts';
import type { SendRef } from '../../identity/access/send-ref.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { runSteps } from '../../platform/database/pipelined.ts';
import { newId } from '../../platform/ids.ts';
import {
  bouncesToLift,
  isNearlyAll,
  resultsToJudge,
  senderClasses,
  senderRejectionsToPause,
} from '../../queue/delivery.ts';
import {
  countWindows,
  findReported,
  storeLateBounces,
  windowOf,
  windowSize,
  type LateBounce,
  type ReportedMessage,
  type ResultWindow,
} from '../../queue/late-results.queries.ts';
import { acceptUncertain } from '../../queue/resolve-uncertain.queries.ts';
import { lockSendIfThere } from '../../queue/send.queries.ts';
import { isStoredAsBounced } from '../worker/finished-message.ts';
import { pauseOnErrors } from '../sends/change-send.ts';

/**
 * Applies what reports say about messages of one send, in a transaction of its organization. Repeated reports, and those about
 * messages that failed already, change nothing.
 * @param bounces  of distinct messages
 * @returns the messages that have no result yet: their reports are to be read again later
 */
export async function applyBounces(
  trx: Transaction,
  send: SendRef,
  bounces: readonly LateBounce[],
): Promise<ReadonlySet<number>> {
  const { organizationId, sendId } = send;
  if (bounces.length === 0 || !(await lockReported(trx, send))) return new Set();
  const reported = await storeLateBounces(trx, send, bounces);
  const changed = reported.filter(({ is_changed }) => is_changed);
  if (changed.length > 0) {
    const now = new Date();
    const events = changed.map(({ seq }) => aboutMessage('BOUNCE', { ...send, seq }, now));
    await runSteps(trx, eventSteps(organizationId, events, isStoredAsBounced));
    const rejected = await judge(trx, send, bounces, changed);
    const about = new Map(bounces.map((bounce) => [bounce.seq, bounce.class]));
    const addresses = changed.flatMap(({ seq, address_key: addressKey }) => {
      const of = about.get(seq)!;
      const isEvidence = addressKey !== '' && isAboutAddress(of) && !rejected.has(windowOf(seq));
      return isEvidence ? [{ id: newId(), seq, addressKey, class: of }] : [];
    });
    if (addresses.length > 0)
      await runSteps(trx, [suppressBounced(organizationId, sendId, addresses, { isLate: true })]);
  }
  // A worker may have stored the result of a message just behind the statement that changes the others.
  const isUndecided = ({ state, is_changed }: ReportedMessage) =>
    !is_changed && (state === null || state === 'sent');
  return new Set(reported.filter(isUndecided).map(({ seq }) => seq));
}

/**
 * Counts messages as sent of which nobody knew whether they were: their provider has taken them.
 * @returns as `applyBounces`
 */
export async function applyAccepted(
  trx: Transaction,
  send: SendRef,
  seqs: readonly number[],
): Promise<ReadonlySet<number>> {
  if (!(await lockReported(trx, send))) return new Set();
  await acceptUncertain(trx, send, seqs);
  const reported = await findReported(trx, send, seqs);
  return new Set(reported.filter(({ state }) => state === null).map(({ seq }) => seq));
}

/** @returns false for a test, and for a send that was erased */
const lockReported = async (trx: Transaction, { sendId, isTest }: SendRef): Promise<boolean> =>
  !isTest && (await lockSendIfThere(trx, sendId)) !== undefined;

/**
 * While nearly everybody of some consecutive messages is reported, the mail server or the list is the cause: nobody of them is
 * suppressed, and the send pauses, as it does when the server rejects them in the dialog (docs/decisions/0080). So it does when reports
 * say that its sender is not trusted.
 * @returns the first messages of these windows
 */
async function judge(
  trx: Transaction,
  send: SendRef,
  bounces: readonly LateBounce[],
  changed: readonly ReportedMessage[],
): Promise<Set<number>> {
  const seqs = changed.map(({ seq }) => seq);
  const rejected = new Set<number>();
  for (const window of await countWindows(trx, send, seqs)) {
    const { first_seq: from, bounced, sent } = window;
    const own = bounces.filter(({ seq }) => seqs.includes(seq) && windowOf(seq) === from);
    const isRejected = bounced >= bouncesToLift && isNearlyAll(bounced, sent);
    if (isRejected) {
      rejected.add(from);
      await liftBounced(trx, send.sendId, { from, to: from + windowSize - 1 });
    }
    const reason = reasonToPause(window, own);
    if (reason !== undefined) await pauseOnErrors(trx, send.sendId, reason, { doubtfulMs: 0 });
  }
  return rejected;
}

/** Once for each window, so that a member who resumes the send decides. */
function reasonToPause({ bounced, sent, of_sender }: ResultWindow, own: readonly LateBounce[]) {
  const reply = own.at(-1)?.reply ?? '';
  const ownOfSender = own.filter(({ class: of }) => senderClasses.includes(of)).length;
  if (of_sender >= senderRejectionsToPause && of_sender - ownOfSender < senderRejectionsToPause)
    return sendError('sender_rejected', { reply });
  const isMost = (rejected: number, others: number) =>
    rejected >= resultsToJudge && isNearlyAll(rejected, others);
  if (isMost(bounced, sent) && !isMost(bounced - own.length, sent + own.length))
    return sendError('mostly_rejected', { rejected: bounced, count: bounced + sent, reply });
  return undefined;
}

/**
 * Stores that recipients marked messages as unwanted, and suppresses their addresses for all brands: whatever is known of a message,
 * who complains has got it. It counts as a complaint about what was delivered; so does one about a message of which nobody knew whether
 * it was accepted.
 * @param complaints  by message. Those that are not proven suppress, but do not count
 * @returns as `applyBounces`
 */
export async function applyComplaints(
  trx: Transaction,
  send: SendRef,
  complaints: ReadonlyMap<number, { isProven: boolean }>,
): Promise<ReadonlySet<number>> {
  if (!(await lockReported(trx, send))) return new Set();
  const seqs = [...complaints.keys()];
  const isProven = (seq: number) => complaints.get(seq)?.isProven === true;
  await acceptUncertain(trx, send, seqs.filter(isProven));
  const reported = await findReported(trx, send, seqs);
  const known = await listWithEvent(trx, 'COMPLAINT', send, seqs);
  const fresh = reported.filter(({ seq }) => !known.includes(seq));
  const byAddress = new Map(fresh.map(({ seq, address_key }) => [address_key, seq]));
  byAddress.delete('');
  await suppressComplained(trx, send, byAddress);
  const added = fresh.filter(({ seq, state }) => state === 'sent' && isProven(seq));
  const now = new Date();
  const events = added.map(({ seq }) => aboutMessage('COMPLAINT', { ...send, seq }, now));
  await storeEventsIn(trx, send.organizationId, events);
  const undecided = fresh.filter(({ seq, state }) => state === null && isProven(seq));
  return new Set(undecided.map(({ seq }) => seq));
}
