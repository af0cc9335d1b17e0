import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSuccess, sendOutcome, type SendCounters } from './send-outcome.ts';

const send = (change: Partial<SendCounters>): SendCounters => ({
  kind: 'campaign',
  status: 'sending',
  end_date: null,
  recipients_total_count: 1000,
  recipients_queued_count: 0,
  recipients_total_sent_count: 0,
  recipients_not_measured_count: 0,
  recipients_total_delivery_failed_count: 0,
  recipients_total_failed_count: 0,
  recipients_suppressed_count: 0,
  recipients_skipped_count: 0,
  recipients_cancelled_count: 0,
  recipients_uncertain_count: 0,
  ...change,
});

test('progress counts outcomes, not queued rows', () => {
  const outcome = sendOutcome(send({ recipients_queued_count: 600, recipients_total_sent_count: 400 }));
  assert.equal(outcome.percent, 40);
  assert.equal(outcome.phase, 'moving');
});

test('sends of single messages are active until they are switched off', () => {
  const stateOf = (change: Partial<SendCounters>) => {
    const { phase, status } = sendOutcome(
      send({ kind: 'triggered', recipients_total_sent_count: 1000, ...change }),
    );
    return [phase, status];
  };
  assert.deepEqual(stateOf({}), ['active', 'active']);
  assert.deepEqual(stateOf({ status: 'paused' }), ['paused', 'paused']);
  const end_date = '2027-03-09T08:00:00Z';
  assert.deepEqual(stateOf({ status: 'cancelled', end_date }), ['switched_off', 'switched_off']);
});

test('progress stays below 100 until the last recipient', () => {
  assert.equal(
    sendOutcome(send({ recipients_queued_count: 1, recipients_total_sent_count: 999 })).percent,
    99,
  );
});

test('uncertain deliveries are not outcomes', () => {
  assert.equal(
    sendOutcome(send({ recipients_uncertain_count: 500, recipients_total_sent_count: 500 })).percent,
    50,
  );
});

test('a finished send has an end without remainder', () => {
  const ended = { status: 'completed', end_date: '2027-03-09T08:00:00Z' } as const;
  assert.equal(sendOutcome(send({ ...ended, recipients_total_sent_count: 1000 })).phase, 'finished');
  const short = sendOutcome(
    send({ ...ended, recipients_total_sent_count: 900, recipients_total_delivery_failed_count: 100 }),
  );
  assert.equal(short.phase, 'partly_sent');
  assert.equal(short.status, 'partly_sent');
  assert.equal(short.notSent, 100);
});

test('a send with few failures counts as sent', () => {
  const ended = { status: 'completed', end_date: '2027-03-09T08:00:00Z' } as const;
  const outcomeOf = (sent: number) =>
    sendOutcome(
      send({
        ...ended,
        recipients_total_sent_count: sent,
        recipients_total_delivery_failed_count: 1000 - sent,
      }),
    );
  const few = outcomeOf(999);
  assert.deepEqual([few.phase, few.status, few.notSent], ['mostly_sent', 'mostly_sent', 1]);
  assert.equal(outcomeOf(950).status, 'mostly_sent');
  assert.equal(outcomeOf(949).status, 'partly_sent');
  assert.equal(outcomeOf(1).status, 'partly_sent');
});

test('a send with only failures is no success', () => {
  const ended = { status: 'completed', end_date: '2027-03-09T08:00:00Z' } as const;
  const failed = sendOutcome(send({ ...ended, recipients_total_failed_count: 1000 }));
  assert.deepEqual([failed.phase, failed.status, failed.percent], ['nothing_sent', 'nothing_sent', 100]);
  const isCelebrated = (sent: number, recipients = 1000) =>
    isSuccess(send({ ...ended, recipients_total_count: recipients, recipients_total_sent_count: sent }));
  assert.deepEqual([isCelebrated(1000), isCelebrated(950)], [true, true]);
  assert.deepEqual([isCelebrated(0), isCelebrated(949), isCelebrated(0, 0)], [false, false, false]);
});

test('an empty send has a percentage once it ends', () => {
  assert.equal(sendOutcome(send({ recipients_total_count: 0 })).percent, 0);
});
