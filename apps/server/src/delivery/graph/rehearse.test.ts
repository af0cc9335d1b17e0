import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Rehearsal } from '@reachout/contract/event-graph.ts';
import { aboutMessage, type MessageEvent } from '../../events/event.ts';
import { execute } from '../../platform/database/database.ts';
import { buildEvents } from '../../sample/events.ts';
import { useTestApp } from '../../testing/app.ts';
import {
  activate,
  buildGraphPart,
  buildListener,
  buildSentCopy,
  listReactions,
} from '../../testing/event-graph.ts';
import { startProductWorker } from '../../testing/product-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { storeResults } from '../../testing/sent-email.ts';
import { updateRows } from '../../testing/rows.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';

const contacts = 6;
const hourMs = 3_600_000;

suite('rehearsals of an event graph', () => {
  const app = useTestApp();
  const sink = useOpened(() => startSmtpSink());

  const rehearse = ({ person, campaignId }: ReadyEmail) =>
    person.ok<Rehearsal>('GET', `/api/campaigns/${campaignId}/rehearsal?days=10`);
  /** The same events in each send: all opened, some clicked, the second unsubscribed. */
  const happen = async (email: ReadyEmail, at: Date) => {
    const { organizationId, touchpointId } = email;
    const { id: sendId } = await buildSentCopy(app, email, contacts);
    await storeResults(
      app.owner,
      { organizationId, sendId },
      Array.from({ length: contacts }, () => 'sent' as const),
      () => at.toISOString(),
    );
    const event = (type: MessageEvent['type'], seq: number, hours: number, linkNo: number | null = null) => ({
      ...aboutMessage(
        type,
        { organizationId, touchpointId, sendId, seq },
        new Date(at.getTime() + hours * hourMs),
      ),
      linkNo,
    });
    const events = [
      ...[1, 2, 3, 4, 5].map((seq) => event('OPEN_EMAIL', seq, 0.001)),
      event('CLICK', 1, 0.002, 2),
      event('CLICK', 3, 0.002, 0),
      event('CLICK', 4, 0.002, 0),
    ];
    await app.owner.transaction().execute((trx) => buildEvents(trx, organizationId, events));
  };
  const count = (rehearsal: Rehearsal) =>
    Object.fromEntries(
      rehearsal.listeners.map(({ listener_id, sent, done, skipped }) => [
        listener_id,
        { sent, done, ...Object.fromEntries(skipped.map(({ reason, count: number }) => [reason, number])) },
      ]),
    );

  test('a rehearsal says what the graph then does, sends nothing, and answers the same', async (t) => {
    const email = await buildReadyEmail(app, { contacts });
    const second = await buildListener(email, { isActive: false, name: 'Second' });
    const third = await buildListener(email, { isActive: false, name: 'Third' });
    const draft = { isActive: false, once: true };
    const toSecond = await buildGraphPart(app.owner, email, {
      ...draft,
      notifier: email.touchpointId,
      listener: second,
      type: 'OPEN_EMAIL',
      unless: { event_type: 'CLICK', event: '*about' },
      delay: 'PT10S',
    });
    const stop = await buildGraphPart(app.owner, email, {
      ...draft,
      notifier: email.touchpointId,
      listener: second,
      type: 'CLICK',
      event: '*spring*',
      action: 'stop_email',
    });
    const toThird = await buildGraphPart(app.owner, email, {
      ...draft,
      notifier: second,
      listener: third,
      type: 'SEND_EMAIL',
    });
    await execute(app.owner)`update content_items set data = data || '{"unsubscribed":true}'
      where organization_id = ${email.organizationId} and id = 'contact-000002'`;
    await happen(email, new Date(Date.now() - 48 * hourMs));

    const first = await rehearse(email);
    const expected = {
      [toSecond.listenerId]: { sent: 1, done: 0, unless: 1, unsubscribed: 1, stopped: 2 },
      [stop.listenerId]: { sent: 0, done: 2 },
      [toThird.listenerId]: { sent: 1, done: 0 },
    };
    assert.deepEqual(count(first), expected);
    assert.deepEqual({ ...(await rehearse(email)), from: 0, until: 0 }, { ...first, from: 0, until: 0 });
    assert.deepEqual(
      first.items
        .filter(({ state, action }) => state === 'sent' && action === 'send_email')
        .map(({ contact_id, touchpoint_name }) => [contact_id, touchpoint_name]),
      [
        ['contact-000005', 'Second'],
        ['contact-000005', 'Third'],
      ],
    );
    assert.deepEqual(await listReactions(app.owner, email.organizationId), []);

    for (const touchpointId of [second, third]) await activate({ person: email.person, touchpointId });
    await updateRows(
      app.owner,
      'touchpoint_events',
      { organization_id: email.organizationId },
      { is_active: true },
    );
    startProductWorker(t, app, sink);
    await happen(email, new Date());
    const rows = await waitUntil('all reactions are over', async () => {
      const found = await listReactions(app.owner, email.organizationId);
      return found.length === first.count && found.every(({ state }) => state !== 'waiting')
        ? found
        : undefined;
    });
    const really = Object.fromEntries(
      [...Map.groupBy(rows, ({ listener_id }) => listener_id)].map(([id, of]) => {
        const counted = {
          sent: 0,
          done: 0,
          ...Object.fromEntries(
            [...Map.groupBy(of, ({ state, reason }) => reason ?? state)].map(([key, some]) => [
              key,
              some.length,
            ]),
          ),
        };
        return [id, counted];
      }),
    );
    assert.deepEqual(really, expected);
    await waitUntil('both emails have arrived', () => sink.taken.length === 2);
  });
});
