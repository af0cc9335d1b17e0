import { describeSendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import type { SenderPolicies } from '../../email/transports/sender-policy.ts';
import type { MailTransport } from '../../email/transports/transport.ts';
import { copiesAt } from '../../testing/copies.ts';
import { getRow } from '../../testing/rows.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';
import { buildDueSend } from '../../testing/send-fixture.ts';
import { inOrganization } from '../../platform/database/database.ts';
import { cancelSend } from '../sends/change-send.ts';
import { startFaultyRelay, type FaultyRelay } from '../../testing/faulty-relay.ts';
import { startSendWorker, useSendDatabase } from '../../testing/send-worker.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startWatchedSend } from '../../testing/watched-send.ts';

const connections = 16;
const domains = ['gmail.com', 'sink.example'];
const isGoogle = (recipient: string) => recipient.endsWith('@gmail.com');
const hourMs = 3_600_000;

suite('lanes (R7.7, R7.8)', () => {
  const database = useSendDatabase();

  const startWorker = (relay: FaultyRelay, laneWaitsMs: number[]) =>
    startSendWorker(database, { url: relay.url, connections, backOffMs: 20, inFlightLimit: 64, laneWaitsMs });

  const messagesOf = (relay: FaultyRelay, isOfLane: (recipient: string) => boolean) =>
    [...relay.copies.keys()].filter(isOfLane).length;

  test('each chunk has recipients of one lane', async () => {
    const relay = await startFaultyRelay();
    const worker = startWorker(relay, [hourMs]);
    await sql`
      insert into recipient_domains (domain, recipient_group, looked_up_at) values ('nordwind.de', 'microsoft_365', now())
    `.execute(database.owner);
    const send = await startWatchedSend(database, { contacts: 900, domains: [...domains, 'nordwind.de'] });
    await send.finish();
    await worker.stop();
    await relay.close();
    const { rows } = await sql<{ lane: string; domain: string; count: number }>`
      select lane, split_part(address, '@', 2) as domain, count(*) as count
      from deliveries d
      join delivery_chunks c on c.organization_id = d.organization_id and c.send_id = d.send_id
        and d.seq between c.first_seq and c.last_seq
      where d.send_id = ${send.fixture.sendId}
      group by 1, 2
      order by 1
    `.execute(database.owner);
    assert.deepEqual(rows, [
      { lane: 'google', domain: 'gmail.com', count: 300 },
      { lane: 'microsoft_365', domain: 'nordwind.de', count: 300 },
      { lane: 'other', domain: 'sink.example', count: 300 },
    ]);
  });

  test('a send leaves by the transport that its policy names', async () => {
    const away = await startFaultyRelay();
    await away.close();
    const recorded: string[] = [];
    const recording: MailTransport = {
      capacity: 4,
      usage: { connections: 0, slots: 4, slotsInUse: 0, slotsHeldLong: 0 },
      send: ({ envelopeTo }) => {
        recorded.push(envelopeTo);
        return Promise.resolve({ result: { outcome: 'accepted', reference: null }, settle: () => undefined });
      },
      close: () => Promise.resolve(),
    };
    const organizations = new Set<string>();
    const policies: SenderPolicies = {
      ...mailboxPolicies,
      of: async (trx, scope) => {
        const policy = await mailboxPolicies.of(trx, scope);
        if (!organizations.has(scope.organizationId)) return policy;
        const limits = { senderDomains: ['nordwind.example'], dailyRecipientLimit: 1_000 };
        return { ...policy, ...limits, transport: 'recording' };
      },
    };
    const own = await startWatchedSend(database, { contacts: 300 });
    const { organizationId, sendId } = await buildDueSend(database.owner, { contacts: 3 });
    organizations.add(own.fixture.organizationId);
    const worker = startSendWorker(database, {
      url: away.url,
      connections,
      backOffMs: 20,
      inFlightLimit: 64,
      policies,
      others: { recording },
    });
    // The mail server of the other organization cannot be reached, which holds up nobody else.
    const stateOf = () =>
      getRow(database.owner, 'touchpoint_sends', ['error', 'status', 'end_date'], { id: sendId });
    await waitUntil('the mail server is away', async () => (await stateOf()).error !== null);
    await own.finish();
    assert.equal((await stateOf()).status, 'sending');
    assert.equal(new Set(recorded).size, 300);
    assert.equal(recorded.length, 300);
    await inOrganization(database.app, organizationId, (trx) => cancelSend(trx, sendId));
    await waitUntil('it has ended', async () => (await stateOf()).end_date !== null);
    await worker.stop();
  });

  test('a throttling provider stops only its own lane', async () => {
    const relay = await startFaultyRelay();
    relay.behave = (stage, recipient) =>
      stage === 'rcpt' && isGoogle(recipient) ? '450 4.7.28 too many messages' : undefined;
    const worker = startWorker(relay, [hourMs]);
    const send = await startWatchedSend(database, { contacts: 400, domains });
    await send.waitFor('all others are sent', ({ counters }) => counters.sent === 200);
    const waiting = await waitUntil('the send waits for the lane', async () => {
      const { rows } = await sql<{ error: SendError; is_later: boolean; is_soon: boolean }>`
        select error, next_due_at > now() + interval '50 seconds' as is_later,
          next_due_at <= now() + interval '1 minute' as is_soon
        from touchpoint_sends where id = ${send.fixture.sendId}
      `.execute(database.owner);
      return rows[0]?.is_later === true ? rows[0] : undefined;
    });
    assert.match(
      describeSendError(waiting.error),
      /^Google takes no more messages for now; .* The server said: 450 .*too many messages$/,
    );
    // Another worker does not know that its lane has to wait.
    assert.equal(waiting.is_soon, true);
    const { rows } = await sql<{ count: number; attempts: number | null; lane: string | null }>`
      select count(*) as count, max(attempts) as attempts, max(lane) as lane
      from delivery_queue where send_id = ${send.fixture.sendId}
    `.execute(database.owner);
    // Deferred before the worker detected that the whole lane is affected; of 200 messages.
    assert.ok(rows[0]!.count < 2 * connections, `${rows[0]!.count} deferred`);
    assert.equal(rows[0]!.attempts, 1);
    assert.equal(rows[0]!.lane, 'google');
    await worker.stop();
    relay.behave = () => undefined;
    // The next worker does not know about the wait.
    const next = startWorker(relay, [hourMs]);
    await sql`update touchpoint_sends set next_due_at = now() where id = ${send.fixture.sendId}`.execute(
      database.owner,
    );
    const { counters } = await send.finish();
    assert.equal(counters.sent, 400);
    assert.equal(copiesAt(relay).repeats, 0);
    await next.stop();
    await relay.close();
  });

  test('a lane continues after its wait', async () => {
    const relay = await startFaultyRelay();
    let rejections = 0;
    relay.behave = (stage, recipient) => {
      if (stage !== 'rcpt' || !isGoogle(recipient) || rejections >= 30) return undefined;
      rejections += 1;
      return '421 4.7.0 try later';
    };
    const worker = startWorker(relay, [20]);
    const send = await startWatchedSend(database, { contacts: 200, domains });
    const { counters } = await send.finish();
    assert.equal(counters.sent, 200);
    assert.equal(copiesAt(relay).repeats, 0);
    await worker.stop();
    await relay.close();
  });

  test('a silent provider leaves 80 % of the connections', async () => {
    const relay = await startFaultyRelay();
    const warmUp = 40;
    let held = 0;
    const gate = Promise.withResolvers<undefined>();
    relay.behave = (stage, recipient) => {
      if (stage !== 'message') return undefined;
      if (isGoogle(recipient)) return gate.promise;
      if (messagesOf(relay, (other) => !isGoogle(other)) <= warmUp) return undefined;
      held += 1;
      return gate.promise;
    };
    const worker = startWorker(relay, [hourMs]);
    const send = await startWatchedSend(database, { contacts: 400, domains });
    await waitUntil('the others use most of the connections', () => held >= 0.8 * connections);
    assert.ok(messagesOf(relay, isGoogle) <= 0.2 * connections);
    gate.resolve(undefined);
    const { counters } = await send.finish();
    assert.equal(counters.sent, 400);
    await worker.stop();
    await relay.close();
  });
});
