import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { connect, rowsOf, type Database } from '../platform/database/database.ts';
import { connectPipelined, type PipelinedDatabase } from '../platform/database/pipelined.ts';
import { createLog } from '../platform/log.ts';
import { insertRows } from '../sample/rows.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { buildOpen } from '../testing/events.ts';
import { deleteRows, getRow, listRows } from '../testing/rows.ts';
import { buildSentEmail, emailSnapshot, storeResults, type SentEmail } from '../testing/sent-email.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { startEventFolder } from './event-folder.ts';
import { foldEvents, reviewClicks } from './event-folder.queries.ts';
import type { MessageEvent } from './event.ts';
import { storeEvents } from './store-events.ts';

const options = { connections: 4, name: 'tests', statementTimeoutMs: 20_000, onError: () => {} };
const noon = '2026-10-05T12:00:00.000Z';

suite('clicks that are looked at again', () => {
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
  const listReviews = ({ sendId: send_id }: SentEmail) =>
    listRows(owner, 'click_reviews', ['seq'], { send_id });

  /** @returns of how many messages */
  async function review(): Promise<number> {
    let reviewed = 0;
    let taken: number;
    do {
      taken = await reviewClicks(pipelined, 3);
      reviewed += taken;
    } while (taken > 0);
    return reviewed;
  }

  /** Clicks by people. @param times  the number of each link and the seconds since a time, as in `0:1.5 1:2` */
  const clicks = (
    sent: SentEmail,
    times: string,
    { from = noon, ...given }: { from?: string; seq?: number; isBot?: boolean } = {},
  ): MessageEvent[] =>
    times.split(' ').map((time) => {
      const [linkNo = 0, seconds = 0] = time.split(':').map(Number);
      const at = new Date(Date.parse(from) + 1_000 * seconds);
      return { ...buildOpen(sent), type: 'CLICK', linkNo, at, ...given };
    });

  /** A scanner that follows all three links: its first two clicks count as those of a person. */
  const scan = (sent: SentEmail, given: { from?: string; seq?: number } = {}) => [
    ...clicks(sent, '0:0 1:1.5', given),
    ...clicks(sent, '2:2', { ...given, isBot: true }),
  ];

  async function foldAndReview(events: MessageEvent[]): Promise<void> {
    await store(events);
    await fold();
    await review();
  }

  const buildDelivered = async (acceptedAt = noon): Promise<SentEmail> => {
    const sent = await buildSentEmail(owner);
    await storeResults(owner, sent, ['sent'], () => acceptedAt);
    return sent;
  };

  async function assertMoved(
    sent: SentEmail,
    expected: { people: number; bots: number; first: string | null },
    message = 'clicks of the message',
  ): Promise<void> {
    const whole = await getRow(owner, 'delivery_event_counts', '*', {
      send_id: sent.sendId,
      type: 'CLICK',
      seq: 1,
      link_no: -1,
    });
    assert.deepEqual(
      {
        people: whole.human_count,
        bots: whole.bot_count,
        first: whole.first_human_at && new Date(whole.first_human_at).toISOString(),
      },
      expected,
      message,
    );
  }

  const listRules = async ({ sendId: send_id }: SentEmail) =>
    (await listRows(owner, 'events', ['link_no', 'is_bot', 'moved_by'], { send_id, type: 'CLICK' }))
      .map(({ link_no, is_bot, moved_by }) =>
        `${link_no} ${is_bot ? 'bot' : 'person'} ${moved_by ?? ''}`.trim(),
      )
      .toSorted();

  /** Rows, counts of links and messages, first clicks, quarters of an hour, days and all time say the same. */
  async function assertAddsUp({ sendId }: SentEmail): Promise<void> {
    const differences = await rowsOf(owner)`
      with click as (
        select seq, link_no, case when is_bot then 'bot' else 'human' end as kind, at at time zone 'UTC' as at
        from events where send_id = ${sendId} and type = 'CLICK'
      ), counted as (
        select seq, link_no, human_count, bot_count, first_human_at at time zone 'UTC' as first_at
        from delivery_event_counts where send_id = ${sendId} and type = 'CLICK'
      ), charted as (
        select * from counts where subject_id = ${sendId} and dimension = 'CLICK'
      )
      select what, at, sum(number) as too_many
      from (
        select kind as what, date_bin('15 minutes', at, 'epoch') as at, 1 as number from click
        union all
        select 'unique', date_bin('15 minutes', first_at, 'epoch'), 1 from counted where link_no = -1 and first_at is not null
        union all
        select value, day + q.quarter * interval '15 minutes', -counts_between(running_counts, q.quarter, q.quarter + 1)
        from charted cross join generate_series(0, 95) q (quarter) where day > '-infinity'
        union all
        select value || ' ever', null, case when day > '-infinity' then running_counts[96] else -running_counts[1] end from charted
        union all
        select concat_ws(' ', kind, seq, v.link_no), null, 1
        from click cross join lateral (values (-1), (link_no)) v (link_no)
        union all
        select concat_ws(' ', v.kind, seq, link_no), null, -v.number
        from counted cross join lateral (values ('human', human_count), ('bot', bot_count)) v (kind, number)
        union all
        select concat_ws(' ', 'first', seq, v.link_no), min(at), 1
        from click cross join lateral (values (-1), (link_no)) v (link_no)
        where kind = 'human' group by seq, v.link_no
        union all
        select concat_ws(' ', 'first', seq, link_no), first_at, -1 from counted where first_at is not null
      ) compared
      group by 1, 2 having sum(number) <> 0
    `;
    assert.deepEqual(differences, []);
  }

  test('clicks on all links within seconds become those of bots', async () => {
    const sent = await buildSentEmail(owner);
    await foldAndReview([buildOpen(sent), ...scan(sent)]);
    await assertMoved(sent, { people: 0, bots: 3, first: null });
    assert.deepEqual(await listRules(sent), ['0 bot all_links', '1 bot all_links', '2 bot']);
    await assertAddsUp(sent);
    // Opens stay.
    const open = await getRow(owner, 'delivery_event_counts', '*', {
      send_id: sent.sendId,
      type: 'OPEN_EMAIL',
    });
    assert.equal(open.human_count, 1);
  });

  test('a person who clicks after a scanner stays', async () => {
    const sent = await buildSentEmail(owner);
    await foldAndReview([...scan(sent), ...clicks(sent, '1:90 2:95')]);
    await assertMoved(sent, { people: 2, bots: 3, first: '2026-10-05T12:01:30.000Z' });
    await assertAddsUp(sent);
    // One who comes later counts by itself.
    const other = await buildSentEmail(owner);
    await foldAndReview(scan(other));
    await foldAndReview(clicks(other, '0:7200'));
    await assertMoved(other, { people: 1, bots: 3, first: '2026-10-05T14:00:00.000Z' });
    await assertAddsUp(other);
  });

  test('two links before an open, within seconds of the acceptance, become clicks of bots', async () => {
    const sent = await buildDelivered();
    await foldAndReview(clicks(sent, '0:4 1:5'));
    await assertMoved(sent, { people: 0, bots: 2, first: null });
    assert.deepEqual(await listRules(sent), ['0 bot before_open', '1 bot before_open']);
    await assertAddsUp(sent);
    // A scanner may come before the mail server answers.
    const early = await buildDelivered('2026-10-05T12:00:03.000Z');
    await foldAndReview(clicks(early, '2:0 2:0.5 1:1'));
    await assertMoved(early, { people: 0, bots: 3, first: null });
  });

  test('quick clicks of a person stay', async () => {
    const opened = await buildDelivered();
    await store([{ ...buildOpen(opened), at: new Date('2026-10-05T12:00:03Z') }]);
    const ofScannerAndPerson = await buildDelivered();
    const cases: [message: string, SentEmail, MessageEvent[]][] = [
      ['after an open', opened, clicks(opened, '0:4 1:5')],
    ];
    const add = (message: string, sent: SentEmail, times: string) =>
      cases.push([message, sent, clicks(sent, times)]);
    add('a single one', await buildDelivered(), '0:4');
    add('the same link', await buildDelivered(), '0:4 0:4.5 0:5');
    add('three seconds between them', await buildDelivered(), '0:4 1:7');
    add('later than ten seconds', await buildDelivered(), '0:11 1:12');
    add('not all links', await buildSentEmail(owner), '0:0 1:1');
    add('all links, slowly', await buildSentEmail(owner), '0:0 1:4 2:8');
    cases.push([
      'one among those of a known scanner',
      ofScannerAndPerson,
      [...clicks(ofScannerAndPerson, '1:4'), ...clicks(ofScannerAndPerson, '0:4.5 1:5 2:5', { isBot: true })],
    ]);
    for (const [message, sent, events] of cases) {
      await foldAndReview(events);
      const ofPeople = events.filter(({ isBot }) => !isBot);
      const expected = { people: ofPeople.length, bots: events.length - ofPeople.length };
      await assertMoved(sent, { ...expected, first: events[0]!.at.toISOString() }, message);
      await assertAddsUp(sent);
    }
  });

  test('emails with two links have no rule for all links', async () => {
    const sent = await buildSentEmail(owner, { snapshot: { links: emailSnapshot.links.slice(0, 2) } });
    await foldAndReview(clicks(sent, '0:0 1:1'));
    await assertMoved(sent, { people: 2, bots: 0, first: noon });
  });

  test('only messages with several clicks wait, for ten minutes', async () => {
    const [single, recent] = [await buildSentEmail(owner), await buildSentEmail(owner)];
    await store(clicks(single, '0:0'));
    await fold();
    assert.deepEqual(await listReviews(single), []);
    const from = new Date(Date.now() - 590_000).toISOString();
    await store(scan(recent, { from }));
    await fold(1);
    await fold();
    assert.equal(await review(), 0);
    await assertMoved(recent, { people: 2, bots: 1, first: from });
    assert.deepEqual(await listReviews(recent), [{ seq: 1 }]);
    await deleteRows(owner, 'click_reviews', { send_id: recent.sendId });
    // A late click of a message that was looked at is not a reason to look again.
    await store(clicks(single, '1:86400'));
    await fold();
    assert.deepEqual(await listReviews(single), []);
  });

  test('numbers add up across quarters of an hour and days', async () => {
    for (const from of ['2026-10-05T12:14:59.000Z', '2026-10-05T23:59:59.000Z', '2026-10-31T23:59:58.700Z']) {
      const sent = await buildSentEmail(owner, { addresses: ['a@example.org', 'b@example.org'] });
      await foldAndReview([
        ...scan(sent, { from }),
        ...clicks(sent, '0:1 0:300', { from, seq: 2 }),
        ...clicks(sent, '1:360', { from }),
      ]);
      const first = new Date(Date.parse(from) + 360_000).toISOString();
      await assertMoved(sent, { people: 1, bots: 3, first });
      await assertAddsUp(sent);
    }
  });

  test('clicks that were not stored move with their link', async () => {
    const sent = await buildSentEmail(owner);
    const times = Array.from({ length: 25 }, (_, index) => `0:${index / 50}`).join(' ');
    await foldAndReview([...clicks(sent, times), ...clicks(sent, '1:1 2:2')]);
    await assertMoved(sent, { people: 0, bots: 27, first: null });
    const charted = await rowsOf(owner)`
      select value, running_counts[1]::int as number from counts
      where subject_id = ${sent.sendId} and dimension = 'CLICK' and day = '-infinity' order by value
    `;
    assert.deepEqual(charted, [
      { value: 'bot', number: 27 },
      { value: 'human', number: 0 },
      { value: 'unique', number: 0 },
    ]);
  });

  test('a repeated review changes nothing', async () => {
    const sent = await buildSentEmail(owner);
    const digest = async () => [
      await listRows(owner, 'delivery_event_counts', '*', { send_id: sent.sendId }),
      await listRows(owner, 'events', '*', { send_id: sent.sendId }),
      await listRows(owner, 'counts', '*', { subject_id: sent.sendId }),
    ];
    await foldAndReview([...scan(sent), ...clicks(sent, '1:60')]);
    const reviewed = await digest();
    await insertRows(owner, 'click_reviews', {
      organization_id: sent.organizationId,
      touchpoint_id: sent.touchpointId,
      send_id: sent.sendId,
      seq: 1,
      first_at: noon,
    });
    assert.equal(await review(), 1);
    assert.deepEqual(await digest(), reviewed);
  });

  test('a review leaves erased sends alone', async () => {
    const sent = await buildSentEmail(owner);
    await store(scan(sent));
    await fold();
    for (const table of [
      'touchpoint_send_contents',
      'deliveries',
      'events',
      'delivery_event_counts',
    ] as const)
      await deleteRows(owner, table, { send_id: sent.sendId });
    await deleteRows(owner, 'counts', { subject_id: sent.sendId });
    await deleteRows(owner, 'touchpoint_sends', { id: sent.sendId });
    assert.equal(await review(), 1);
    assert.deepEqual(await listRows(owner, 'counts', '*', { subject_id: sent.sendId }), []);
  });

  test('a message that cannot be looked at holds up no others', async () => {
    const broken = await buildSentEmail(owner, { snapshot: { links: 1 as never } });
    const [before_, after_] = [await buildSentEmail(owner), await buildSentEmail(owner)];
    const at = (minute: number) => ({ from: `2026-10-05T11:0${minute}:00.000Z` });
    await store([...scan(before_, at(1)), ...scan(broken, at(2)), ...scan(after_, at(3))]);
    await fold();
    const folder = startEventFolder(pipelined, createLog('silent'), 1);
    await waitUntil('the others are moved', async () =>
      (await listRules(after_)).includes('0 bot all_links'),
    );
    await folder.close();
    assert.deepEqual(await listReviews(before_), []);
    assert.deepEqual(await listReviews(broken), [{ seq: 1 }]);
    await deleteRows(owner, 'click_reviews', { send_id: broken.sendId });
  });

  test('folds and reviews at the same time lose no counts', async () => {
    const addresses = Array.from({ length: 60 }, (_, index) => `m${index}@example.org`);
    const sent = await buildSentEmail(owner, { addresses });
    // Neither waits for the other.
    await store(scan(sent));
    await owner.transaction().execute(async (trx) => {
      assert.deepEqual(await rowsOf(trx)`select fold_message_events(10) as folded`, [{ folded: 3 }]);
      assert.equal(await reviewClicks(pipelined, 10), 0);
    });
    await store(clicks(sent, '1:60'));
    await owner.transaction().execute(async (trx) => {
      assert.deepEqual(await rowsOf(trx)`select review_clicks(10, 0) as reviewed`, [{ reviewed: 1 }]);
      assert.equal(await fold(), 0);
    });
    for (const seq of addresses.keys())
      if (seq > 1) await store([...scan(sent, { seq }), ...clicks(sent, '0:30', { seq })]);
    const foldSome = async () => {
      for (let idle = 0; idle < 5;) if ((await fold(7)) === 0) idle += 1;
    };
    const reviewSome = async () => {
      for (let turn = 0; turn < 60; turn += 1) await reviewClicks(pipelined, 2);
    };
    await Promise.all([foldSome(), foldSome(), reviewSome()]);
    while ((await fold()) > 0);
    await review();
    await assertAddsUp(sent);
    const [total] = await rowsOf(owner)`
      select sum(human_count)::int as people, sum(bot_count)::int as bots from delivery_event_counts
      where send_id = ${sent.sendId} and link_no = -1
    `;
    assert.deepEqual(total, { people: 59, bots: 3 * 59 });
  });

  test('the folder looks at clicks again by itself', async () => {
    const sent = await buildSentEmail(owner);
    await store(scan(sent));
    const folder = startEventFolder(pipelined, createLog('silent'), 50);
    await waitUntil('they are moved', async () => (await listRules(sent)).includes('0 bot all_links'));
    await folder.close();
    await assertAddsUp(sent);
  });
});
