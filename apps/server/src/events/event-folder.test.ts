import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { execute, onlyRowOf, rowsOf, connect, type Database } from '../platform/database/database.ts';
import { connectPipelined, type PipelinedDatabase } from '../platform/database/pipelined.ts';
import { createLog } from '../platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { buildOpen } from '../testing/events.ts';
import { deleteRows, listRows } from '../testing/rows.ts';
import { buildSentEmail, type SentEmail } from '../testing/sent-email.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { readCountedUntil } from './counted-until.queries.ts';
import { eventBacklog } from './event-backlog.ts';
import { startEventFolder } from './event-folder.ts';
import { foldEvents, readBacklog } from './event-folder.queries.ts';
import type { MessageEvent } from './event.ts';
import { storeEvents } from './store-events.ts';

const options = { connections: 2, name: 'tests', statementTimeoutMs: 20_000, onError: () => {} };

suite('folding events of messages', () => {
  let database: TestDatabase;
  let owner: Database;
  let pipelined: PipelinedDatabase;

  before(async () => {
    database = await createTestDatabase();
    owner = connect(database.ownerUrl, options);
    pipelined = connectPipelined(database.appUrl, options);
  });
  after(async () => {
    await pipelined.destroy();
    await owner.destroy();
    await database.drop();
  });

  const store = (events: MessageEvent[]) => storeEvents(pipelined, events);
  const fold = (most = 10_000) => foldEvents(pipelined, 'message', most);
  const countWaiting = async () => {
    const { unfolded } = await readBacklog(pipelined);
    return unfolded.message;
  };

  interface Numbers {
    human: number;
    bots: number;
    firsts: number;
    rows: number;
    botRows: number;
    totals: number[];
  }

  async function read({ sendId }: SentEmail): Promise<Numbers> {
    return await onlyRowOf<Numbers>(owner)`
      select coalesce(sum(human_count), 0)::int as human, coalesce(sum(bot_count), 0)::int as bots,
        count(first_human_at)::int as firsts,
        (select count(*)::int from events where send_id = ${sendId} and not is_bot) as rows,
        (select count(*)::int from events where send_id = ${sendId} and is_bot) as "botRows",
        (
          select array[coalesce(sum(last) filter (where value = 'unique'), 0), coalesce(sum(last) filter (where value = 'human'), 0),
            coalesce(sum(last) filter (where value = 'bot'), 0)]::int[]
          from (select value, running_counts[96] as last from counts where subject_id = ${sendId}) of_days
        ) as totals
      from delivery_event_counts
      where send_id = ${sendId} and link_no = -1
    `;
  }

  /** Opens of one message: every third by a bot, and the others alternately by image proxies and people. */
  const buildOpens = (sent: SentEmail, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...buildOpen(sent),
      isBot: index % 3 === 0,
      isFirstOnly: index % 3 === 1,
    }));

  test('all events are counted and 20 rows are kept (LNK-5)', async () => {
    const sent = await buildSentEmail(owner);
    await store(buildOpens(sent, 99));
    // The first proxy and 33 people; 33 bots and the other 32 proxies.
    const expected = { human: 34, bots: 65, firsts: 1, rows: 20, botRows: 20, totals: [1, 34, 65] };
    let folds = 0;
    while ((await fold(7)) > 0) folds += 1;
    assert.equal(folds, 15);
    assert.deepEqual(await read(sent), expected);
    // Later events add to what is folded.
    await store(buildOpens(sent, 3));
    assert.deepEqual(await read(sent), expected);
    await fold();
    assert.deepEqual(await read(sent), { ...expected, human: 35, bots: 67, totals: [1, 35, 67] });
  });

  test('the first event of message and link is the first that was stored', async () => {
    const sent = await buildSentEmail(owner);
    const click = (linkNo: number, at: string): MessageEvent => ({
      ...buildOpen(sent),
      type: 'CLICK',
      linkNo,
      at: new Date(at),
    });
    await store([click(0, '2026-11-01T10:00:00Z')]);
    await store([click(1, '2026-11-01T08:00:00Z')]);
    const firsts = async () =>
      (
        await listRows(owner, 'delivery_event_counts', ['link_no', 'first_human_at'], {
          send_id: sent.sendId,
        })
      )
        .filter(({ first_human_at }) => first_human_at !== null)
        .map(({ link_no, first_human_at }) => `${link_no} ${new Date(first_human_at!).getUTCHours()}`)
        .toSorted();
    const expected = ['-1 10', '0 10', '1 8'];
    await fold(1);
    await store([click(1, '2026-11-01T07:00:00Z'), click(0, '2026-11-01T07:00:00Z')]);
    await fold();
    assert.deepEqual(await firsts(), expected);
  });

  test('readers learn until when the events of their organization are counted', async () => {
    const [sent, other] = [await buildSentEmail(owner), await buildSentEmail(owner)];
    const readIn = ({ organizationId }: SentEmail) =>
      owner.transaction().execute((trx) => readCountedUntil(trx, organizationId, 'message'));
    const secondsBehind = async () => (await readBacklog(pipelined)).seconds.message;
    const at = new Date(Date.now() - 180_000);
    await store(buildOpens(sent, 3).map((event) => ({ ...event, at })));
    await store(buildOpens(other, 1));
    await execute(owner)`update event_folds set folded_until = now() - interval '200 seconds'`;
    assert.deepEqual(await readIn(sent), { at: at.toISOString(), is_behind: true });
    // The events of another organization hold up nobody.
    assert.equal((await readIn(other)).is_behind, false);
    assert.ok((await secondsBehind()) >= 200);
    // A batch that may leave some says nothing about when.
    assert.equal(await fold(3), 3);
    assert.ok((await secondsBehind()) >= 200);
    await fold();
    assert.equal((await readIn(sent)).is_behind, false);
    assert.equal(await secondsBehind(), 0);
  });

  test('only one process folds at a time', async () => {
    const sent = await buildSentEmail(owner);
    await store(buildOpens(sent, 3));
    await owner.transaction().execute(async (trx) => {
      const rows = await rowsOf<{ folded: number }>(trx)`select fold_message_events(10) as folded`;
      assert.deepEqual(rows, [{ folded: 3 }]);
      assert.equal(await fold(), 0);
      // Nothing waits for it.
      await store(buildOpens(sent, 3));
    });
    assert.equal(await fold(), 3);
  });

  test('events of erased sends and organizations are dropped', async () => {
    const sent = await buildSentEmail(owner);
    const neighbour = await buildSentEmail(owner);
    await store([...buildOpens(sent, 3), ...buildOpens(neighbour, 3)]);
    await deleteRows(owner, 'touchpoint_send_contents', { send_id: sent.sendId });
    await deleteRows(owner, 'deliveries', { send_id: sent.sendId });
    await deleteRows(owner, 'touchpoint_sends', { id: sent.sendId });
    assert.equal(await fold(), 6);
    assert.equal(await countWaiting(), 0);
    assert.equal((await read(sent)).human, 0);
    assert.equal((await read(neighbour)).human, 2);
  });

  test('a batch that takes too long is folded in smaller ones', async () => {
    const sent = await buildSentEmail(owner);
    await execute(owner)`
      create function rest() returns trigger language plpgsql as 'begin perform pg_sleep(0.001); return new; end'`;
    await execute(owner)`
      create trigger rest before insert on delivery_event_counts for each row execute function rest()
    `;
    const impatient = connectPipelined(
      `${database.appUrl}?options=${encodeURIComponent('-c statement_timeout=400')}`,
      options,
    );
    await store(Array.from({ length: 500 }, (_, index) => buildOpen(sent, index + 1)));
    const folder = startEventFolder(impatient, createLog('silent'), 50);
    await waitUntil('all are folded', async () => (await countWaiting()) === 0);
    await folder.close();
    await impatient.destroy();
    await execute(owner)`drop trigger rest on delivery_event_counts`;
    assert.equal((await read(sent)).human, 500);
  });

  test('an organization whose fold fails holds up no other', async () => {
    const [bad, good] = [await buildSentEmail(owner), await buildSentEmail(owner)];
    await execute(owner)`
      create function fail() returns trigger language plpgsql as 'begin raise exception ''no''; end'`;
    await execute(owner)`
      create trigger fail before insert on counts for each row
      when (new.subject_id = ${sql.lit(bad.sendId)}) execute function fail()
    `;
    await store([...buildOpens(bad, 3), ...buildOpens(good, 3)]);
    const lines: string[] = [];
    const folder = startEventFolder(pipelined, createLog('warn', { write: (line) => lines.push(line) }));
    await waitUntil('the others are folded', async () => (await read(good)).human === 2);
    await waitUntil('the backlog is counted', () => eventBacklog.unfolded.message === 3);
    assert.equal((await read(bad)).human, 0);
    assert.ok(lines.some((line) => line.includes(bad.organizationId)));
    assert.ok(!lines.some((line) => line.includes(good.organizationId)));
    await execute(owner)`drop trigger fail on counts`;
    await waitUntil('it is folded', async () => (await read(bad)).human === 2);
    await folder.close();
    assert.equal(await countWaiting(), 0);
  });
});
