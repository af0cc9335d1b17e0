import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { aboutMessage, type StoredEvent } from '../../events/event.ts';
import { createEventCommitter } from '../../events/event-committer.ts';
import { startEventFolder } from '../../events/event-folder.ts';
import { bindVisitors } from '../../insight/tracking/bind-visitors.ts';
import { connectPipelined } from '../../platform/database/pipelined.ts';
import { onlyRowOf } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { buildVisit } from '../../sample/events.ts';
import { useTestApp } from '../../testing/app.ts';
import {
  buildGraphPart,
  buildListener,
  buildSentCopy,
  listReactions,
  type GraphPart,
} from '../../testing/event-graph.ts';
import { buildReadyEmail } from '../../testing/ready-email.ts';
import { countAccounts } from '../../testing/send-accounts.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { buildWebsite } from '../../testing/tracked-website.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startWorkerProcess } from '../../testing/worker-process.ts';

// REACHOUT_FULL=1 runs it with 100,000 events.
const isFull = process.env['REACHOUT_FULL'] === '1';
const eventCount = isFull ? 100_000 : 2_000;
const patienceMs = isFull ? 1_800_000 : 60_000;
const contacts = eventCount / 5;
const repeatedShare = 0.2;
const batchSize = 40;
const noon = Date.now() - 3_600_000;

