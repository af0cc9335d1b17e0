import type { TouchpointStatus } from './touchpoint.ts';
import { isPossible, listOpen, type Transitions } from './transitions.ts';

/**
 * The purpose of a send: an audience (`campaign`), single messages on request (`triggered`), recipients whose delivery
 * failed in another send (`follow_up`), or a trial of an email before its real send (`test`; docs/sending.md).
 */
export const sendKinds = ['campaign', 'triggered', 'follow_up', 'test'] as const;
export type SendKind = (typeof sendKinds)[number];

/** Sends of these kinds make a touchpoint go live. */
export const liveSendKinds = ['campaign', 'triggered'] as const satisfies readonly SendKind[];

/** Whether its messages are requested individually instead of coming from an audience. */
export const takesSingleMessages = ({ kind }: { kind: SendKind }): boolean =>
  kind === 'triggered' || kind === 'test';

export const sendStatuses = [
  'queued',
  'held',
  'preparing',
  'sending',
  'paused',
  'completed',
  'cancelled',
  'failed',
] as const;
export type SendStatus = (typeof sendStatuses)[number];

/**
 * The label of a send in lists: a completed one is `sent`, unless it did not reach everyone. A few bounces are normal for any
 * list, but many are not a success.
 */
export const sendOutcomes = [
  'queued',
  'held',
  'preparing',
  'sending',
  'paused',
  'sent',
  'mostly_sent',
  'partly_sent',
  'nothing_sent',
  'cancelled',
  'failed',
] as const;
export type SendOutcome = (typeof sendOutcomes)[number];

/** Minimum share of recipients reached for `mostly_sent`. */
const mostlySentShare = 0.95;

/** @param sent  number out of `recipients`, from the send's counters */
export function outcomeOfSend(send: { status: SendStatus; recipients: number; sent: number }): SendOutcome {
  const { status, recipients, sent } = send;
  if (status !== 'completed') return status;
  if (sent === recipients) return 'sent';
  if (sent === 0) return 'nothing_sent';
  return sent >= mostlySentShare * recipients ? 'mostly_sent' : 'partly_sent';
}

/**
 * A send whose time has not come is `queued`. It is `held` if a member paused it before it started, or if its time passed while
 * no worker was running: nothing is sent until a member decides. One that takes its audience snapshot cannot be paused.
 */
export const sendTransitions: Transitions<SendStatus> = {
  queued: ['held', 'preparing', 'cancelled', 'failed'],
  held: ['queued', 'cancelled'],
  preparing: ['held', 'sending', 'cancelled', 'failed'],
  sending: ['paused', 'completed', 'cancelled'],
  paused: ['sending', 'cancelled'],
  completed: [],
  cancelled: [],
  failed: [],
};

/**
 * A touchpoint has at most one send of `liveSendKinds` in these, as in the index `touchpoint_sends_one_open`, unless it is
 * sent in a series.
 */
export const openSendStatuses = listOpen(sendStatuses, sendTransitions);

/** Statuses in which a send goes on when a member resumes it. */
export const stoppedSendStatuses: readonly SendStatus[] = ['held', 'paused'];

/** Statuses in which workers process a send; they also process a cancelled one until it has ended (`due_sends`). */
export const workingSendStatuses = openSendStatuses.filter((status) => !stoppedSendStatuses.includes(status));

/** Statuses of sends of which nothing has started. */
export const comingSendStatuses = ['queued', 'held'] as const satisfies readonly SendStatus[];

/** An occurrence of a schedule that has no send yet, in calendars. */
export const plannedStatus = 'planned';

/** The status in which messages are being sent and started. */
export const deliveringSendStatus = 'sending' satisfies SendStatus;

interface Send {
  status: SendStatus;
}

const hasStarted = ({ status }: Send): boolean => status === 'sending' || status === 'paused';

export const sendCan = {
  /** Nothing has started, so a cancel leaves no trace, and the time can be changed. */
  undo: ({ status }: Send) => status === 'queued' || status === 'held',
  pause: ({ status }: Send) => isPossible(sendTransitions, status, 'paused'),
  hold: ({ status }: Send) => status === 'queued',
  resume: ({ status }: Send) => stoppedSendStatuses.includes(status),
  cancel: ({ status }: Send) => isPossible(sendTransitions, status, 'cancelled'),
  deliver: ({ status }: Send) => status === deliveringSendStatus,
  prepare: ({ status }: Send) => status === 'queued' || status === 'preparing',
  /** Happens automatically once no message is left. A triggered send may get further messages at any time. */
  complete: ({ kind, status }: Send & { kind: SendKind }) =>
    kind !== 'triggered' && isPossible(sendTransitions, status, 'completed'),
  /** Recipients whose delivery failed get another message, once all results have been counted. */
  followUp: ({ kind, status, end_date }: Send & { kind: SendKind; end_date: string | null }) =>
    (kind === 'campaign' || kind === 'follow_up') && status !== 'failed' && end_date !== null,
  /** A message with an unknown result is only retried in a send that continues. */
  retryUncertain: hasStarted,
} as const;

/** Whether the send ends with this status. A cancelled send only ends once messages in progress are accounted for. */
export const endsAtOnce = (status: SendStatus): boolean =>
  status !== 'cancelled' && !openSendStatuses.includes(status);

export const hasEnded = ({ end_date }: { end_date: string | null }): boolean => end_date !== null;

/** Whether messages that were in progress at the cancellation are still being accounted for. */
export const isSettling = (send: Send & { end_date: string | null }): boolean =>
  send.status === 'cancelled' && !hasEnded(send);

/**
 * @returns the touchpoint's status after a status change of its send: a draft if the send was not yet sending, or took
 * single messages. Undefined for tests, follow-ups and the sends of a series, which do not affect it.
 * @param from, to  statuses of the send
 */
export function touchpointStatusAfter(
  { kind, in_series }: { kind: SendKind; in_series: boolean },
  from: SendStatus,
  to: SendStatus,
): TouchpointStatus | undefined {
  if (kind === 'triggered') return to === 'sending' ? 'active' : to === 'paused' ? 'paused' : 'draft';
  if (kind !== 'campaign' || in_series) return undefined;
  const atEnd = hasStarted({ status: from }) ? 'sent' : 'draft';
  const after = {
    queued: 'scheduled',
    held: 'paused',
    preparing: 'sending',
    sending: 'sending',
    paused: 'paused',
    completed: 'sent',
    cancelled: atEnd,
    failed: atEnd,
  } as const satisfies Record<SendStatus, TouchpointStatus>;
  return after[to];
}
