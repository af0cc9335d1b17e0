import type { Send } from '@reachout/contract/sends.ts';
import { outcomeOfSend, type SendOutcome as Outcome } from '@reachout/contract/states/send.ts';

/** The counters that progress and outcome are derived from. They do not overlap; the total is their sum. */
export type SendCounters = Pick<
  Send,
  'kind' | 'status' | 'end_date' | Extract<keyof Send, `recipients_${string}`>
>;

export interface SendOutcome {
  /** Recipients with a known result of any kind, without queued and uncertain ones. */
  settled: number;
  /** Integer from 0 to 100; never 100 while recipients are still waiting. */
  percent: number;
  /** Recipients who got nothing and will get nothing from this send. */
  notSent: number;
  /**
   * `finished` only after the end and if no recipient was missed, whatever the status; `active` takes single messages, and
   * `switched_off` no longer.
   */
  phase:
    | 'waiting'
    | 'held'
    | 'preparing'
    | 'moving'
    | 'active'
    | 'switched_off'
    | 'paused'
    | 'finished'
    | 'mostly_sent'
    | 'partly_sent'
    | 'nothing_sent'
    | 'cancelled'
    | 'failed';
  /** Status of its badge. A send that waits for its start, or takes single messages, has the same status as its email. */
  status: Outcome | 'scheduled' | 'active' | 'switched_off';
}

export function sendOutcome(send: SendCounters): SendOutcome {
  const total = send.recipients_total_count;
  const open = send.recipients_queued_count + send.recipients_uncertain_count;
  const settled = Math.max(0, total - open);
  const notSent = total - send.recipients_total_sent_count;
  const percent =
    total === 0 ? (send.end_date ? 100 : 0) : Math.min(100, Math.floor((settled / total) * 100));
  const sent = send.recipients_total_sent_count;
  const status = outcomeOfSend({ status: send.status, recipients: total, sent });
  const phase = phaseOf(send.kind, status);
  return {
    settled,
    percent,
    notSent,
    phase,
    status:
      phase === 'active' || phase === 'switched_off' ? phase : status === 'queued' ? 'scheduled' : status,
  };
}

/** Whether a send waits for its date or for a decision, rather than for the minute in which it can be undone. */
export const isPlanned = (send: Pick<Send, 'status' | 'schedule_id'>): boolean =>
  send.status === 'held' || (send.status === 'queued' && send.schedule_id !== null);

/** Whether everybody got the email, or nearly everybody. */
export function isSuccess(send: SendCounters): boolean {
  const { phase } = sendOutcome(send);
  return (phase === 'finished' || phase === 'mostly_sent') && send.recipients_total_sent_count > 0;
}

function phaseOf(kind: SendCounters['kind'], status: Outcome): SendOutcome['phase'] {
  const phases = {
    queued: 'waiting',
    held: 'held',
    preparing: 'preparing',
    sending: kind === 'triggered' ? 'active' : 'moving',
    paused: 'paused',
    sent: 'finished',
    mostly_sent: 'mostly_sent',
    partly_sent: 'partly_sent',
    nothing_sent: 'nothing_sent',
    cancelled: kind === 'triggered' ? 'switched_off' : 'cancelled',
    failed: 'failed',
  } as const satisfies Record<Outcome, SendOutcome['phase']>;
  return phases[status];
}
