import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { storeEvents } from '../../events/store-events.ts';
import { connectPipelined, type PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { rowsOf, type Database } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { useSharedApp } from '../../testing/app.ts';
import { insertRows } from '../../sample/rows.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { buildSentEmail, type SentEmail } from '../../testing/sent-email.ts';
import { buildWebsite, type TestWebsite } from '../../testing/tracked-website.ts';
import { buildVisit } from '../../sample/events.ts';
import { bindVisitors } from './bind-visitors.ts';

suite('visitors that followed a link (TRK-3)', () => {
  const shared = useSharedApp();
  let owner: Database;
  let pipelined: PipelinedDatabase;

  before(() => {
    ({ owner } = shared);
    const options = { connections: 1, name: 'tests', statementTimeoutMs: 20_000, onError: () => {} };
    pipelined = connectPipelined(shared.appUrl, options);
  });
  after(() => pipelined.destroy());

  const store = (...events: ReturnType<typeof buildVisit>[]) =>
    storeEvents(pipelined, events, [bindVisitors]);

  const buildWebsiteOf = ({ organizationId }: SentEmail) =>
    buildWebsite(owner, { organization_id: organizationId });
  const buildBoth = async (addresses = ['a@example.org', 'b@example.org']) => {
    const sent = await buildSentEmail(owner, { addresses });
    return { sent, website: await buildWebsiteOf(sent), visitorId: randomUUID() };
  };
  const messageOf = ({ sendId }: SentEmail, seq = 1) => ({ sendId, seq });
  const noon = new Date().setUTCHours(12, 0, 0, 0);
  /** @param minute  after noon of today, in UTC */
  const at = (minute: number) => new Date(noon + minute * 60_000);
  const listBound = async ({ touchpointId }: Pick<TestWebsite, 'touchpointId'>) =>
    (
      await owner
        .selectFrom('visitor_contacts')
        .select(['visitor_id', 'bound_at', 'collection', 'contact_id'])
        .where('touchpoint_id', '=', touchpointId)
        .orderBy('visitor_id')
        .orderBy('bound_at')
        .execute()
    ).map(({ bound_at, collection, contact_id }) => [
      (Date.parse(bound_at) - noon) / 60_000,
      collection,
      contact_id,
    ]);

  test('a link binds its visitor to the contact, and is repeated in vain', async () => {
    const { sent, website, visitorId } = await buildBoth();
    const first = buildVisit(website, { visitorId, at: at(0), message: messageOf(sent) });
    const later = buildVisit(website, { visitorId, at: at(5), message: messageOf(sent) });
    await store(first, buildVisit(website, { visitorId, at: at(1) }));
    for (const events of [[first], [later], [first, later]]) await store(...events);
    assert.deepEqual(await listBound(website), [[0, 'contacts', 'contact-1']]);
    const rows = await rowsOf<{ is_same: boolean }>(owner)`
      select c.xmin = e.xmin as is_same from visitor_contacts c, unfolded_visitor_events e
      where c.touchpoint_id = ${website.touchpointId} and e.touchpoint_id = c.touchpoint_id and e.id = ${first.id}
    `;
    assert.deepEqual(rows, [{ is_same: true }], 'in the transaction of the event');
  });

  test('the newest link counts from its time on, in any order', async () => {
    const links: [number, number][] = [
      [0, 1],
      [10, 2],
      [20, 1],
      [30, 1],
    ];
    const orders = [links, links.toReversed()];
    for (const order of orders)
      for (const isBatch of [true, false]) {
        const { sent, website, visitorId } = await buildBoth();
        const events = order.map(([minute, seq]) =>
          buildVisit(website, { visitorId, at: at(minute), message: messageOf(sent, seq) }),
        );
        if (isBatch) await store(...events);
        else for (const event of events) await store(event);
        const bound = await listBound(website);
        // A repeated link to the same contact may be stored, if it arrives before the earlier one.
        assert.deepEqual(
          bound.filter(([minute]) => minute !== 30),
          [
            [0, 'contacts', 'contact-1'],
            [10, 'contacts', 'contact-2'],
            [20, 'contacts', 'contact-1'],
          ],
        );
      }
  });

  test('what a page says about its visitor binds nobody', async () => {
    const { website, visitorId } = await buildBoth();
    await store(
      buildVisit(website, { visitorId, type: 'IDENTIFY', userId: 'contact-1', collection: 'contacts' }),
      buildVisit(website, { visitorId, userId: 'contact-2', collection: 'contacts' }),
    );
    assert.deepEqual(await listBound(website), []);
  });

  test('bots and messages that are not there bind nobody', async () => {
    const { sent, website, visitorId } = await buildBoth();
    const { sent: other } = await buildBoth();
    const { sent: ofTest } = await buildBoth();
    await updateRows(owner, 'touchpoint_sends', { id: ofTest.sendId }, { kind: 'test' });
    const messages = [messageOf(sent, 9), messageOf(other), { sendId: newId(), seq: 1 }];
    await store(
      buildVisit(website, { visitorId, message: messageOf(sent), isBot: true }),
      ...messages.map((message) => buildVisit(website, { visitorId, message })),
    );
    const ownOfTest = await buildWebsiteOf(ofTest);
    await store(buildVisit(ownOfTest, { message: messageOf(ofTest) }));
    assert.deepEqual(await listBound(website), []);
    assert.deepEqual(await listBound(ownOfTest), []);
  });

  test('a link of a single message binds to its address', async () => {
    const { sent, website, visitorId } = await buildBoth(['emil@mail.example']);
    const { sendId } = sent;
    await updateRows(owner, 'touchpoint_sends', { id: sendId }, { kind: 'triggered' });
    await updateRows(owner, 'touchpoint_send_contents', { send_id: sendId }, { audience: null });
    await updateRows(owner, 'deliveries', { send_id: sendId }, { contact_id: 'emil@mail.example' });
    await store(buildVisit(website, { visitorId, at: at(0), message: messageOf(sent) }));
    assert.deepEqual(await listBound(website), [[0, '', 'emil@mail.example']]);
  });

  test('a contact that was deleted is not bound again', async () => {
    const { sent, website } = await buildBoth();
    const inCollection = { organization_id: sent.organizationId, collection: 'contacts' };
    await insertRows(owner, 'content_collections', { ...inCollection, hidden: false });
    await insertRows(owner, 'content_items', { ...inCollection, id: 'contact-2', data: '{}' });
    await store(
      buildVisit(website, { at: at(0), message: messageOf(sent, 1) }),
      buildVisit(website, { at: at(0), message: messageOf(sent, 2) }),
    );
    assert.deepEqual(await listBound(website), [[0, 'contacts', 'contact-2']]);
  });

  test('the newest 20 bindings of a visitor are kept', async () => {
    const { sent, website, visitorId } = await buildBoth();
    const link = (minute: number) =>
      buildVisit(website, { visitorId, at: at(minute), message: messageOf(sent, 1 + (minute % 2)) });
    await store(...Array.from({ length: 15 }, (_, minute) => link(minute)));
    for (let minute = 15; minute < 25; minute++) await store(link(minute));
    const bound = await listBound(website);
    assert.equal(bound.length, 20);
    assert.deepEqual(
      bound.map(([minute]) => minute),
      Array.from({ length: 20 }, (_, index) => index + 5),
    );
  });

  test('a link that everybody follows binds 1,000 visitors', async () => {
    const { sent, website } = await buildBoth();
    const links = (count: number) =>
      Array.from({ length: count }, () => buildVisit(website, { message: messageOf(sent) }));
    await store(...links(1_000));
    await store(...links(5));
    assert.equal((await listBound(website)).length, 1_000);
    await store(buildVisit(website, { message: messageOf(sent, 2) }));
    assert.equal((await listBound(website)).length, 1_001);
  });

  test('events of several organizations bind in one commit', async () => {
    const [one, other] = [await buildBoth(), await buildBoth()];
    await store(
      ...[one, other].map(({ sent, website, visitorId }) =>
        buildVisit(website, { visitorId, message: messageOf(sent) }),
      ),
      // A message of the other organization.
      buildVisit(one.website, { message: messageOf(other.sent) }),
    );
    for (const { website, visitorId } of [one, other])
      assert.deepEqual(
        (
          await listRows(owner, 'visitor_contacts', ['visitor_id'], { touchpoint_id: website.touchpointId })
        ).map(({ visitor_id }) => visitor_id),
        [visitorId],
      );
  });
});
