import assert from 'node:assert/strict';
import test from 'node:test';
import { createRandom } from '../../platform/random.ts';
import { hello, type RelayAct, type RelayScript, startScriptedRelay } from '../../testing/scripted-relay.ts';
import { createSmtpPool } from './smtp-pool.ts';

const count = 400;
const plainHello = '250 test\r\n';

test('results stay correct when many replies are invalid (R6.2)', async (t) => {
  const random = createRandom(14);
  const greetings = { PIPELINING: hello, 'no pipelining': plainHello };
  for (const [name, ehlo] of Object.entries(greetings)) {
    /** Recipients whose text got the reply 250. */
    const taken: string[] = [];
    const withFaults = (usual: string, isLate = false) => {
      const faults: [number, RelayAct][] = [
        [0.1, '451 4.3.0 later\r\n'],
        [0.03, '550 5.7.1 no\r\n'],
        [0.01, { reset: true }],
        [0.01, { close: true }],
        [0.01, '421 4.3.2 closing\r\n'],
        [0.01, 'what?\r\n'],
        [0.01, `${usual}250 more\r\n`],
        [0.02, isLate ? '552 5.2.2 full\r\n' : usual],
      ];
      let chance = random.next();
      return faults.find(([share]) => (chance -= share) < 0)?.[1] ?? usual;
    };
    const script: RelayScript = {
      ehlo,
      greeting: () => (random.chance(0.2) ? '421 4.7.0 too many\r\n' : '220 test\r\n'),
      mail: () => withFaults('250 ok\r\n'),
      rcpt: () => withFaults('250 ok\r\n'),
      data: () => withFaults('354 go\r\n'),
      dot: (recipient, text) => {
        const act = withFaults('250 taken\r\n', true);
        if (typeof act === 'string' && act.startsWith('250') && text !== '') taken.push(recipient);
        return act;
      },
    };
    const relay = await startScriptedRelay(t, script);
    const url = `smtp://127.0.0.1:${relay.port}`;
    const pool = createSmtpPool({ url, connections: 4, backOffMs: 1, messagesPerConnection: 30 });
    const outcomes = new Map<string, number>();
    let next = 0;
    const sendNext = async (): Promise<void> => {
      for (let index = next++; index < count; index = next++) {
        const to = `u${index}@x.example`;
        const message = Buffer.from(`Subject: x\r\n\r\nTo ${to}\r\n`);
        const { result, settle } = await pool.send({ envelopeFrom: 'b@x.example', envelopeTo: to, message });
        outcomes.set(result.outcome, (outcomes.get(result.outcome) ?? 0) + 1);
        const copies = taken.filter((recipient) => recipient === to).length;
        const expected = result.outcome === 'accepted' ? [1] : result.outcome === 'uncertain' ? [0, 1] : [0];
        assert.ok(expected.includes(copies), `${name}: ${copies} copies, ${JSON.stringify(result)}`);
        settle();
      }
    };
    await Promise.all(Array.from({ length: pool.capacity }, sendNext));
    await pool.close();
    for (const outcome of ['accepted', 'rejected', 'uncertain']) assert.ok(outcomes.has(outcome), name);
    // Each text arrived only once, except empty ones.
    const texts = relay.messages.filter((text) => text !== '');
    assert.equal(new Set(texts).size, texts.length, name);
  }
});
