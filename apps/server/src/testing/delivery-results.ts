import { sendError } from '@reachout/contract/rules/send-errors.ts';
import type { DeliveryResult } from '../queue/delivery.ts';

/** Default end time of these results, ISO 8601. */
export const endedAt = '2026-11-20T10:00:00.000Z';

/** The result of a message that the mail server accepted. */
export const sent = (
  seq: number,
  { attempts = 1, at = endedAt }: { attempts?: number; at?: string } = {},
): DeliveryResult => ({
  seq,
  tries: { attempts, interruptions: 0, uncertain: 0, first_attempt_at: endedAt },
  reply: '250 ok',
  at,
  result: { kind: 'final', state: 'sent' },
});

export const bounced = (seq: number): DeliveryResult => ({
  ...sent(seq),
  reply: '550 no such user',
  class: 'address_hard',
  result: { kind: 'final', state: 'bounced' },
});

export const failed = (seq: number): DeliveryResult => ({
  ...sent(seq),
  reply: '552 too big',
  class: 'content',
  result: { kind: 'final', state: 'failed' },
});

/** @param dueAt  default: already due */
export const deferred = (seq: number, dueAt = endedAt): DeliveryResult => ({
  ...sent(seq),
  reply: '450 later',
  result: { kind: 'deferred', dueAt },
});

/** The result of a message whose delivery is unknown; a person decides about it. */
export const uncertain = (seq: number): DeliveryResult => ({
  ...sent(seq),
  reply: null,
  error: sendError('unconfirmed', { detail: 'the line broke' }),
  result: { kind: 'uncertain', dueAt: null },
});
