import type { TouchpointStatus } from './touchpoint.ts';
import { isPossible, listOpen, type Transitions } from './transitions.ts';

/**
 * What a send is for: an audience, single messages as they are asked for, those whose delivery failed in another send, or
 * a look at an email before it goes out (docs/sending.md).
 */
export const sendKinds = ['campaign', 'triggered', 'follow_up', 'test'] as const;
export type SendKind = (typeof sendKinds)[number];

/** A touchpoint goes live by these. */
export const liveSendKinds = ['campaign', 'triggered'] as const satisfies readonly SendKind[];

/** Its messages come one by one, and not from an audience. */
export const takesSingleMessages = ({ kind }: { kind: SendKind }): boolean =>
  kind === 'triggered' || kind === 'test';

export const sendStatuses = [
  'queued',
  'preparing',
  'sending',
  'paused',
  'completed',
  'cancelled',
  'failed',
] as const;
export type SendStatus = (typeof sendStatuses)[number];

/**
 * What a send is called where it is listed. One that ended and did not reach everybody is not completed: a few addresses that
 * bounce are what every list has, many are no success.
 */
export const sendOutcomes = [...sendStatuses, 'mostly_sent', 'partly_sent', 'nothing_sent'] as const;
export type SendOutcome = (typeof sendOutcomes)[number];

/** The least share of recipients that a send has reached when only a few were not. */
const mostlySentShare = 0.95;

/** @param sent  of `recipients`, as its counters have it */
export function outcomeOfSend(send: { status: SendStatus; recipients: number; sent: number }): SendOutcome {
  const { status, recipients, sent } = send;
  if (status !== 'completed' || sent === recipients) return status;
  if (sent === 0) return 'nothing_sent';
  return sent >= mostlySentShare * recipients ? 'mostly_sent' : 'partly_sent';
}

/** A send that waits for its start can be cancelled, not paused: nothing runs yet that could be. */
export const sendTransitions: Transitions<SendStatus> = {
  queued: ['preparing', 'cancelled', 'failed'],
  preparing: ['sending', 'cancelled', 'failed'],
  sending: ['paused', 'completed', 'cancelled'],
  paused: ['sending', 'cancelled'],
  completed: [],
  cancelled: [],
  failed: [],
};

/** A touchpoint has one send of `liveSendKinds` in these at most. The index `touchpoint_sends_one_open` names the same. */
export const openSendStatuses = listOpen(sendStatuses, sendTransitions);

/** A worker has something to do for these, and for a cancelled send until it has ended (`due_sends`). */
export const workingSendStatuses = openSendStatuses.filter((status) => status !== 'paused');

/** Messages leave now, and more are started. */
export const deliveringSendStatus = 'sending' satisfies SendStatus;

interface Send {
  status: SendStatus;
}

const hasStarted = ({ status }: Send): boolean => status === 'sending' || status === 'paused';

export const sendCan = {
  /** Nothing has begun, so that a cancel leaves no trace. */
  undo: ({ status }: Send) => status === 'queued',
  pause: ({ status }: Send) => isPossible(sendTransitions, status, 'paused'),
  resume: ({ status }: Send) => status === 'paused',
  cancel: ({ status }: Send) => isPossible(sendTransitions, status, 'cancelled'),
  deliver: ({ status }: Send) => status === deliveringSendStatus,
  prepare: ({ status }: Send) => status === 'queued' || status === 'preparing',
  /** By itself, once nothing is left. One that is triggered may get a message at any time. */
  complete: ({ kind, status }: Send & { kind: SendKind }) =>
    kind !== 'triggered' && isPossible(sendTransitions, status, 'completed'),
  /** Those whose delivery failed get another message, once all is counted. */
  followUp: ({ kind, status, end_date }: Send & { kind: SendKind; end_date: string | null }) =>
    (kind === 'campaign' || kind === 'follow_up') && status !== 'failed' && end_date !== null,
  /** A message whose result is unclear is tried again only in a send that goes on. */
  retryUncertain: hasStarted,
} as const;

/** A cancelled send ends once what was under way has been accounted for; all others end with their last status. */
export const endsAtOnce = (status: SendStatus): boolean =>
  status !== 'cancelled' && !openSendStatuses.includes(status);

export const hasEnded = ({ end_date }: { end_date: string | null }): boolean => end_date !== null;

/** What was under way when it was cancelled is still being accounted for. */
export const isSettling = (send: Send & { end_date: string | null }): boolean =>
  send.status === 'cancelled' && !hasEnded(send);

/**
 * Where a change of its send takes a touchpoint: back to a draft when the send was not sending yet, or took single
 * messages. Tests and follow-ups change nothing about it.
 * @param from, to  statuses of the send
 */
export function touchpointStatusAfter(
  kind: SendKind,
  from: SendStatus,
  to: SendStatus,
): TouchpointStatus | undefined {
  if (kind === 'triggered') return to === 'sending' ? 'active' : to === 'paused' ? 'paused' : 'draft';
  if (kind !== 'campaign') return undefined;
  const atEnd = hasStarted({ status: from }) ? 'sent' : 'draft';
  const after = {
    queued: 'scheduled',
    preparing: 'sending',
    sending: 'sending',
    paused: 'paused',
    completed: 'sent',
    cancelled: atEnd,
    failed: atEnd,
  } as const satisfies Record<SendStatus, TouchpointStatus>;
  return after[to];
}
