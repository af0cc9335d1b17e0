import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { connect, type Database } from '../platform/database/database.ts';
import { connectPipelined, type PipelinedDatabase } from '../platform/database/pipelined.ts';
import { QueueFull } from '../platform/group-commit.ts';
import { newId } from '../platform/ids.ts';
import { createLog } from '../platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { buildOpen } from '../testing/events.ts';
import { getRow, updateRows } from '../testing/rows.ts';
import { buildSentEmail, type SentEmail } from '../testing/sent-email.ts';
import { assertColumn } from '../testing/assert-column.ts';
import { eventBacklog, maxUnfolded } from './event-backlog.ts';
import { createEventCommitter, type EventCommitter } from './event-committer.ts';
import type { EventEffect } from './effects.ts';

const options = { connections: 1, name: 'tests', statementTimeoutMs: 20_000, onError: () => {} };

suite('events of several organizations', () => {
  let database: TestDatabase;
  let owner: Database;
  let pipelined: PipelinedDatabase;
  let committer: EventCommitter;

  before(async () => {
    database = await createTestDatabase();
    owner = connect(database.ownerUrl, options);
    pipelined = connectPipelined(database.appUrl, options);
    committer = createEventCommitter(pipelined, effects, createLog('silent'));
  });
  after(async () => {
    await committer.close();
    await pipelined.destroy();
    await owner.destroy();
    await database.drop();
  });

  /** What the effect of the committer makes of the events of an organization; each test sets its own. */
  const effectOf = new Map<string, EventEffect>();
  const listen = ({ organizationId }: SentEmail, effect: EventEffect) => effectOf.set(organizationId, effect);
  const effects: EventEffect[] = [(events) => effectOf.get(events[0]!.organizationId)?.(events) ?? []];
  const nameOf = async ({ touchpointId }: SentEmail) =>
    (await getRow(owner, 'touchpoints', ['name'], { id: touchpointId })).name;

  const buildSends = async () => [
    await buildSentEmail(owner),
    await buildSentEmail(owner),
    await buildSentEmail(owner),
  ];

  /** @returns the appended rows of the sends, and the number of transactions that wrote them */
  async function readRows(sends: SentEmail[]): Promise<{ rows: string[]; commits: number }> {
    const ids = sends.map(({ sendId }) => sendId);
    const { rows } = await sql<{ row: string; commit: string }>`
      select concat_ws(' ', organization_id, touchpoint_id, send_id, seq) as row, xmin::text as commit
      from unfolded_message_events where send_id = any (${ids})
    `.execute(owner);
    return {
      rows: rows.map(({ row }) => row).toSorted(),
      commits: new Set(rows.map(({ commit }) => commit)).size,
    };
  }

  const rowsOf = (sends: SentEmail[]) =>
    sends
      .map(({ organizationId, touchpointId, sendId }) => `${organizationId} ${touchpointId} ${sendId} 1`)
      .toSorted();

  test('events of several organizations share one commit', async () => {
    const sends = await buildSends();
    await Promise.all(sends.map((sent) => committer.add(buildOpen(sent))));
    assert.deepEqual(await readRows(sends), { rows: rowsOf(sends), commits: 1 });
  });

  test('forged organizations, touchpoints and sends store nothing', async () => {
    const [sent, other, test_] = (await buildSends()) as [SentEmail, SentEmail, SentEmail];
    await updateRows(owner, 'touchpoint_sends', { id: test_.sendId }, { kind: 'test' });
    const forged = [
      { ...buildOpen(sent), organizationId: other.organizationId },
      { ...buildOpen(sent), sendId: other.sendId },
      { ...buildOpen(sent), sendId: newId() },
      buildOpen(test_),
    ];
    await Promise.all([...forged, buildOpen(sent)].map((event) => committer.add(event)));
    assert.deepEqual((await readRows([sent, other, test_])).rows, rowsOf([sent]));
    // The touchpoint is that of the send, whatever the event says.
    await committer.add({ ...buildOpen(other), touchpointId: sent.touchpointId });
    assert.deepEqual((await readRows([other])).rows, rowsOf([other]));
  });

  test('no event is taken while too many wait to be folded', async () => {
    const [sent] = (await buildSends()) as [SentEmail, SentEmail, SentEmail];
    eventBacklog.unfolded.message = maxUnfolded + 1;
    await assert.rejects(committer.add(buildOpen(sent)), QueueFull);
    eventBacklog.unfolded.message = maxUnfolded;
    await committer.add(buildOpen(sent));
    assert.deepEqual((await readRows([sent])).rows, rowsOf([sent]));
  });

  test('an organization leaves room to others while many events wait', async () => {
    const [sent, other] = (await buildSends()) as [SentEmail, SentEmail, SentEmail];
    const flood = Array.from({ length: 10_000 }, () => buildOpen(sent));
    eventBacklog.unfolded.message = maxUnfolded / 2 + 1;
    for (let count = 0; count < 5; count += 1) await committer.add(...flood);
    await assert.rejects(committer.add(buildOpen(sent)), QueueFull);
    await committer.add(buildOpen(other));
    eventBacklog.unfolded.message = 0;
    await committer.add(buildOpen(sent));
  });

  test('a failing organization does not lose events of others', async () => {
    const sends = await buildSends();
    const [bad, ...good] = sends as [SentEmail, ...SentEmail[]];
    await sql`
      create function fail() returns trigger language plpgsql as 'begin raise exception ''no''; end'
    `.execute(owner);
    await sql`
      create trigger fail before insert on unfolded_message_events for each row
      when (new.send_id = ${sql.lit(bad.sendId)}) execute function fail()
    `.execute(owner);
    const added = await Promise.allSettled(sends.map((sent) => committer.add(buildOpen(sent))));
    assertColumn(added, 'status', ['rejected', 'fulfilled', 'fulfilled']);
    assert.deepEqual((await readRows(sends)).rows, rowsOf(good));
  });

  test('an effect gets the events of an organization, and writes in their transaction', async () => {
    const [heard, other] = (await buildSends()) as [SentEmail, SentEmail, SentEmail];
    const heardIds: string[] = [];
    listen(heard, (events) => {
      heardIds.push(...events.map(({ id }) => id));
      return [
        {
          name: 'test_effect',
          text: `update touchpoints set name = 'opened' where organization_id = $1 and id = $2`,
          values: [heard.organizationId, heard.touchpointId],
        },
      ];
    });
    const open = buildOpen(heard);
    const click = { ...buildOpen(heard), type: 'CLICK' as const, linkNo: 0 };
    await Promise.all([open, click, buildOpen(other)].map((event) => committer.add(event)));
    assert.deepEqual(heardIds.toSorted(), [open.id, click.id].toSorted());
    assert.equal(await nameOf(heard), 'opened');
    assert.notEqual(await nameOf(other), 'opened');
    const { rows } = await sql<{ is_same: boolean }>`
      select t.xmin = e.xmin as is_same from touchpoints t, unfolded_message_events e
      where t.id = ${heard.touchpointId} and e.send_id = ${heard.sendId} and e.type = 'OPEN_EMAIL'
    `.execute(owner);
    assert.deepEqual(rows, [{ is_same: true }]);
  });

  test('an event is not stored if its effect fails', async () => {
    const sends = await buildSends();
    const [bad, ...good] = sends as [SentEmail, ...SentEmail[]];
    listen(bad, () => [{ name: 'test_failure', text: 'select 1 / $1::int', values: [0] }]);
    const added = await Promise.allSettled(sends.map((sent) => committer.add(buildOpen(sent))));
    assertColumn(added, 'status', ['rejected', 'fulfilled', 'fulfilled']);
    assert.deepEqual((await readRows(sends)).rows, rowsOf(good));
  });
});
