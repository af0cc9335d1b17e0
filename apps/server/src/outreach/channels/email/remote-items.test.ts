import assert from 'node:assert/strict';
import { before, beforeEach, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { EmailPreview, Review, Touchpoint, TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { useSharedApp } from '../../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../../testing/assert-problem.ts';
import { buildReadyEmail, type ReadyEmail } from '../../../testing/ready-email.ts';
import { openRemoteContacts } from '../../../testing/remote-contacts.ts';
import { fixtureMjml } from '../../../testing/send-fixture.ts';
import { assertColumn } from '../../../testing/assert-column.ts';
import { useOpened } from '../../../testing/use-made.ts';

const mjml = fixtureMjml.replace(
  '<mj-text>Hello',
  '<mj-text>{{ item.title }}{% for one in items %}[{{ one.title }}]{% endfor %}</mj-text><mj-text>Hello',
);
const ids = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`);

suite('content items in a Directus', () => {
  const app = useSharedApp();
  let email: ReadyEmail;

  const remote = useOpened(() => openRemoteContacts());
  before(async () => {
    await remote.add(3, 'person');
    await sql`
      insert into content_items (organization_id, collection, id, data, date_created)
      select ${remote.organizationId}::uuid, 'newsletters', id, jsonb_build_object('title', 'News ' || n),
        now() + n * interval '1 minute'
      from unnest(${ids}::text[]) with ordinality as given (id, n)`.execute(remote.owner);
  });
  beforeEach(async () => {
    remote.restart();
    email = await buildReadyEmail(app, { mjml });
    await remote.connect(app, email.organizationId, email.person);
    const filter = { as: email.person, body: { rule: { country: { _eq: 'DE' } } } };
    await app.ok('PATCH', `/api/filters/${email.filterId}`, filter);
    const { body } = await patch<Touchpoint>('', { collection: 'newsletters' });
    assert.equal(body.collection, 'newsletters', JSON.stringify(body));
  });

  const request = <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    app.request<T>(method, `/api/touchpoints${path}`, { as: email.person, ...(body && { body }) });
  const patch = <T>(path: string, body: object) => request<T>('PATCH', `/${email.touchpointId}${path}`, body);
  const choose = (body: object) => patch<TouchpointEmail>('/email', body);
  const preview = (body: object = {}) =>
    request<EmailPreview>('POST', `/emails/preview/${email.touchpointId}`, body);
  const review = async () =>
    (await request<Review>('GET', `/${email.touchpointId}/review`)).body.checks.find(
      ({ check }) => check === 'content_item',
    );

  test('items of a Directus reach preview and send', async () => {
    await choose({ item_id: ids[0]!, items_count: 2 });
    assert.match((await preview()).body.html, /News 1\[News 3\]\[News 2\]/);
    const other = await preview({ contentCollectionItemId: ids[1]! });
    assert.match(other.body.html, /News 2\[News 3\]/);
    const gone = '00000000-0000-4000-8000-000000000009';
    assertInvalid(await preview({ contentCollectionItemId: gone }), 'contentCollectionItemId');
    assert.equal((await review())?.level, 'fine');
    const start = await request('POST', `/${email.touchpointId}/sends`, {});
    assert.equal(start.status, 201, JSON.stringify(start.body));
    const { rows } = await sql<{ html: string; item_id: string }>`
      select c.content ->> 'html' as html, s.item_id from touchpoint_sends s
      join touchpoint_send_contents c on c.organization_id = s.organization_id and c.send_id = s.id
      where s.touchpoint_id = ${email.touchpointId}`.execute(app.owner);
    assert.match(rows[0]!.html, /News 1\[News 3\]\[News 2\]/);
    assert.equal(rows[0]!.item_id, ids[0]);
    assertInvalid(
      await email.person.request('POST', '/api/touchpoints', {
        organization_id: email.organizationId,
        campaign_id: email.campaignId,
        name: 'News',
        type: 'email',
        collection: 'nowhere',
      }),
      'collection',
    );
  });

  test('a missing item or an unreachable Directus blocks', async () => {
    await choose({ item_id: '00000000-0000-4000-8000-000000000009' });
    assertColumn((await review())?.problems, 'code', ['item_missing', 'items_not_chosen']);
    await choose({ item_id: ids[0]! });
    remote.isUp = false;
    const found = await review();
    assert.deepEqual([found?.level, found?.problems[0]?.code], ['block', 'items_not_read']);
    assertProblem(await preview(), 424, 'backend_failed');
    assertProblem(await request('POST', `/${email.touchpointId}/sends`, {}), 409, 'send_blocked');
  });
});