suite('reactions while processes are killed', () => {
  const app = useTestApp();
  const sink = useOpened(() => startSmtpSink({ keepMessages: true }));

  /** Events of a contact, and how often each listener has to react to them. */
  const actOf = (
    seq: number,
    { send, website }: { send: StoredEvent & { sendId: string }; website: Parameters<typeof buildVisit>[0] },
  ) => {
    const at = (minute: number) => new Date(noon + minute * 60_000);
    const message = (type: 'OPEN_EMAIL' | 'CLICK', minute: number, more: object = {}) => ({
      ...aboutMessage(type, { ...send, seq }, at(minute)),
      ...more,
    });
    const visitorId = randomUUID();
    const visit = (minute: number, more: object = {}) =>
      buildVisit(website, { visitorId, at: at(minute), ...more });
    const opens = seq % 3 > 0;
    const clicks = seq % 4 === 0;
    const events = [
      message('OPEN_EMAIL', 0, { isBot: !opens }),
      ...(clicks
        ? [message('CLICK', 1, { linkNo: seq % 8 === 0 ? 0 : 2 })]
        : [message('OPEN_EMAIL', 2, { isBot: true })]),
      visit(3, seq % 2 === 0 ? { message: { sendId: send.sendId, seq } } : {}),
      visit(4, { path: seq % 5 === 0 ? '/pricing' : '/about' }),
      visit(5, { type: 'TRACK', name: seq % 6 === 0 ? 'Order' : 'Scroll' }),
    ];
    const isKnown = seq % 2 === 0;
    const expected = {
      Opened: Number(opens),
      Spring: Number(clicks && seq % 8 === 0),
      Pricing: Number(isKnown && seq % 5 === 0),
      Ordered: Number(isKnown && seq % 6 === 0),
    };
    return { events, expected };
  };

  test(
    'each event has exactly its reactions and messages',
    { timeout: isFull ? 3_600_000 : 600_000 },
    async (t) => {
      const email = await buildReadyEmail(app, { contacts });
      const { id: sendId } = await buildSentCopy(app, email, contacts);
      const website = await buildWebsite(app.owner, {
        organization_id: email.organizationId,
        campaign_id: email.campaignId,
      });
      const parts: Record<string, Pick<GraphPart, 'type' | 'event' | 'notifier'>> = {
        Opened: { type: 'OPEN_EMAIL', notifier: email.touchpointId },
        Spring: { type: 'CLICK', event: '*/spring*', notifier: email.touchpointId },
        Pricing: { type: 'VIEW_PAGE', event: '/pricing', notifier: website.touchpointId },
        Ordered: { type: 'TRACK', event: 'Order', notifier: website.touchpointId },
      };
      for (const [subject, part] of Object.entries(parts)) {
        const listener = await buildListener(email, { subject, name: subject });
        await buildGraphPart(app.owner, email, { ...part, listener });
      }
      const place = { organizationId: email.organizationId, touchpointId: email.touchpointId, sendId };
      const acts = Array.from({ length: contacts }, (_, index) =>
        actOf(index + 1, { send: place as StoredEvent & { sendId: string }, website }),
      );
      const all = acts.flatMap(({ events }) => events);
      assert.equal(all.length, eventCount);
      // An open or click that comes again is another event, a page that sends again sends the same one.
      const repeats = all
        .slice(0, all.length * repeatedShare)
        .map((event) => (event.subject === 'message' ? { ...event, id: newId() } : event));
      const shuffled = [...all, ...repeats]
        .map((event) => ({ event, place: Math.random() }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ event }) => event);
      const expected = new Map<string, number>();
      for (const [index, act] of acts.entries())
        for (const [subject, count] of Object.entries(act.expected))
          if (count > 0) expected.set(`${subject} user${index + 1}@sink.example`, count);

      const processes = [0, 1].map(() => {
        const pipelined = connectPipelined(app.appUrl, {
          connections: 2,
          name: 'tests',
          statementTimeoutMs: 60_000,
          onError: () => {},
        });
        const folder = startEventFolder(pipelined, createLog('silent'), 50);
        return {
          pipelined,
          folder,
          committer: createEventCommitter(pipelined, [bindVisitors], createLog('silent')),
        };
      });
      t.after(async () => {
        for (const { pipelined, folder, committer } of processes) {
          await committer.close();
          await folder.close();
          await pipelined.destroy();
        }
      });
      sink.beforeAnswer = () => delay(Math.random() * 4);
      const start = () => startWorkerProcess(app, sink.url, randomUUID());
      let workers = [start(), start()];
      t.after(() => Promise.all(workers.map((worker) => worker.kill())));
      for (let from = 0; from < shuffled.length; from += batchSize) {
        const batch = shuffled.slice(from, from + batchSize);
        const { committer } = processes[(from / batchSize) % 2]!;
        await Promise.all(batch.map((event) => committer.add(event)));
      }
      const killed = sink.taken.length;
      await waitUntil('some messages have arrived', () => sink.taken.length > killed);
      for (const worker of workers) await worker.kill();
      workers = [start()];

      await waitUntil(
        'all reactions are over',
        async () => {
          const { waiting, unfolded } = await onlyRowOf<{ waiting: number; unfolded: number }>(app.owner)`
        select (select count(*)::int from reactions where state = 'waiting') as waiting,
          (select count(*)::int from unfolded_message_events) + (select count(*)::int from unfolded_visitor_events) as unfolded`;
          return waiting === 0 && unfolded === 0;
        },
        patienceMs,
      );
      const total = [...expected.values()].reduce((sum, count) => sum + count, 0);
      const reactions = await listReactions(app.owner, email.organizationId);
      assert.equal(reactions.length, total);
      assert.deepEqual([...new Set(reactions.map(({ state, reason }) => reason ?? state))], ['sent']);
      const sends = [...new Set(reactions.map(({ send_id }) => send_id!))];
      await waitUntil(
        'all messages have arrived',
        async () => {
          const { left } = await onlyRowOf<{ left: number }>(app.owner)`
        select count(*)::int as left from delivery_queue where send_id = any(${sends}::uuid[])`;
          return left === 0;
        },
        patienceMs,
      );
      for (const id of sends) {
        const { counters, rows } = await countAccounts(app.owner, id);
        assert.deepEqual(counters, rows);
      }
      // A message whose worker died may arrive twice, as the same message.
      const distinct = new Map(sink.taken.map((taken) => [taken.messageId, taken]));
      const arrived = new Map<string, number>();
      for (const { raw, recipient } of distinct.values()) {
        const key = `${/^Subject: (\w+)/m.exec(raw)?.[1] ?? ''} ${recipient}`;
        arrived.set(key, (arrived.get(key) ?? 0) + 1);
      }
      assert.deepEqual(Object.fromEntries(arrived), Object.fromEntries(expected));
    },
  );
});
