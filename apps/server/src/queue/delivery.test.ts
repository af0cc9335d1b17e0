import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TransportResult } from '../email/transports/transport.ts';
import { nextAttempt, toDeliveryResult, type Tries } from './delivery.ts';

const start = new Date('2026-11-20T10:00:00Z');
const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
/** A message whose first attempt was at `start`. */
const tried = (attempts: number, more: Partial<Tries> = {}): Required<Tries> => ({
  attempts,
  interruptions: 0,
  uncertain: 0,
  first_attempt_at: start.toISOString(),
  ...more,
});
/** The middle of the jitter. */
const middle = 0.5;

suite('next attempts (R7.12)', () => {
  test('the pauses between attempts grow to four hours', () => {
    const delays = [1, 2, 3, 4, 5, 6].map(
      (attempts) => nextAttempt(tried(attempts), start, middle)!.getTime() - start.getTime(),
    );
    assert.deepEqual(
      delays.map((delay) => delay / 60_000),
      [1, 5, 15, 30, 60, 60],
    );
    const afterSevenHours = later(7 * 60);
    assert.equal(nextAttempt(tried(9), afterSevenHours, middle)!.getTime(), later(11 * 60).getTime());
  });
  test('attempts are spread by 20 % in both directions', () => {
    assert.equal(nextAttempt(tried(2), start, 0)!.getTime(), later(4).getTime());
    assert.equal(nextAttempt(tried(2), start, 1)!.getTime(), later(6).getTime());
  });
  test('there is no attempt a day after the first', () => {
    assert.notEqual(nextAttempt(tried(12), later(20 * 60), middle), undefined);
    assert.equal(nextAttempt(tried(12), later(20 * 60 + 1), middle), undefined);
  });
});

suite('delivery results', () => {
  const refusal = (
    code: number,
    bounceClass: Extract<TransportResult, { outcome: 'rejected' }>['class'],
  ): Parameters<typeof toDeliveryResult>[0] => ({
    outcome: 'rejected',
    permanent: code >= 500,
    code,
    enhanced: null,
    text: 'because',
    stage: 'rcpt',
    class: bounceClass,
  });
  const send = { uncertainPolicy: 'retry' } as const;
  const resultOf = (
    response: Parameters<typeof toDeliveryResult>[0],
    now = start,
    { tries = tried(0), ...options }: { tries?: Tries; uncertainPolicy?: 'hold' } = {},
  ) =>
    toDeliveryResult(response, { seq: 1, tries, tracked: true }, { ...send, ...options }, now, middle).result;

  test('an accepted message is sent', () => {
    assert.deepEqual(resultOf({ outcome: 'accepted', reference: 'ok' }), {
      kind: 'final',
      state: 'sent',
    });
  });
  test('a missing mailbox bounces and is suppressed', () => {
    assert.deepEqual(resultOf(refusal(550, 'address_hard')), {
      kind: 'final',
      state: 'bounced',
    });
  });
  test('a likely missing mailbox bounces without suppression', () => {
    assert.deepEqual(resultOf(refusal(550, 'address_likely')), {
      kind: 'final',
      state: 'bounced',
    });
  });
  for (const bounceClass of [
    'reputation',
    'authentication',
    'content',
    'too_big',
    'protocol',
    'unknown',
  ] as const) {
    test(`a rejection about ${bounceClass} fails without suppression`, () => {
      assert.deepEqual(resultOf(refusal(554, bounceClass)), {
        kind: 'final',
        state: 'failed',
      });
    });
  }
  test('transient rejections and full mailboxes are deferred', () => {
    assert.equal(resultOf(refusal(450, 'transient')).kind, 'deferred');
    assert.equal(resultOf(refusal(552, 'mailbox_full')).kind, 'deferred');
  });
  test('after a day, full mailboxes bounce and others fail', () => {
    const tooLate = later(24 * 60);
    assert.deepEqual(resultOf(refusal(452, 'mailbox_full'), tooLate), {
      kind: 'final',
      state: 'bounced',
    });
    assert.deepEqual(resultOf(refusal(450, 'transient'), tooLate), {
      kind: 'final',
      state: 'failed',
    });
  });
  test('an unconfirmed message follows the policy of the send', () => {
    const broken = { outcome: 'uncertain', reason: 'line lost' } as const;
    assert.deepEqual(resultOf(broken), { kind: 'uncertain', dueAt: later(1).toISOString() });
    assert.deepEqual(resultOf(broken, start, { uncertainPolicy: 'hold' }), {
      kind: 'uncertain',
      dueAt: null,
    });
  });
  test('an unconfirmed message is repeated once within a day', () => {
    const broken = { outcome: 'uncertain', reason: 'line lost' } as const;
    const held = { kind: 'uncertain', dueAt: null } as const;
    assert.deepEqual(resultOf(broken, start, { tries: tried(1, { uncertain: 1 }) }), held);
    assert.deepEqual(resultOf(broken, later(24 * 60), { tries: tried(9) }), held);
    assert.equal(resultOf(broken, start, { tries: tried(9) }).kind, 'uncertain');
  });
  test('the fifth lost connection fails a message', () => {
    const lost = { outcome: 'interrupted', stage: 'rcpt', reason: 'ECONNRESET' } as const;
    assert.equal(resultOf(lost, start, { tries: tried(1, { interruptions: 1 }) }).kind, 'deferred');
    assert.deepEqual(resultOf(lost, start, { tries: tried(4, { interruptions: 4 }) }), {
      kind: 'final',
      state: 'failed',
    });
  });
});
