import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Touchpoint, Review } from '@reachout/contract/touchpoints.ts';
import { useSharedApp, type Method } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { fixtureMjml } from '../../testing/send-fixture.ts';

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const time = { start_date: inDays(3), time_zone: 'Europe/Berlin' };

suite('the reviewed version', () => {
  const app = useSharedApp();

  const request = <T>({ person }: ReadyEmail, method: Method, path: string, body?: object) =>
    person.request<T>(method, `/api${path}`, body);
  const call = <T>({ person }: ReadyEmail, method: Method, path: string, body?: object) =>
    person.ok<T>(method, `/api${path}`, body);
  const of = ({ touchpointId }: ReadyEmail) => `/touchpoints/${touchpointId}`;
  const review = (email: ReadyEmail, kind = 'campaign') =>
    call<Review>(email, 'GET', `${of(email)}/review?kind=${kind}`);
  const write = (email: ReadyEmail, body: object) => call(email, 'PATCH', `${of(email)}/email`, body);

  /** An email that shows an item of a collection with two. */
  const build = async () => {
    const email = await buildReadyEmail(app, {
      mjml: fixtureMjml.replace('<mj-text>Hello', '<mj-text>{{ item.title }}</mj-text>\n<mj-text>Hello'),
    });
    const items = `/content/${email.organizationId}/items/newsletters`;
    const add = async (title: string) =>
      (await call<{ data: { id: string } }>(email, 'POST', items, { title })).data.id;
    const [first, second] = [await add('First'), await add('Second')];
    await call(email, 'PATCH', of(email), { collection: 'newsletters' });
    await write(email, { item_id: first });
    return { ...email, items, first, second };
  };
  type Built = Awaited<ReturnType<typeof build>>;

  const ways: Record<string, (email: Built) => [path: string, body: object]> = {
    now: (email) => [`${of(email)}/sends`, { immediately: true }],
    'in a minute': (email) => [`${of(email)}/sends`, {}],
    'on request': (email) => [`${of(email)}/sends`, { kind: 'triggered' }],
    'on a date': (email) => [`${of(email)}/schedules`, time],
    repeatedly: (email) => [`${of(email)}/schedules`, { ...time, rrule: 'FREQ=WEEKLY' }],
    'item by item': (email) => [
      `${of(email)}/collection_items`,
      { ...time, rrule: 'FREQ=WEEKLY', item_ids: [email.second] },
    ],
    'confirmed again': (email) => [`${of(email)}/confirm`, {}],
    'confirmed again, with other items': (email) => [`${of(email)}/confirm`, {}],
    'as a test': (email) => [`/touchpoints/emails/${email.touchpointId}/test`, { to: email.person.email }],
  };
  for (const [way, inputOf] of Object.entries(ways))
    test(`${way}, an email is sent only as it was reviewed`, async () => {
      const email = await build();
      if (way === 'confirmed again') await call(email, 'POST', `${of(email)}/schedules`, time);
      if (way.endsWith('other items')) await call(email, 'POST', ...ways['item by item']!(email));
      const seen = await review(email, way === 'on request' ? 'triggered' : 'campaign');
      await write(email, { subject: 'Other words' });
      const before = await call<Touchpoint>(email, 'GET', of(email));
      const [path, body] = inputOf(email);
      const late = await request(email, 'POST', path, { ...body, expected_version: seen.version });
      assertProblem(late, 409, 'changed_elsewhere');
      assert.deepEqual(await call<Touchpoint>(email, 'GET', of(email)), before);
      const { version: expected_version } = await review(email);
      const current = await request(email, 'POST', path, { ...body, expected_version });
      assert.ok(current.status < 300, JSON.stringify(current.body));
    });

  test('each change of what a review shows makes another version', async () => {
    const email = await build();
    const { organizationId: organization_id, brandId: brand_id } = email;
    const create = async (path: string, body: object) =>
      (await call<{ id: string }>(email, 'POST', path, body)).id;
    const filter = await create('/filters', { organization_id, name: 'All of them' });
    const topic = await create(`/brands/${brand_id}/topics`, { name: 'Offers', is_default: true });
    const changes: Record<string, [path: string, body: object]> = {
      ...Object.fromEntries(
        Object.entries({
          subject: 'Other words',
          preheader: 'Only today',
          mjml: fixtureMjml.replace('Hello', 'Good morning {{ item.title }}'),
          from_name: 'Nordwind Team',
          from_email: 'team@nordwind.example',
          reply_to: 'reply@nordwind.example',
          filter_id: filter,
          topic_id: topic,
          item_id: email.second,
          items_count: 1,
        }).map(([field, value]) => [field, [`${of(email)}/email`, { [field]: value }]]),
      ),
      'rule of the audience': [`/filters/${filter}`, { rule: { country: { _in: ['DE', 'AT'] } } }],
      'name of the audience': [`/filters/${filter}`, { name: 'Two countries' }],
      'content item': [`${email.items}/${email.second}`, { title: 'Second edition' }],
      'name of the brand': [`/brands/${brand_id}`, { name: 'Nordwind Sports' }],
      imprint: [`/brands/${brand_id}`, { imprint: 'Nordwind Ltd' }],
      'name of the topic': [`/topics/${topic}`, { name: 'News' }],
      'quiet hours': [
        `/brands/${brand_id}`,
        { time_zone: 'Europe/Berlin', quiet_hours_start: '22:00', quiet_hours_end: '06:00' },
      ],
      collection: [of(email), { collection: null }],
    };
    let { version } = await review(email);
    for (const [what, [path, body]] of Object.entries(changes)) {
      await call(email, 'PATCH', path, body);
      const late = await request(email, 'POST', `${of(email)}/sends`, { expected_version: version });
      assertProblem(late, 409, 'changed_elsewhere', what);
      const next = await review(email);
      assert.notEqual(next.version, version, what);
      ({ version } = next);
    }
  });

  test('what no recipient gets changes no version', async () => {
    const email = await build();
    const { version } = await review(email);
    await call(email, 'POST', `/content/${email.organizationId}/items/contacts`, {
      email: 'new@sink.example',
    });
    await call(email, 'POST', `/touchpoints/emails/${email.touchpointId}/test`, { to: email.person.email });
    await write(email, { subject: 'Other words' });
    await write(email, { subject: 'News for {{ contact.first_name }}' });
    assert.equal((await review(email)).version, version);
    assert.equal((await review(email, 'triggered')).version, version);
  });
});
