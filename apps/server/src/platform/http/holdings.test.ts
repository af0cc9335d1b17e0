import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { LimitExceeded } from '../limit-exceeded.ts';
import { createHoldings } from './holdings.ts';

const share = { count: 4, bytes: 100 };
const create = (whenFull: 'refuse' | 'cut_oldest') =>
  createHoldings({
    kind: 'responses',
    shares: {
      person: share,
      tenant: { count: 6, bytes: 150 },
      network: share,
      all: { count: 9, bytes: 220 },
    },
    whenFull,
    detail: 'Too much.',
  });
const refusal = (code: string) => (error: unknown) => error instanceof LimitExceeded && error.code === code;

suite('memory held for peers', () => {
  const cut: string[] = [];
  const cutOff = (name: string) => () => void cut.push(name);

  test('users, tenants and networks have limits, and one item always fits', () => {
    const { hold } = create('refuse');
    const ada = { network: 'n', person: 'ada', tenant: 'o' };
    const ben = { network: 'n', person: 'ben', tenant: 'o' };
    hold(ada, 100, cutOff('ada'));
    assert.throws(() => hold(ada, 1, cutOff('ada')), refusal('too_many_requests'));
    hold(ben, 50, cutOff('ben'));
    assert.throws(() => hold(ben, 1, cutOff('ben')), refusal('too_many_requests'));
    // People of the same network are not strangers.
    hold({ network: 'n' }, 60, cutOff('stranger'));
    assert.doesNotThrow(() => create('refuse').hold(ada, 1_000, cutOff('ada')));
  });

  test('the largest holder makes room for small ones', () => {
    cut.length = 0;
    const { hold, usage } = create('refuse');
    for (const [name, bytes] of [
      ['ada', 100],
      ['ben', 60],
      ['cem', 60],
    ] as const)
      hold({ network: 'n', person: name }, bytes, cutOff(name));
    hold({ network: 'n', person: 'dot' }, 20, cutOff('dot'));
    assert.deepEqual(cut, ['ada']);
    assert.throws(() => hold({ network: 'n', person: 'eve' }, 100, cutOff('eve')), refusal('unavailable'));
    assert.deepEqual(usage(), { count: 3, bytes: 140 });
  });

  test('only waiting items are ended, the oldest first', () => {
    cut.length = 0;
    const { hold, usage } = create('cut_oldest');
    const stranger = { network: 'n' };
    const done = hold(stranger, 40, cutOff('first'));
    done.settle();
    const second = hold(stranger, 40, cutOff('second'));
    hold(stranger, 10, cutOff('third')).grow(20);
    assert.deepEqual(cut, ['second']);
    assert.throws(() => hold(stranger, 70, cutOff('fourth')), refusal('too_many_requests'));
    second.grow(1_000);
    second.release();
    done.release();
    assert.deepEqual(usage(), { count: 0, bytes: 0 });
  });
});
