import assert from 'node:assert/strict';
import { before, beforeEach, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { AudienceBreakdown } from '@reachout/contract/filters.ts';
import { exclusionReasons } from '@reachout/contract/statuses.ts';
import { maxOrdinaryLength, ordinaryAddress, parseAddress } from '../../email/addresses/address.ts';
import { execute, rowsOf, valuesOf, inOrganization } from '../../platform/database/database.ts';
import { connectPipelined } from '../../platform/database/pipelined.ts';
import { newId } from '../../platform/ids.ts';
import { buildBrand, buildCampaign, buildSend, buildTouchpoint } from '../../sample/records.ts';
import { useContentFixture } from '../../testing/content-fixture.ts';
import { insertRows } from '../../sample/rows.ts';
import { audienceVersion, parseAudience, type Audience } from './audience.ts';
import { snapshotAudience } from '../../queue/audience-snapshot.ts';
import { listSuppressed } from '../../queue/list-suppressed.queries.ts';
import { deliveriesOfContact } from '../../queue/contact-deliveries-sql.ts';
import { countAudience, countZones, describeAudience, sampleAudience } from './count-audience.ts';
import { restoreAudience } from './find-audience.ts';

suite('audiences', () => {
  const fixture = useContentFixture();
  let brandId: string;
  let otherBrandId: string;

  before(async () => {
    const organization_id = fixture.organizationId;
    brandId = (await buildBrand(fixture.owner, { organization_id })).id;
    otherBrandId = (await buildBrand(fixture.owner, { organization_id })).id;
  });
  beforeEach(async () => {
    for (const table of [
      'content_items',
      'deliveries',
      'delivery_chunks',
      'delivery_exclusions',
      'choices',
    ] as const)
      await sql`delete from ${sql.table(table)}`.execute(fixture.owner);
  });

  const fields = [
    { name: 'email', type: 'string', unique: false },
    { name: 'first_name', type: 'string', unique: false },
    { name: 'country', type: 'string', unique: false },
    { name: 'unsubscribed', type: 'boolean', unique: false },
  ] as const;
  const everybody = (given: Partial<Parameters<typeof parseAudience>[0]> = {}) =>
    parseAudience(
      {
        collection: 'contacts',
        rule: {},
        field_mapping: { email: 'email', unsubscribed: 'unsubscribed' },
        brandId,
        ...given,
      },
      fields,
    );
  /** Bypasses the backend, which would reject some of these contacts. */
  const add = (contacts: Record<string, unknown>[], organizationId = fixture.organizationId) =>
    execute(fixture.owner)`
      insert into content_items (organization_id, collection, id, data)
      select ${organizationId}::uuid, 'contacts', 'c' || lpad(n::text, 6, '0'), data
      from jsonb_array_elements(${JSON.stringify(contacts)}::jsonb) with ordinality list(data, n)
    `;
  const suppress = (address_key: string, brand_id: string | null = null) =>
    insertRows(fixture.owner, 'choices', {
      kind: 'suppression',
      id: newId(),
      organization_id: fixture.organizationId,
      brand_id,
      address_key,
      value: 'manual',
    });
  const count = async (audience: Audience) =>
    (await fixture.inTenant((trx) => countAudience(trx, fixture.organizationId, audience))).breakdown;
  const write = async (
    audience: Audience,
    more: { contactFields?: string[] | null; chunkSize?: number } = {},
  ) => {
    const sendId = newId();
    const { breakdown } = await fixture.inTenant((trx) =>
      snapshotAudience(trx, fixture.organizationId, audience, {
        sendId,
        contactFields: ['first_name'],
        chunkSize: 500,
        ...more,
      }),
    );
    const deliveries = await fixture.owner
      .selectFrom('deliveries')
      .select(['seq', 'contact_id', 'address', 'variables'])
      .where('send_id', '=', sendId)
      .orderBy('seq')
      .execute();
    const chunks = await fixture.owner
      .selectFrom('delivery_chunks')
      .select(['first_seq', 'last_seq', 'marked_up_to', 'done'])
      .where('send_id', '=', sendId)
      .orderBy('first_seq')
      .execute();
    const exclusions = await fixture.owner
      .selectFrom('delivery_exclusions')
      .select(['seq', 'contact_id', 'address', 'reason'])
      .where('send_id', '=', sendId)
      .orderBy('seq')
      .execute();
    return { sendId, breakdown, deliveries, exclusions, chunks };
  };
  const excluded = (reasons: Partial<AudienceBreakdown['excluded']>): AudienceBreakdown['excluded'] => ({
    no_address: 0,
    invalid_address: 0,
    duplicate_address: 0,
    unsubscribed: 0,
    suppressed: 0,
    not_subscribed: 0,
    paused: 0,
    ...reasons,
  });

  const messy = [
    { email: 'Anna@A.example', first_name: 'Anna', country: 'DE' },
    { email: ' anna@a.example ', first_name: 'Anna again' },
    { email: 'ANNA@a.EXAMPLE', first_name: 'And again' },
    { first_name: 'Nobody' },
    { email: null },
    { email: '' },
    { email: '  ' },
    { email: 'not an address' },
    { email: 'bob@b.example', first_name: 'Bob', country: 'DE', unsubscribed: true },
    { email: 'cleo@c.example', unsubscribed: false },
    { email: 'CLEO@c.example', unsubscribed: true },
    { email: 'dora@d.example' },
    { email: 'emil@e.example' },
    { email: 'Fred@F.example', first_name: 'Fred', country: 'AT' },
    { email: 'gina@müller.example', first_name: 'Gina' },
    { email: 'gina@xn--mller-kva.example' },
    { email: 'hans@x_y.example' },
    { email: 42 },
  ];

  test('the written audience equals the counted audience', async () => {
    await add(messy);
    await suppress('dora@d.example');
    await suppress('emil@e.example', brandId);
    await suppress('fred@f.example', otherBrandId);
    const audience = everybody();
    const breakdown = await count(audience);
    assert.deepEqual(breakdown, {
      matched: 18,
      excluded: excluded({
        no_address: 4,
        invalid_address: 3,
        duplicate_address: 4,
        unsubscribed: 2,
        suppressed: 2,
      }),
      will_receive: 3,
    });
    const written = await write(audience);
    assert.deepEqual(written.breakdown, breakdown);
    assert.deepEqual(
      written.deliveries
        .toSorted((a, b) => (a.contact_id < b.contact_id ? -1 : 1))
        .map(({ address, variables }) => [address, variables]),
      [
        ['Anna@a.example', { first_name: 'Anna' }],
        ['Fred@f.example', { first_name: 'Fred' }],
        ['gina@xn--mller-kva.example', { first_name: 'Gina' }],
      ],
    );
    const sample = await fixture.inTenant((trx) => sampleAudience(trx, fixture.organizationId, audience, 2));
    assert.deepEqual(
      sample.map(({ id, email, data }) => [id, email, data['first_name']]),
      [
        ['c000001', 'Anna@a.example', 'Anna'],
        ['c000014', 'Fred@f.example', 'Fred'],
      ],
    );
    const all = await fixture.inTenant((trx) =>
      describeAudience(trx, fixture.organizationId, audience, { sample: 2, brands: 2 }),
    );
    assert.deepEqual(all, { ...breakdown, sample, brands: [], brands_more: 0 });
  });

  test('each matched contact has one delivery or exclusion', async () => {
    const long = `${'x'.repeat(300)}@x.example`;
    await add([
      ...messy,
      { email: 'fred@f.example', unsubscribed: true },
      { email: 'not an address', unsubscribed: true },
      { email: long },
      { email: 'x@müller_.example' },
    ]);
    await suppress('bob@b.example');
    await suppress('dora@d.example');
    const { breakdown, deliveries, exclusions } = await write(everybody());
    const contacts = await fixture.owner.selectFrom('content_items').select('id').orderBy('id').execute();
    assert.deepEqual(
      [...deliveries, ...exclusions].map(({ contact_id }) => contact_id).toSorted(),
      contacts.map(({ id }) => id),
    );
    assert.equal(breakdown.matched, contacts.length);
    const counted = Map.groupBy(exclusions, ({ reason }) => reason);
    for (const reason of exclusionReasons)
      assert.equal(counted.get(reason)?.length ?? 0, breakdown.excluded[reason], reason);
    assert.deepEqual(
      exclusions.map(({ seq }) => seq),
      exclusions.map((_, index) => index + 1),
    );
    const told = Object.fromEntries(
      exclusions.map(({ contact_id, address, reason }) => [contact_id, [address, reason]]),
    );
    assert.deepEqual(
      ['c000002', 'c000004', 'c000008', 'c000009', 'c000011', 'c000012', 'c000014', 'c000019', 'c000020'].map(
        (id) => told[id],
      ),
      [
        ['anna@a.example', 'duplicate_address'],
        [null, 'no_address'],
        ['not an address', 'invalid_address'],
        ['bob@b.example', 'unsubscribed'],
        ['CLEO@c.example', 'duplicate_address'],
        ['dora@d.example', 'suppressed'],
        ['Fred@f.example', 'unsubscribed'],
        ['fred@f.example', 'duplicate_address'],
        ['not an address', 'invalid_address'],
      ],
    );
    assert.deepEqual(told['c000021'], [long.slice(0, 254), 'invalid_address']);
    assert.deepEqual(told['c000022'], ['x@müller_.example', 'invalid_address']);
  });

  test('a suppression applies to its own brand only', async () => {
    await add(messy);
    await suppress('emil@e.example', brandId);
    assert.equal((await count(everybody())).excluded.suppressed, 1);
    assert.equal((await count(everybody({ brandId: otherBrandId }))).excluded.suppressed, 0);
    assert.equal((await count(everybody({ brandId: null }))).excluded.suppressed, 0);
  });

  test('each combination of records has its first reason, also at the lease', async () => {
    const of = { organization_id: fixture.organizationId };
    const buildTopic = async (position: number, given: { brand_id: string; is_default: boolean }) => {
      const id = newId();
      await insertRows(fixture.owner, 'topics', { ...of, id, name: `Topic ${position}`, position, ...given });
      return id;
    };
    const byDefault = await buildTopic(1, { brand_id: brandId, is_default: true });
    const optIn = await buildTopic(2, { brand_id: brandId, is_default: false });
    const ofOther = await buildTopic(1, { brand_id: otherBrandId, is_default: true });
    const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const suppressions = [
      undefined,
      { brand_id: brandId, value: 'unsubscribe' },
      { brand_id: null, value: 'bounce' },
      { brand_id: otherBrandId, value: 'complaint' },
    ] as const;
    const pauses = [
      undefined,
      { brand_id: brandId, until: hour(1) },
      { brand_id: brandId, until: hour(-1) },
      { brand_id: otherBrandId, until: hour(1) },
    ];
    const choices = [
      [],
      [{ topic_id: byDefault, brand_id: brandId, value: 'not_subscribed' as const }],
      [{ topic_id: optIn, brand_id: brandId, value: 'subscribed' as const }],
      [
        { topic_id: byDefault, brand_id: brandId, value: 'subscribed' as const },
        { topic_id: optIn, brand_id: brandId, value: 'not_subscribed' as const },
        { topic_id: ofOther, brand_id: otherBrandId, value: 'not_subscribed' as const },
      ],
    ];
    const people = suppressions.flatMap((suppression) =>
      pauses.flatMap((pause) => choices.map((chosen) => ({ suppression, pause, chosen }))),
    );
    const addressOf = (index: number) => `person${String(index).padStart(2, '0')}@x.example`;
    await add(people.map((_, index) => ({ email: addressOf(index) })));
    for (const [index, { suppression, pause, chosen }] of people.entries()) {
      const row = { ...of, address_key: addressOf(index) };
      const source = 'preferences' as const;
      if (suppression)
        await insertRows(fixture.owner, 'choices', {
          kind: 'suppression',
          ...row,
          id: newId(),
          ...suppression,
        });
      if (pause)
        await insertRows(fixture.owner, 'choices', {
          kind: 'pause',
          value: 'paused',
          ...row,
          source,
          ...pause,
        });
      for (const choice of chosen)
        await insertRows(fixture.owner, 'choices', { kind: 'topic', ...row, source, ...choice });
    }
    const reasonOf = (topicId: string | null, { suppression, pause, chosen }: (typeof people)[number]) => {
      if (suppression?.value === 'unsubscribe') return 'unsubscribed';
      if (suppression?.value === 'bounce') return 'suppressed';
      const choice = chosen.find(({ topic_id }) => topic_id === topicId)?.value;
      if (choice === 'not_subscribed' || (topicId === optIn && choice === undefined)) return 'not_subscribed';
      return pause === pauses[1] ? 'paused' : null;
    };
    const pipelined = connectPipelined(fixture.database.appUrl, {
      name: 'tests',
      connections: 1,
      onError: () => {},
    });
    const { id: touchpoint_id } = await buildTouchpoint(fixture.owner, {
      campaign_id: (await buildCampaign(fixture.owner, { brand_id: brandId })).id,
    });
    for (const topicId of [null, byDefault, optIn]) {
      const { exclusions, breakdown } = await write(everybody({ topicId }));
      const expected = people.map((person, index) => [addressOf(index), reasonOf(topicId, person)]);
      const found = new Map(exclusions.map(({ address, reason }) => [address, reason]));
      assert.deepEqual(
        people.map((_, index) => [addressOf(index), found.get(addressOf(index)) ?? null]),
        expected,
      );
      assert.deepEqual(await count(everybody({ topicId })), breakdown);
      // A send whose recipients were not excluded suppresses the same addresses.
      const send = await buildSend(fixture.owner, { touchpoint_id, topic_id: topicId, status: 'completed' });
      for (const seq of people.keys())
        await insertRows(fixture.owner, 'deliveries', {
          ...of,
          send_id: send.id,
          seq: seq + 1,
          contact_id: `c${seq}`,
          address: addressOf(seq).replace('p', 'P'),
          variables: '{}',
        });
      const ref = { organizationId: fixture.organizationId, sendId: send.id };
      const suppressed = await listSuppressed(
        pipelined,
        ref,
        [...people.keys()].map((seq) => seq + 1),
      );
      assert.deepEqual(
        [...new Set(suppressed)].toSorted(),
        expected.flatMap(([address, reason]) => (reason === null ? [] : [address])),
      );
    }
    await pipelined.destroy();
  });

  test('an unsubscription excludes every contact with that address', async () => {
    for (const flags of [
      [true, false],
      [false, true],
    ]) {
      await execute(fixture.owner)`delete from content_items`;
      await add(flags.map((unsubscribed) => ({ email: 'cleo@c.example', unsubscribed })));
      const { breakdown, deliveries } = await write(everybody());
      assert.deepEqual(breakdown.excluded, excluded({ unsubscribed: 1, duplicate_address: 1 }));
      assert.deepEqual(deliveries, []);
    }
  });

  test('the rule applies before the optional unsubscribed field', async () => {
    await add(messy);
    const germans = everybody({ rule: { country: { _eq: 'DE' } } });
    assert.deepEqual(await count(germans), {
      matched: 2,
      excluded: excluded({ unsubscribed: 1 }),
      will_receive: 1,
    });
    const noFlag = everybody({
      rule: { country: 'DE' },
      field_mapping: { email: 'email', unsubscribed: null },
    });
    assert.equal((await count(noFlag)).will_receive, 2);
  });

  test('deliveries are numbered without gaps and cut into chunks', async () => {
    await add(
      Array.from({ length: 403 }, (_, n) => ({ email: `user${n}@x.example`, unsubscribed: n % 4 === 0 })),
    );
    const { sendId, breakdown, deliveries, chunks } = await write(everybody(), { chunkSize: 85 });
    assert.equal(breakdown.will_receive, 302);
    assert.deepEqual(
      deliveries.map(({ seq }) => seq),
      Array.from({ length: 302 }, (_, index) => index + 1),
    );
    assert.deepEqual(
      chunks.map(({ first_seq, last_seq, marked_up_to, done }) => [first_seq, last_seq, marked_up_to, done]),
      [
        [1, 85, 0, false],
        [86, 170, 85, false],
        [171, 255, 170, false],
        [256, 302, 255, false],
      ],
    );
    // The index finds the delivery of each contact, and none for an excluded one.
    const send = sql`(select ${sendId}::uuid as id, now() as send_date)`;
    const seqsOf = (contactId: string) => {
      const found = deliveriesOfContact(fixture.organizationId, contactId, send);
      return valuesOf<number>(fixture.owner)`select seq from (${found}) found`;
    };
    for (const { contact_id, seq } of deliveries) assert.deepEqual(await seqsOf(contact_id), [seq]);
    assert.deepEqual(await seqsOf('c000001'), []);
  });

  for (const contactFields of [['first_name', 'last_name'], null]) {
    test(`chunks of large contacts are smaller (${contactFields === null ? 'all fields' : 'some fields'}) (JOB-3)`, async () => {
      // Highly compressible, as malicious data would be.
      const large = { first_name: 'ż'.repeat(65_000), last_name: 'ż'.repeat(65_000) };
      await add(Array.from({ length: 40 }, (_, n) => ({ email: `user${n}@x.example`, ...large })));
      const { chunks } = await write(everybody(), { contactFields, chunkSize: 250 });
      assert.equal(chunks.at(-1)?.last_seq, 40);
      for (const { first_seq, last_seq } of chunks)
        assert.ok(last_seq - first_seq + 1 <= 16 && last_seq >= first_seq);
    });
  }

  test('an empty audience writes nothing', async () => {
    const { breakdown, deliveries, chunks } = await write(everybody());
    assert.deepEqual(breakdown, { matched: 0, excluded: excluded({}), will_receive: 0 });
    assert.deepEqual([deliveries, chunks], [[], []]);
  });

  test('an audience stores the requested fields only', async () => {
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`f${n}`, n]));
    await add([{ email: 'a@x.example', ...many }]);
    const variables = async (contactFields: string[] | null) =>
      (await write(everybody(), { contactFields })).deliveries[0]?.variables;
    assert.deepEqual(await variables([]), {});
    assert.deepEqual(await variables(['f1', 'nope']), { f1: 1, nope: null });
    assert.deepEqual(await variables(Object.keys(many)), many);
    assert.deepEqual(await variables(null), { email: 'a@x.example', ...many });
  });

  test('an audience of another organization is not found', async () => {
    const other = await fixture.addOrganization();
    await add([{ email: 'secret@x.example' }], other);
    await add([{ email: 'own@x.example' }]);
    assert.equal((await count(everybody())).matched, 1);
    const foreign = await inOrganization(fixture.db, fixture.organizationId, (trx) =>
      countAudience(trx, other, everybody()),
    );
    assert.equal(foreign.breakdown.matched, 0);
    await assert.rejects(
      fixture
        .inTenant((trx) =>
          snapshotAudience(trx, other, everybody(), { sendId: newId(), contactFields: null, chunkSize: 5 }),
        )
        .then(({ breakdown }) => assert.notEqual(breakdown.will_receive, 0)),
    );
  });

  test('an audience of another release is parsed again', async () => {
    await add(messy);
    const stored = {
      ...everybody({ rule: { country: { _eq: 'DE' } } }),
      rule: { kind: 'all' as const, nodes: [] },
    };
    assert.equal((await write(stored)).breakdown.matched, 18);
    assert.equal((await write({ ...stored, version: audienceVersion - 1 })).breakdown.matched, 2);
    const unknownField = { ...stored, version: audienceVersion - 1, source: { shoe_size: 42 } };
    await assert.rejects(write(unknownField), (error: Error) => {
      assert.match(error.message, /older version of Reachout.*send the email again/);
      assert.match(String(error.cause), /shoe_size/);
      return error.name === 'UnusableAudience';
    });
    await assert.rejects(write({ ...stored, version: audienceVersion + 1 }), {
      name: 'UnusableAudience',
      message: /newer version of Reachout/,
    });
  });

  test('a unique address field needs no duplicate check', async () => {
    const unique = fields.map((field) => ({ ...field, unique: field.name === 'email' }));
    const audience = parseAudience(
      {
        collection: 'contacts',
        rule: {},
        field_mapping: { email: 'email', unsubscribed: null },
        brandId: null,
      },
      unique,
    );
    // Two different texts for a unique field, but the same address after IDNA conversion.
    await add([
      { email: 'gina@müller.example' },
      { email: 'gina@xn--mller-kva.example' },
      { email: 'x@y.example' },
    ]);
    const { breakdown, deliveries } = await write(audience);
    assert.deepEqual([breakdown.will_receive, breakdown.excluded.duplicate_address], [2, 1]);
    assert.equal(deliveries.length, 2);
  });

  // R3.5 is implemented here and in email/addresses/address.ts. For the whole corpus, both accept the same addresses and
  // return the same form.
  const locals = ['a', 'A.b', 'a+tag', "o'neil", '#$&*/=?^_`{}~-', 'x'.repeat(64), 'a-', '_', '1'];
  const wrongLocals = [
    '',
    '.a',
    'a.',
    'a..b',
    'x'.repeat(65),
    'a b',
    '"a"',
    'a"b',
    'a\\b',
    'jürgen',
    'a,b',
    'a;b',
    'a(b)',
    'a%b',
    'a!b',
    'a|b',
    '-a',
    '/a',
  ];
  const domains = [
    'x.example',
    'X.Example',
    'a-b.example',
    'a--b.example',
    '1.example',
    'a.b.c.d.example',
    `${'l'.repeat(63)}.example`,
    'müller.example',
    'MÜLLER.example',
    'xn--mller-kva.example',
    'XN--mller-kva.example',
    'пример.рф',
    'xn--e1afmkfd.xn--p1ai',
    '例え.jp',
    'ｅxample.com',
    'faß.example',
    'x。example',
  ];
  const wrongDomains = [
    '',
    'localhost',
    '.example',
    'x.',
    'x.example.',
    'x..example',
    '-x.example',
    'x-.example',
    'x.-example',
    'x.example-',
    'x.e',
    'x.123',
    'x.1a',
    '1.2.3.4',
    '[1.2.3.4]',
    '[IPv6:::1]',
    '0x7f.1',
    'x_y.example',
    'x example.com',
    'x.exa/mple',
    'x.example:25',
    'x%2e.example',
    'x@y.example',
    `${'l'.repeat(64)}.example`,
    `a.${'l'.repeat(64)}.example`,
    'xn--a.example',
    'xn--.example',
    'a.xn--0.example',
    '\u00ad.example',
    '\u2060x.example',
    'x\u200b.example',
    `${'abcdefghi.'.repeat(25)}example`,
  ];
  const corpus = [
    ...locals.flatMap((local) => [...domains, ...wrongDomains].map((domain) => `${local}@${domain}`)),
    ...wrongLocals.flatMap((local) =>
      [...domains.slice(0, 8), ...wrongDomains.slice(0, 4)].map((domain) => `${local}@${domain}`),
    ),
    ...[' ', '\t', '\n', '\u00a0', '\u3000', '\ufeff', '\u200b', '\u2060'].flatMap((blank) => [
      `${blank}a@x.example${blank}`,
      `a${blank}@x.example`,
      `a@${blank}x.example`,
    ]),
    ...[63, 64, 65].flatMap((local) =>
      [185, 186, 187, 188, 189, 190, 191].map(
        (length) =>
          `${'x'.repeat(local)}@${'d.'.repeat(Math.ceil((length - 7) / 2)).slice(0, length - 7)}example`,
      ),
    ),
    `${'x'.repeat(60)}@a.de`,
    `${'x'.repeat(61)}@a.de`,
    'a@x-example',
    'a-@x.example',
    'a',
    '@',
    '@x.example',
    'a@',
    'a@b@x.example',
    'Anna <a@x.example>',
    '<a@x.example>',
    'a@x.example, b@x.example',
    'a@x.example\r\nRCPT TO:<b@x.example>',
    'mailto:a@x.example',
    "a@x.example' or true --",
    'a@x.example\u0001',
    'a@x.example\u007f',
    'ａ@x.example',
    '😀@x.example',
    'a@😀.example',
    'x'.repeat(2_000),
    `a@${'x'.repeat(2_000)}.example`,
  ];

  test(`SQL judges ${corpus.length} addresses as address.ts does`, async () => {
    for (const field_mapping of [
      { email: 'email', unsubscribed: null },
      // Values of this field are not validated before they are read.
      { email: 'first_name', unsubscribed: 'unsubscribed' },
    ]) {
      await execute(fixture.owner)`delete from content_items`;
      await execute(fixture.owner)`delete from deliveries`;
      // One contact per address: this test is not about duplicates.
      await add(corpus.map((email) => ({ [field_mapping.email]: email })));
      const audience = everybody({ field_mapping });
      const { deliveries } = await write({ ...audience, emailIsUnique: false });
      const accepted = new Map(deliveries.map(({ contact_id, address }) => [contact_id, address]));
      const keys = new Set<string>();
      for (const [index, email] of corpus.entries()) {
        const id = `c${String(index + 1).padStart(6, '0')}`;
        const parsed = parseAddress(email);
        const isFirst = !('error' in parsed) && !keys.has(parsed.key);
        if (!('error' in parsed)) keys.add(parsed.key);
        assert.equal(accepted.get(id), isFirst ? parsed.address : undefined, JSON.stringify(email));
      }
      assert.ok(deliveries.length > 100);
    }
  });

  test('stored address judgments follow the rule of address.ts', async () => {
    const rows = await rowsOf<{ expression: string }>(fixture.owner)`
      select generation_expression as expression from information_schema.columns
      where table_name = 'content_items' and column_name = 'has_ordinary_email'
    `;
    const [{ expression }] = rows as [{ expression: string }];
    assert.ok(expression.includes(`'${ordinaryAddress}'`), expression);
    assert.ok(expression.includes(`< ${maxOrdinaryLength})`), expression);
  });

  test('time zone and language are found by their names unless another field is named', () => {
    const mapped = (given: object, more: string[] = []) => {
      const { field_mapping } = parseAudience(
        {
          collection: 'contacts',
          rule: {},
          field_mapping: { email: 'email', unsubscribed: null, ...given },
          brandId,
        },
        [...fields, ...more.map((name) => ({ name, type: 'string', unique: false }) as const)],
      );
      return [field_mapping.time_zone, field_mapping.language];
    };
    assert.deepEqual(mapped({}), [null, null]);
    assert.deepEqual(mapped({}, ['time_zone', 'language']), ['time_zone', 'language']);
    assert.deepEqual(mapped({ time_zone: null, language: 'country' }, ['time_zone', 'language']), [
      null,
      'country',
    ]);
  });

  test('an audience stored without time zone and language is read without them', async () => {
    const { field_mapping, ...rest } = everybody();
    const { email, unsubscribed } = field_mapping;
    const stored = { ...rest, field_mapping: { email, unsubscribed } };
    assert.deepEqual(
      await fixture.inTenant((trx) => restoreAudience(trx, fixture.organizationId, stored)),
      everybody(),
    );
  });

  test('recipients are counted by their time zone', async () => {
    await add([
      { email: 'a@sink.example', country: 'Europe/Berlin' },
      { email: 'b@sink.example', country: ' EUROPE/BERLIN ' },
      { email: 'c@sink.example', country: 'Mars/Olympus' },
      { email: 'd@sink.example' },
      { email: 'e@sink.example', country: 'Asia/Tokyo' },
      { email: 'f@sink.example', country: 'Asia/Tokyo', unsubscribed: true },
    ]);
    const audience = everybody({
      field_mapping: { email: 'email', unsubscribed: 'unsubscribed', time_zone: 'country' },
    });
    const counts = await fixture.inTenant((trx) =>
      countZones(trx, fixture.organizationId, audience, ['asia/tokyo', 'europe/berlin', 'utc']),
    );
    assert.deepEqual(
      new Map(counts.map(({ time_zone, count: of }) => [time_zone, of])),
      new Map([
        ['europe/berlin', 2],
        [null, 2],
        ['asia/tokyo', 1],
      ]),
    );
  });

  test('invalid mappings and rules are rejected with their path', () => {
    const wrong = (given: Partial<Parameters<typeof parseAudience>[0]>, path: string) =>
      assert.throws(() => everybody(given), { path });
    wrong({ field_mapping: { email: 'nope', unsubscribed: null } }, 'field_mapping.email');
    wrong({ field_mapping: { email: 'unsubscribed', unsubscribed: null } }, 'field_mapping.email');
    wrong({ field_mapping: { email: 'email', unsubscribed: 'country' } }, 'field_mapping.unsubscribed');
    wrong(
      { field_mapping: { email: 'email', unsubscribed: null, time_zone: 'unsubscribed' } },
      'field_mapping.time_zone',
    );
    wrong(
      { field_mapping: { email: 'email', unsubscribed: null, language: 'nope' } },
      'field_mapping.language',
    );
    wrong({ rule: { _and: [{ nope: 1 }] } }, 'rule._and.0.nope');
    wrong({ rule: 7 }, 'rule');
  });
});
