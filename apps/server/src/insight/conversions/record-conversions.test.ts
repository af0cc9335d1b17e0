import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { VisitorEvent } from '../../events/event.ts';
import { storeEvents, storeEventsIn } from '../../events/store-events.ts';
import { connectPipelined, type PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { hasRows, inOrganization, type Database } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertSummed } from '../../testing/conversion-sums.ts';
import { insertRows } from '../../sample/rows.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { buildSentEmail, type SentEmail } from '../../testing/sent-email.ts';
import { buildWebsite, type TestWebsite } from '../../testing/tracked-website.ts';
import { buildVisit, foldEvents } from '../../sample/events.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { bindVisitors } from '../tracking/bind-visitors.ts';
import { recordConversions } from './record-conversions.ts';

const dayMs = 86_400_000;
const listeners = [bindVisitors, recordConversions];
const noon = new Date().setUTCHours(12, 0, 0, 0);

suite('attribution of conversions', () => {
  const shared = useSharedApp();
  let owner: Database;
  /** Those of two processes. */
  let processes: readonly [PipelinedDatabase, PipelinedDatabase];

  before(() => {
    ({ owner } = shared);
    const open = () =>
      connectPipelined(shared.appUrl, {
        connections: 4,
        name: 'tests',
        statementTimeoutMs: 20_000,
        onError: () => {},
      });
    processes = [open(), open()];
  });
  after(async () => {
    for (const each of processes) await each.destroy();
  });

  const storeIn = (pipelined: PipelinedDatabase, events: readonly VisitorEvent[]) =>
    storeEvents(pipelined, events, listeners);
  const store = (...events: VisitorEvent[]) => storeIn(processes[0], events);

  interface Place {
    website: TestWebsite;
    goalId: string;
    sent: SentEmail;
  }
  const buildPlace = async (): Promise<Place> => {
    const sent = await buildSentEmail(owner, {
      addresses: Array.from({ length: 4 }, (_, index) => `${index}@example.org`),
    });
    const website = await buildWebsite(owner, { organization_id: sent.organizationId });
    const goalId = newId();
    await insertRows(owner, 'conversion_goals', {
      id: goalId,
      organization_id: website.organizationId,
      touchpoint_id: website.touchpointId,
      event: 'Order',
      window_days: 7,
    });
    return { website, goalId, sent };
  };
  /** @param ms  after noon of today, in UTC */
  const at = (ms: number) => new Date(noon + ms);
  const link = ({ website, sent }: Place, visitorId: string, ms: number, seq = 1) =>
    buildVisit(website, { visitorId, at: at(ms), message: { sendId: sent.sendId, seq } });
  const order = (
    { website, goalId }: Place,
    visitorId: string,
    ms: number,
    given: Partial<VisitorEvent['conversion'] & object> = {},
  ) =>
    buildVisit(website, {
      visitorId,
      at: at(ms),
      type: 'TRACK',
      name: 'Order',
      conversion: { goalId, windowDays: 7, value: null, ...given },
    });
  const list = ({ website }: Place) =>
    owner
      .selectFrom('conversions')
      .select(['event_id', 'at', 'visitor_id', 'send_id', 'seq', 'email_touchpoint_id', 'value', 'goal_id'])
      .where('touchpoint_id', '=', website.touchpointId)
      .orderBy('at')
      .orderBy('event_id')
      .execute();
  const listSeqs = async (place: Place) => (await list(place)).map(({ seq }) => seq);

  /** Whether a transaction waits for the lock of a visitor. */
  const isWaiting = () => hasRows(owner)`
      select from pg_locks
      where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())
    `;

  /** What the rules say, whichever order events arrive in. */
  const attribute = (events: readonly VisitorEvent[]) =>
    new Map(
      events
        .filter(({ conversion }) => conversion !== null)
        // Of several with one id, the first in time.
        .toSorted(
          (one, other) => Number(other.at) - Number(one.at) || (one.visitorId < other.visitorId ? 1 : -1),
        )
        .map((event) => {
          const last = events
            .filter(
              (other) =>
                other.visitorId === event.visitorId && other.message !== null && other.at <= event.at,
            )
            .toSorted(
              (one, other) => Number(one.at) - Number(other.at) || one.message!.seq - other.message!.seq,
            )
            .at(-1);
          const isInTime =
            last !== undefined && Number(event.at) - Number(last.at) <= event.conversion!.windowDays * dayMs;
          return [event.conversion!.id ?? event.id, isInTime ? last.message!.seq : null];
        }),
    );

  /** Few visitors and times, so that many events meet; a conversion can have a link itself. */
  const invent = (place: Place, count: number): VisitorEvent[] => {
    const visitors = Array.from({ length: 4 }, () => randomUUID());
    const below = (max: number) => Math.floor(Math.random() * max);
    const ids = Array.from({ length: 5 }, () => randomUUID());
    // The last one is of a visitor who followed no link.
    const last = order(place, randomUUID(), 0);
    const others = Array.from({ length: count - 1 }, () => {
      const visitorId = visitors[below(visitors.length)]!;
      const ms = -below(40) * dayMs * 0.5;
      const message = { sendId: place.sent.sendId, seq: 1 + below(4) };
      if (Math.random() < 0.4) return { ...link(place, visitorId, ms), message };
      const event =
        Math.random() < 0.3
          ? order(place, visitorId, ms, { id: ids[below(ids.length)]! })
          : order(place, visitorId, ms, { windowDays: [1, 7, 30][below(3)]! });
      return Math.random() < 0.2 ? { ...event, message } : event;
    });
    return [...others, last];
  };
  const shuffle = <T>(items: readonly T[]): T[] =>
    items
      .map((item) => [Math.random(), item] as const)
      .toSorted(([one], [other]) => one - other)
      .map(([, item]) => item);
  /** In batches of 1 to 5. */
  const cut = <T>(items: readonly T[]): T[][] => {
    const rest = [...items];
    const batches: T[][] = [];
    while (rest.length > 0) batches.push(rest.splice(0, 1 + Math.floor(Math.random() * 5)));
    return batches;
  };
  const assertAttributed = async (place: Place, events: readonly VisitorEvent[]) => {
    const expected = attribute(events);
    const found = await list(place);
    assert.equal(found.length, expected.size);
    for (const { event_id, seq, send_id, email_touchpoint_id } of found) {
      assert.equal(seq, expected.get(event_id), JSON.stringify(events.filter(({ id }) => id === event_id)));
      const { sendId, touchpointId } = place.sent;
      assert.deepEqual([send_id, email_touchpoint_id], seq === null ? [null, null] : [sendId, touchpointId]);
    }
    assert.ok(found.some(({ seq }) => seq !== null) && found.some(({ seq }) => seq === null));
  };

  test('any order of arrival, with repeats, gives the same attribution and sums', async () => {
    for (let round = 0; round < 5; round++) {
      const place = await buildPlace();
      const { organizationId } = place.website;
      const events = invent(place, 80);
      const arriving = shuffle([...events, ...shuffle(events).slice(0, 20)]);
      for (const [index, batch] of cut(arriving).entries()) {
        await store(...batch);
        if (index % 5 === 0) await assertSummed(owner, organizationId);
        if (index % 7 === 0) await foldEvents(owner, 'visitor', 10, organizationId);
      }
      await assertAttributed(place, events);
      await assertSummed(owner, organizationId);
    }
  });

  test('links and conversions that two processes store at the same time find each other', async () => {
    const place = await buildPlace();
    const { organizationId } = place.website;
    const events = invent(place, 300);
    const batches = cut(shuffle([...events, ...events.slice(0, 50)]));
    const folds = Array.from({ length: 2 }, async () => {
      while (batches.length > 0) await foldEvents(owner, 'visitor', 10, organizationId);
    });
    const work = processes.flatMap((pipelined) =>
      Array.from({ length: 4 }, async () => {
        for (let batch = batches.pop(); batch !== undefined; batch = batches.pop())
          await storeIn(pipelined, batch);
      }),
    );
    await Promise.all([...work, ...folds]);
    await assertAttributed(place, events);
    await assertSummed(owner, organizationId);
    const waiting = await listRows(owner, 'conversion_changes', ['at'], { organization_id: organizationId });
    assert.deepEqual(waiting, []);
  });

  test('a link and a conversion that are stored at the same time wait for each other', async () => {
    for (const isLinkFirst of [true, false]) {
      const place = await buildPlace();
      const { organizationId } = place.website;
      const visitor = randomUUID();
      const events = [link(place, visitor, 0), order(place, visitor, 1)];
      const [first, second] = isLinkFirst ? events : events.toReversed();
      let stored = Promise.resolve();
      await inOrganization(shared.services.trackingDb, organizationId, async (trx) => {
        await storeEventsIn(trx, organizationId, [first!], listeners);
        stored = store(second!);
        await Promise.race([stored, waitUntil('the other transaction waits', isWaiting)]);
      });
      await stored;
      assert.deepEqual(await listSeqs(place), [1]);
    }
  });

  test('the window ends after its days, to the millisecond', async () => {
    for (const isLate of [false, true]) {
      const place = await buildPlace();
      const [inside, outside, before_] = [randomUUID(), randomUUID(), randomUUID()];
      const end = 7 * dayMs;
      const links = [link(place, inside, -end), link(place, outside, -end - 1), link(place, before_, 1)];
      const orders = [inside, outside, before_].map((visitor) => order(place, visitor, 0));
      for (const event of isLate ? [...orders, ...links] : [...links, ...orders]) await store(event);
      const found = new Map((await list(place)).map(({ visitor_id, seq }) => [visitor_id, seq]));
      assert.deepEqual(
        [inside, outside, before_].map((visitor) => found.get(visitor)),
        [1, null, null],
      );
    }
  });

  test('a link after the last one of the window takes nothing from before it', async () => {
    const place = await buildPlace();
    const visitor = randomUUID();
    await store(link(place, visitor, 0, 1), order(place, visitor, 10), order(place, visitor, 30));
    await store(link(place, visitor, 20, 2));
    assert.deepEqual(await listSeqs(place), [1, 2]);
  });

  test('of two links at the same time the order of arrival decides nothing', async () => {
    for (const seqs of [
      [1, 2],
      [2, 1],
    ]) {
      const place = await buildPlace();
      const visitor = randomUUID();
      await store(order(place, visitor, 5));
      for (const seq of seqs) await store(link(place, visitor, 0, seq));
      assert.deepEqual(await listSeqs(place), [2]);
    }
  });

  test('the event is a conversion in its own transaction, and once', async () => {
    const place = await buildPlace();
    const event = order(place, randomUUID(), 0, { value: 9.99 });
    await store(event, event);
    await store({ ...event, conversion: { ...event.conversion!, value: 1 } });
    const [only, ...others] = await list(place);
    assert.deepEqual([Number(only!.value), others.length], [9.99, 0]);
    const bad = { ...order(place, randomUUID(), 1), url: null as unknown as string };
    await assert.rejects(store(order(place, randomUUID(), 2), bad));
    assert.equal((await list(place)).length, 1);
  });

  test('events with one id are one conversion, the first in time, also months later', async () => {
    const place = await buildPlace();
    const { organizationId } = place.website;
    const id = randomUUID();
    const monthMs = 30 * dayMs;
    for (const [month, value] of [
      [-1, 3],
      [-3, 1],
      [-2, 2],
      [0, 4],
    ] as const) {
      await store(order(place, randomUUID(), month * monthMs, { id, value }));
      if (month !== -3) await assertSummed(owner, organizationId);
    }
    const [only, ...others] = await list(place);
    assert.deepEqual([Number(only!.value), only!.at, others], [1, at(-3 * monthMs).toISOString(), []]);
    await assertSummed(owner, organizationId);
  });

  test('bots, tests, erased sends and other organizations attribute nothing', async () => {
    const place = await buildPlace();
    const other = await buildPlace();
    const ofTest = await buildSentEmail(owner, { organizationId: place.website.organizationId });
    await updateRows(owner, 'touchpoint_sends', { id: ofTest.sendId }, { kind: 'test' });
    const visitors = Array.from({ length: 4 }, () => randomUUID());
    const messages = [place.sent, ofTest, other.sent, { sendId: newId() }].map(({ sendId }) => ({
      sendId,
      seq: 1,
    }));
    await store(
      ...visitors.map((visitorId, index) =>
        buildVisit(place.website, {
          visitorId,
          at: at(0),
          message: messages[index]!,
          isBot: index === 0,
        }),
      ),
      ...visitors.map((visitorId) => order(place, visitorId, 1)),
      { ...order(place, randomUUID(), 2), isBot: true },
    );
    assert.deepEqual(await listSeqs(place), [null, null, null, null]);
  });

  test('a visitor of one website is nobody on another one', async () => {
    const place = await buildPlace();
    const website = await buildWebsite(owner, { organization_id: place.website.organizationId });
    const visitor = randomUUID();
    await store(link(place, visitor, 0), order({ ...place, website }, visitor, 1));
    assert.deepEqual(await listSeqs({ ...place, website }), [null]);
  });

  test('the newest 50 links of a visitor are kept', async () => {
    const place = await buildPlace();
    const visitor = randomUUID();
    await store(order(place, visitor, 2));
    for (const from of [1, 21, 41])
      await store(
        ...Array.from({ length: 20 }, (_, index) =>
          link(place, visitor, (from + index) * 10, 1 + (index % 2)),
        ),
      );
    await store(link(place, visitor, 0));
    const kept = await listRows(owner, 'followed_links', ['at'], { visitor_id: visitor });
    assert.deepEqual(
      kept.map((row) => (Date.parse(row.at) - noon) / 10).toSorted((one, other) => one - other),
      Array.from({ length: 50 }, (_, index) => index + 11),
    );
    // The link before it was not kept: newer ones are.
    assert.deepEqual(await listSeqs(place), [null]);
  });

  test('a link that everybody follows is kept 1,000 times', async () => {
    const place = await buildPlace();
    const links = (count: number) => Array.from({ length: count }, () => link(place, randomUUID(), 0));
    await store(...links(1_000));
    await store(...links(3), link(place, randomUUID(), 0, 2));
    const kept = await listRows(owner, 'followed_links', ['seq'], {
      touchpoint_id: place.website.touchpointId,
    });
    assert.equal(kept.length, 1_001);
  });

  test('events of several organizations are attributed in one commit', async () => {
    const places = [await buildPlace(), await buildPlace()];
    const visitor = randomUUID();
    await store(...places.flatMap((place) => [order(place, visitor, 5), link(place, visitor, 0)]));
    for (const place of places) {
      const [only] = await list(place);
      assert.equal(only!.send_id, place.sent.sendId);
    }
  });

  test('a message whose contact was deleted still counts', async () => {
    const place = await buildPlace();
    const visitor = randomUUID();
    await updateRows(
      owner,
      'deliveries',
      { send_id: place.sent.sendId, seq: 1 },
      { address: '', contact_id: '' },
    );
    await store(link(place, visitor, 0), order(place, visitor, 1));
    assert.deepEqual(await listSeqs(place), [1]);
    assert.deepEqual(await listRows(owner, 'visitor_contacts', ['seq'], { visitor_id: visitor }), []);
  });
});
