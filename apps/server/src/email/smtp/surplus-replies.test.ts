import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  hello,
  type RelayAct,
  type RelayScript,
  type ScriptedRelay,
  startScriptedRelay,
} from '../../testing/scripted-relay.ts';
import { createSettlingPool } from '../../testing/settling-pool.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const textTo = (name: string) => `Subject: x\r\n\r\nTo ${name}@x.example\r\n`;

/** The rejections of each message without a fault. */
const rejections: Record<string, Partial<Record<Place, string>>> = {
  d: { rcpt: '550 5.1.1 no such user\r\n', data: '554 5.5.1 no valid recipients\r\n' },
  e: { dot: '554 5.6.0 spam\r\n' },
};

type Place = 'mail' | 'rcpt' | 'data' | 'dot' | 'rset';
const usual: Record<Place, string> = {
  mail: '250 2.1.0 ok\r\n',
  rcpt: '250 2.1.5 ok\r\n',
  data: '354 go\r\n',
  dot: '250 2.0.0 taken\r\n',
  rset: '250 2.0.0 flushed\r\n',
};

interface Surplus {
  place: Place;
  /** The message whose transaction gets the surplus reply, on the first connection. */
  name: string;
  reply: string;
  /** Sent before the reply of this place, like a late reply to the previous command. */
  isLate: boolean;
}

/** @param isApart  each reply arrives separately */
function scriptWith(surplus: Surplus | undefined, isApart: boolean): RelayScript {
  let mails = 0;
  let has = surplus !== undefined;
  const step =
    (place: Place) =>
    async (recipient: string): Promise<RelayAct> => {
      if (isApart) for (let count = 0; count < 4; count++) await setImmediate();
      // At MAIL, the recipient is not known yet.
      const name = place === 'mail' ? names[mails++]! : recipient[0]!;
      const reply = rejections[name]?.[place] ?? usual[place];
      if (!has || surplus!.place !== place || surplus!.name !== name) return reply;
      has = false;
      return surplus!.isLate ? `${surplus!.reply}\r\n${reply}` : `${reply}${surplus!.reply}\r\n`;
    };
  const places = ['mail', 'rcpt', 'data', 'dot', 'rset'] as const;
  return Object.fromEntries(places.map((place) => [place, step(place)]));
}

async function sendAll({ port }: ScriptedRelay) {
  const pool = createSettlingPool({ url: `smtp://127.0.0.1:${port}`, connections: 1, backOffMs: 5 });
  const results = await Promise.all(
    names.map((name) =>
      pool.send({
        envelopeFrom: 'b.1@bounce.example',
        envelopeTo: `${name}@x.example`,
        message: Buffer.from(textTo(name)),
        isStrict: true,
      }),
    ),
  );
  await pool.close();
  return results;
}

const replies = ['550 5.1.1 no such user', '250 more', '451 4.3.0 later', '354 go'];
const surplusReplies = (['mail', 'rcpt', 'data', 'dot', 'rset'] as const).flatMap((place) =>
  replies.flatMap((reply) =>
    // Only the transaction of d is reset.
    (place === 'rset' ? ['d'] : ['a', 'b']).flatMap((name) =>
      [false, true].map((isLate) => ({ place, name, reply, isLate })),
    ),
  ),
);

for (const [dialect, ehlo] of Object.entries({ PIPELINING: hello, 'no PIPELINING': '250 test\r\n' }))
  test(`surplus replies never settle another message (R6.1) (${dialect})`, async (t) => {
    const plain = scriptWith(undefined, false);
    for (const isApart of [false, true])
      await Promise.all(
        surplusReplies.map(async (surplus) => {
          // After the 354, it cannot be distinguished from the reply to the text.
          if (surplus.place === 'dot' && surplus.isLate) return;
          if (surplus.place === 'data' && !surplus.isLate && isApart) return;
          const relay = await startScriptedRelay(
            t,
            { ehlo, ...scriptWith(surplus, isApart) },
            { ehlo, ...plain },
          );
          const results = await sendAll(relay);
          const what = JSON.stringify({ dialect, isApart, ...surplus, results }, null, 1);
          for (const [index, result] of results.entries()) {
            const name = names[index]!;
            const expected = name === 'd' || name === 'e' ? 'rejected' : 'accepted';
            // The message with the surplus reply may be retried, as may one whose text got a 354.
            const others = name === surplus.name || surplus.reply.startsWith('354') ? ['interrupted'] : [];
            if (surplus.reply.startsWith('354')) others.push('uncertain');
            assert.ok([expected, ...others].includes(result.outcome), `${name}: ${what}`);
            const copies = relay.messages.filter((text) => text === textTo(name)).length;
            const isDue = name === 'e' || result.outcome === 'accepted';
            assert.ok(result.outcome === 'uncertain' || copies === Number(isDue), `${name}: ${what}`);
          }
          assert.ok(!relay.messages.includes(''), what);
        }),
      );
  });
