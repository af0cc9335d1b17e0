import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { AudienceBreakdown, AudienceCount } from '@reachout/contract/filters.ts';
import type { SchedulePreview } from '@reachout/contract/schedules.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { exclusionReasons } from '@reachout/contract/statuses.ts';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { execute, firstRowOf, rowsOf } from '../../platform/database/database.ts';
import { useSharedApp } from '../../testing/app.ts';
import { createRandom } from '../../platform/random.ts';
import { fixtureMjml } from '../../testing/send-fixture.ts';
import { prepareSend } from '../worker/prepare-send.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';

suite('audience numbers', () => {
  const app = useSharedApp();

  test('all pages show the same number of recipients', async () => {
    const random = createRandom(1_162);
    const person = await app.signIn();
    const call = async <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<T> =>
      await app.ok<T>(method, `/api${path}`, { as: person, ...(body && { body }) });
    const make = async (path: string, body: object) => (await call<{ id: string }>('POST', path, body)).id;
    const organization_id = await make('/organizations', { name: 'Agency' });
    const client_id = await make('/clients', { organization_id, name: 'Client' });
    const brands: { id: string; name: string; campaign_id: string }[] = [];
    for (const name of ['North', 'South', 'West']) {
      const brand_id = await make('/brands', {
        organization_id,
        client_id,
        name,
        tracking_policy: 'everyone',
      });
      const campaign_id = await make('/campaigns', { organization_id, brand_id, name });
      brands.push({ id: brand_id, name, campaign_id });
    }
    // Bypasses the backend, which would reject duplicates: 300 contacts share 230 addresses.
    await execute(app.owner)`
      update content_fields set is_unique = false
      where organization_id = ${organization_id} and collection = 'contacts' and field = 'email'`;
    const contacts = Array.from({ length: 300 }, (_, number) => ({
      email: random.chance(0.05) ? random.pick([null, '', 'nobody']) : addressOf(random.below(230)),
      country: random.pick(['DE', 'AT', 'CH']),
      vip: random.chance(0.3),
      unsubscribed: random.chance(0.1),
      city: [...zones, 'Nowhere', null][number % 5],
    }));
    await execute(app.owner)`
      insert into content_items (organization_id, collection, id, data)
      select ${organization_id}::uuid, 'contacts', 'c' || lpad(n::text, 4, '0'), data
      from jsonb_array_elements(${JSON.stringify(contacts)}::jsonb) with ordinality list(data, n)`;
    await suppress(null, 12);
    for (const { id } of brands.slice(0, 2)) await suppress(id, 25);

    /** For each brand: no topic, one by default, and one to choose. */
    const topicsOf = new Map<string, (string | null)[]>();
    for (const { id } of brands) {
      const makeTopic = (is_default: boolean) =>
        make(`/brands/${id}/topics`, { name: is_default ? 'News' : 'Offers', is_default });
      const topics = [await makeTopic(true), await makeTopic(false)];
      for (const topic of topics) await choose(id, topic);
      topicsOf.set(id, [null, ...topics]);
    }
    for (const { id } of brands.slice(0, 2)) await pause(id);

    async function choose(brandId: string, topicId: string): Promise<void> {
      const chosen = everyone.filter(() => random.chance(0.4));
      await execute(app.owner)`
        insert into choices (kind, organization_id, brand_id, topic_id, address_key, value, source)
        select 'topic', ${organization_id}::uuid, ${brandId}::uuid, ${topicId}::uuid, key, value, 'preferences'
        from unnest(${chosen}::text[], ${chosen.map(() => (random.chance(0.6) ? 'subscribed' : 'not_subscribed'))}::text[]) as c(key, value)
      `;
    }

    /** Some until tomorrow, some until yesterday. */
    async function pause(brandId: string): Promise<void> {
      const paused = everyone.filter(() => random.chance(0.1));
      await execute(app.owner)`
        insert into choices (kind, value, organization_id, brand_id, address_key, until, source)
        select 'pause', 'paused', ${organization_id}::uuid, ${brandId}::uuid, key, now() + make_interval(days => days), 'preferences'
        from unnest(${paused}::text[], ${paused.map(() => random.pick([1, -1]))}::int[]) as p(key, days)
      `;
    }

    async function makeItem(title: string): Promise<string> {
      const path = `/content/${organization_id}/items/newsletters`;
      return (await call<{ data: { id: string } }>('POST', path, { title })).data.id;
    }

    async function suppress(brandId: string | null, count: number): Promise<void> {
      const keys = new Set(Array.from({ length: count }, () => addressOf(random.below(230)).toLowerCase()));
      const reason = brandId === null ? 'bounce' : 'unsubscribe';
      await execute(app.owner)`
        insert into choices (kind, organization_id, id, brand_id, address_key, value)
        select 'suppression', ${organization_id}::uuid, gen_random_uuid(), ${brandId}::uuid, key, ${reason}
        from unnest(${[...keys]}::text[]) key`;
    }

    const item_ids = [await makeItem('Alpine')];
    /** How the emails of each audience are confirmed: now, in the time zones of contacts, and with a content item. */
    const confirm = [
      (id: string, expected_recipients: number) =>
        call('POST', `/touchpoints/${id}/sends`, { immediately: true, expected_recipients }),
      (id: string, expected_recipients: number) =>
        call('POST', `/touchpoints/${id}/schedules`, { ...planned, ...inZones, expected_recipients }),
      (id: string, expected_recipients: number) =>
        call('POST', `/touchpoints/${id}/collection_items`, {
          ...planned,
          rrule: 'FREQ=DAILY',
          item_ids,
          expected_recipients,
        }),
    ];
    const seen = new Set<number>();
    const reasons = new Set<string>();
    for (const [index, rule] of [{}, { country: { _eq: 'DE' } }, { vip: { _eq: true } }].entries()) {
      const field_mapping = { email: 'email', unsubscribed: 'unsubscribed', time_zone: 'city' };
      const filter = { name: `Audience ${index}`, rule, field_mapping };
      const filter_id = await make('/filters', { organization_id, ...filter });
      const count = (brand_id: string | null) =>
        call<AudienceCount>('POST', '/filters/count', {
          organization_id,
          brand_id,
          collection: 'contacts',
          rule,
        });
      const hasItem = index === 2;
      const page = await count(null);
      const byBrand = new Map(page.brands.map((brand) => [brand.id, brand.will_receive]));
      assert.deepEqual(
        page.brands,
        page.brands.toSorted((a, b) => a.will_receive - b.will_receive),
      );
      for (const [brandIndex, brand] of brands.entries()) {
        const touchpoint = await make('/touchpoints', {
          organization_id,
          campaign_id: brand.campaign_id,
          name: 'News',
          type: 'email',
          ...(hasItem && { collection: 'newsletters' }),
        });
        await call('PATCH', `/touchpoints/${touchpoint}/email`, {
          filter_id,
          mjml: hasItem ? fixtureMjml.replace('Hello', '{{ item.title }} Hello') : fixtureMjml,
          subject: 'News',
          from_email: 'news@north.example',
          topic_id: topicsOf.get(brand.id)![(index + brandIndex) % 3],
        });
        const forBrand = breakdownOf(await count(brand.id));
        const review = await call<Review>('GET', `/touchpoints/${touchpoint}/review`);
        const forEmail = review.audience_breakdown!;
        assert.deepEqual(withoutTopic(forEmail), withoutTopic(forBrand));
        if (topicsOf.get(brand.id)![(index + brandIndex) % 3] === null) assert.deepEqual(forEmail, forBrand);
        const expected_recipients = forEmail.will_receive;
        const preview = await call<SchedulePreview>('POST', `/touchpoints/${touchpoint}/schedules/preview`, {
          ...planned,
          ...inZones,
        });
        await confirm[index]!(touchpoint, expected_recipients);
        const [started] = (await call<{ items: [Send] }>('GET', `/touchpoints/${touchpoint}/sends`)).items;
        await execute(app.owner)`update touchpoint_sends set next_due_at = now() where id = ${started.id}`;
        const { db } = app.services;
        await prepareSend(db, mailboxPolicies, { organizationId: organization_id, sendId: started.id });
        const send = await call<Send>('GET', `/sends/${started.id}`);
        assert.equal(preview.recipients?.count, forEmail.will_receive);
        if (started.schedule_id !== null && started.item_id === null)
          assert.deepEqual(await countStarts(started.id), startsOf(preview));
        assert.deepEqual(send.audience_breakdown, forEmail);
        assert.deepEqual(await countRows(started.id), {
          deliveries: forEmail.will_receive,
          exclusions: forEmail.matched - forEmail.will_receive,
        });
        assert.equal(send.recipients_total_count, forEmail.will_receive);
        assert.equal(
          byBrand.get(brand.id) ?? page.will_receive,
          forBrand.will_receive,
          `${brand.name} on the page`,
        );
        seen.add(forEmail.will_receive);
        for (const [reason, excluded] of Object.entries(forEmail.excluded))
          if (excluded > 0) reasons.add(reason);
      }
      assert.deepEqual([page.brands.length, page.brands_more], [2, 0]);
      assert.equal(
        brands.some(({ id, name }) => name === 'West' && byBrand.has(id)),
        false,
      );
    }
    assert.equal(seen.size, 9, 'each audience and brand has a number of its own');
    assert.deepEqual([...reasons].toSorted(), exclusionReasons.toSorted());
  });

  /** Recipients by the hour of their start. */
  const countStarts = async (sendId: string) => {
    const rows = await rowsOf<{ at: string; count: number }>(app.owner)`
      select date_trunc('hour', not_before) as at, sum(last_seq - first_seq + 1)::int as count
      from delivery_chunks where send_id = ${sendId} group by 1`;
    return new Map(rows.map(({ at, count }) => [at, count]));
  };

  const countRows = (sendId: string) => firstRowOf<{ deliveries: number; exclusions: number }>(app.owner)`
      select (select count(*) from deliveries where send_id = ${sendId})::int as deliveries,
        (select count(*) from delivery_exclusions where send_id = ${sendId})::int as exclusions`;
});

