import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Send } from '@reachout/contract/sends.ts';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { startFaultyRelay, type FaultyRelay } from '../../testing/faulty-relay.ts';
import { startPacketProxy, type PacketFate, type PacketProxy } from '../../testing/packet-proxy.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startWorkerProcess } from '../../testing/worker-process.ts';

// The state that a killed API process leaves in the database: all of its connections break at some packet, which may have
// arrived, and no later packet is sent. REACHOUT_FULL=1 tests every packet.
const isFull = process.env['REACHOUT_FULL'] === '1';

suite('API processes that die while they confirm a send (R7.1)', () => {
  let app: TestApp;
  let dying: TestApp;
  let proxy: PacketProxy;
  let relay: FaultyRelay;

  before(async () => {
    app = await createTestApp();
    dying = await createTestApp(
      {},
      {
        beside: app,
        connectThrough: async (database) => {
          proxy = await startPacketProxy(database);
          return proxy.port;
        },
      },
    );
    relay = await startFaultyRelay();
  });
  after(async () => {
    await relay.close();
    await dying.close();
    await proxy.close();
    await app.close();
  });

  const start = (at: TestApp, { touchpointId, person }: ReadyEmail) =>
    at.request<Send>('POST', `/api/touchpoints/${touchpointId}/sends`, {
      body: { immediately: true },
      as: person,
      headers: { 'idempotency-key': touchpointId },
    });

  /** @returns the number of packets that starting a send takes */
  async function countPackets(): Promise<number> {
    const email = await buildReadyEmail(app);
    let count = 0;
    proxy.decide = () => {
      count += 1;
      return 'pass';
    };
    const { status } = await start(dying, email);
    assert.equal(status, 201);
    return count;
  }

  async function startAndDie(n: number, fate: PacketFate): Promise<ReadyEmail> {
    const email = await buildReadyEmail(app);
    let count = 0;
    proxy.decide = () => {
      count += 1;
      if (count < n) return 'pass';
      return count === n ? fate : 'break_before';
    };
    await start(dying, email);
    proxy.decide = () => 'pass';
    return email;
  }

  test('a repeated request confirms a send exactly once', async (t) => {
    const packets = await countPackets();
    const all = Array.from({ length: packets }, (_, index) => index + 1);
    const chosen = isFull ? all : all.filter((n) => n % Math.ceil(packets / 4) === 0);
    const emails: ReadyEmail[] = [];
    for (const n of chosen) {
      for (const fate of ['break_before', 'break_after'] as const) {
        const email = await startAndDie(n, fate);
        const { status, body } = await start(app, email);
        assert.equal(status, 201, `${fate} ${n}: ${JSON.stringify(body)}`);
        emails.push(email);
      }
    }
    const worker = startWorkerProcess(app, relay.url);
    t.after(() => worker.kill());
    const touchpoints = emails.map(({ touchpointId }) => touchpointId);
    const sends = await waitUntil('all sends end', async () => {
      const rows = await app.owner
        .selectFrom('touchpoint_sends')
        .select(['status', 'recipients_total_sent_count as sent', 'end_date'])
        .where('touchpoint_id', 'in', touchpoints)
        .execute();
      return rows.every(({ end_date }) => end_date !== null) ? rows : undefined;
    });
    t.diagnostic(`${chosen.length * 2} deaths at ${packets} packets`);
    assert.equal(sends.length, emails.length);
    for (const send of sends) assert.deepEqual([send.status, send.sent], ['completed', 3]);
  });
});
