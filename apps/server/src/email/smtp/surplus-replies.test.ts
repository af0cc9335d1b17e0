import assert from 'node:assert/strict';
import test from 'node:test';
import { hello, startScriptedRelay } from '../../testing/scripted-relay.ts';
import { createSettlingPool } from '../../testing/settling-pool.ts';

const mailTo = (envelopeTo: string) => ({
  envelopeFrom: 'b.1@bounce.example',
  envelopeTo,
  message: Buffer.from(`Subject: x\r\n\r\nTo ${envelopeTo}\r\n`),
  isStrict: true as const,
});

for (const surplus of ['550 5.1.1 no such user', '250 more', '552 5.2.2 over quota'])
  test(`R6.1: a reply too many behind a text is nobody else's: ${surplus}`, async (t) => {
    const dot = (recipient: string, text: string) => {
      if (recipient.startsWith('a@')) return `250 2.0.0 taken\r\n${surplus}\r\n`;
      return text.includes('To d@') ? '554 5.6.0 spam\r\n' : '250 2.0.0 taken\r\n';
    };
    const relay = await startScriptedRelay(t, { ehlo: hello, dot });
    const timeouts = { connect: 1_000, command: 1_000, endOfData: 1_000 };
    const url = `smtp://127.0.0.1:${relay.port}`;
    const pool = createSettlingPool({ url, connections: 1, backOffMs: 5, timeouts });
    t.after(() => pool.close());
    const sending = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => pool.send(mailTo(`${name}@x.example`)));
    const results = await Promise.all(sending);
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['accepted', 'accepted', 'accepted', 'rejected', 'accepted', 'accepted'],
    );
  });