const zones = ['Asia/Tokyo', 'Europe/Berlin', 'America/New_York'];
/** On the hour. */
const planned = {
  start_date: Temporal.Now.zonedDateTimeISO('UTC')
    .add({ days: 3 })
    .round({ smallestUnit: 'hour', roundingMode: 'floor' })
    .toInstant()
    .toString({ smallestUnit: 'millisecond' }),
  time_zone: 'Europe/Berlin',
};
const inZones = { contact_time_zones: true, spread_minutes: 60 };

/** Recipients by their start; those without a zone have that of the schedule. */
function startsOf({ recipients }: SchedulePreview): Map<string, number> {
  const { zones: named, without_zone } = recipients!;
  return new Map(
    named.map(({ time_zone, first_at, count }) => [
      first_at,
      count + (time_zone === planned.time_zone ? without_zone : 0),
    ]),
  );
}

/** Some with capitals, some with an internationalized domain. */
const addressOf = (number: number): string =>
  number % 7 === 0
    ? `Person${number}@Sink.example`
    : number % 11 === 0
      ? `person${number}@müller.example`
      : `person${number}@sink.example`;

const everyone = Array.from({ length: 230 }, (_, number) =>
  addressOf(number).toLowerCase().replace('müller', 'xn--mller-kva'),
);

/** Without what depends on the topic: those who declined it receive what has none, unless they pause. */
const withoutTopic = ({ matched, excluded, will_receive }: AudienceBreakdown) => {
  const { not_subscribed = 0, paused = 0, ...others } = excluded;
  return { matched, others, left: will_receive + not_subscribed + paused };
};

const breakdownOf = ({ matched, excluded, will_receive }: AudienceCount): AudienceBreakdown => ({
  matched,
  excluded,
  will_receive,
});
