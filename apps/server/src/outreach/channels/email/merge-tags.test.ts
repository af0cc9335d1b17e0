import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import { starterLanguages, templateStarters, type TemplateProblem } from '@reachout/contract/templates.ts';
import type { EmailPreview, Review } from '@reachout/contract/touchpoints.ts';
import { createLiquidEngine } from '../../../email/liquid/liquid-engine.ts';
import { findOddOutputs } from '../../../email/liquid/find-odd-outputs.ts';
import { findForeignTags } from '../../../content/templates/find-foreign-tags.ts';
import { findSamples } from '../../../content/templates/find-samples.ts';
import { defaultMjml, starterMjml } from '../../../content/templates/starters.ts';
import { inOrganization } from '../../../platform/database/database.ts';
import { useSharedApp } from '../../../testing/app.ts';
import { assertProblem } from '../../../testing/assert-problem.ts';
import { buildReadyEmail, type ReadyEmail } from '../../../testing/ready-email.ts';
import { fixtureMjml } from '../../../testing/send-fixture.ts';
import { waitUntilSomebodyWaits } from '../../../testing/wait-for-lock.ts';
import { signInWithRules } from '../../../testing/sign-in-with-rules.ts';
import { words } from '../../../testing/words.ts';
import { countRecipients } from './count-recipients.ts';
import { planEmail } from './plan-email.ts';

/** Line 2 prints the company, line 3 the city with a fallback, line 4 the company if it is set. */
const mjml = fixtureMjml.replace(
  '<mj-text>Hello',
  `<mj-text>From {{ contact.company }}</mj-text>
<mj-text>In {{ contact.city | default: "your city" }}</mj-text>
<mj-text>{% if contact.company %}At {{ contact.company }}{% endif %}</mj-text>
<mj-text>Hello`,
);

suite('merge tags of an email', () => {
  const app = useSharedApp();

  /** Of 12 contacts, every third has no company, all have a last name, and the 12th is unsubscribed. */
  async function build(source = mjml): Promise<ReadyEmail> {
    const email = await buildReadyEmail(app, { contacts: 12, mjml: source });
    await sql`
      update content_items set data = data || jsonb_build_object('last_name', 'Müller',
        'company', case when right(id, 2)::int % 3 = 0 then null else 'Acme' end, 'unsubscribed', right(id, 2) = '12')
      where organization_id = ${email.organizationId} and collection = 'contacts'`.execute(app.owner);
    return email;
  }
  let unchanged: Promise<ReadyEmail> | undefined;
  /** @returns one email for all tests that change neither it nor its contacts */
  const share = () => (unchanged ??= build());
  const review = async ({ touchpointId, person }: ReadyEmail, as = person) => {
    const path = `/api/touchpoints/${touchpointId}/review`;
    const body = await as.ok<Review>('GET', path);
    return { ...body, tags: body.checks.find(({ check }) => check === 'variables')! };
  };
  const preview = async ({ touchpointId, person }: ReadyEmail, collectionItemId: string) => {
    const path = `/api/touchpoints/emails/preview/${touchpointId}`;
    return (await person.ok<EmailPreview>('POST', path, { collectionItemId })).problems;
  };
  const patch = async ({ touchpointId, person }: ReadyEmail, body: object) => {
    const path = `/api/touchpoints/${touchpointId}/email`;
    await person.ok('PATCH', path, body);
  };
  const start = ({ touchpointId, person }: ReadyEmail) =>
    person.request<{ data?: unknown }>('POST', `/api/touchpoints/${touchpointId}/sends`, {});
  const told = ({ code, severity, variable, field, line, count }: TemplateProblem) => ({
    code,
    severity,
    variable,
    field,
    line,
    count,
  });
  const company = {
    code: 'variable_empty',
    severity: 'warning',
    variable: 'contact.company',
    field: 'mjml',
    line: 2,
  };

  test('empty merge tags are counted over the recipients', async () => {
    const email = await build();
    const { tags, audience_breakdown } = await review(email);
    assert.equal(audience_breakdown?.will_receive, 11);
    // Contacts 3, 6 and 9; the 12th gets nothing.
    assert.deepEqual(tags.problems.map(told), [
      { ...company, count: { empty: 3, recipients: 11, is_exact: true } },
    ]);
    assert.equal(tags.level, 'warn');
    assert.match(tags.message!, /contact\.company is empty for 3 of 11/);

    const perContact = [];
    for (let number = 1; number <= 11; number += 1)
      perContact.push(await preview(email, `contact-0000${String(number).padStart(2, '0')}`));
    assert.equal(perContact.flat().length, 3, 'the preview tells the same');
    assert.deepEqual(perContact[2]?.map(told), [{ ...company, count: null }]);
    assert.equal((await start(email)).status, 201);
  });

  test('merge tags in conditions are not counted, and nothing to check', async () => {
    const email = await build(
      fixtureMjml.replace(
        'Hello',
        '{% if contact.city %}{{ contact.city }} {{ contact.company }}{% endif %}Hello',
      ),
    );
    const { tags } = await review(email);
    assert.equal(tags.level, 'note');
    assert.deepEqual(
      tags.problems.map(({ code, variable, count }) => [code, variable, count]),
      ['contact.city', 'contact.company'].map((variable) => ['variable_not_counted', variable, null]),
    );
    assert.match(tags.message!, /contact\.city is not counted/);
    assert.deepEqual(await preview(email, 'contact-000001'), []);
  });

  test('merge tags in subject, preview and links are counted', async () => {
    const email = await build(fixtureMjml.replace('/spring', '/?at={{ contact.company }}'));
    await patch(email, { subject: 'For {{ contact.city }}', preheader: 'In {{ contact.country }}' });
    const { tags } = await review(email);
    assert.deepEqual(
      tags.problems.map(({ variable, field, line, count }) => [variable, field, line, count?.empty]),
      [
        ['contact.city', 'subject', 1, 11],
        ['contact.company', 'mjml', 3, 3],
      ],
    );
  });

  test('unknown contact fields block review and start', async () => {
    const email = await build(mjml.replace('contact.city', 'contact.nachnahme'));
    const { tags } = await review(email);
    const unknown = {
      code: 'variable_unknown',
      severity: 'error',
      variable: 'contact.nachnahme',
      field: 'mjml',
      line: 3,
      count: null,
    };
    assert.equal(tags.level, 'block');
    assert.deepEqual(told(tags.problems[0]!), unknown);
    assert.deepEqual(told((await preview(email, 'contact-000001'))[0]!), unknown);
    const refused = await start(email);
    assertProblem(refused, 409, 'send_blocked');
    assert.deepEqual(refused.body.data, {
      checks: [{ check: 'variables', message: tags.problems[0]?.message }],
    });

    await patch(email, { subject: 'From {{ brnad.name }}' });
    assert.deepEqual(
      (await review(email)).tags.problems
        .filter(({ severity }) => severity === 'error')
        .map(({ variable }) => variable),
      ['contact.nachnahme', 'brnad.name'],
    );
  });

  test('values that break a message are counted (R4.4)', async () => {
    const source = fixtureMjml.replace(
      '<mj-text>Hello',
      `{% if contact.city != 'Linz' %}
<mj-text><a href="{{ contact.company }}">Website</a> {{ contact.country }}</mj-text>
{% endif %}
<mj-text>Hello`,
    );
    const email = await build(source);
    await patch(email, { subject: '{{ contact.city }}' });
    const values: [number, object][] = [
      [1, { company: 'www.x.example' }],
      [2, { company: 'n/a' }],
      // The condition hides the link.
      [4, { company: 'none', city: 'Linz' }],
      [5, { company: 'tel:+49123', city: 'x\u2028y' }],
      [7, { city: 'x'.repeat(1_001) }],
      [8, { country: { code: 'DE' }, company: 'javascript:alert(1)' }],
      [10, { country: ['DE', 'AT'], city: ' \n' }],
      // Gets nothing.
      [12, { city: 'x'.repeat(1_001) }],
    ];
    await sql`update content_items set data = data || '{"company": "https://x.example/", "city": "Berlin", "country": "DE"}'
      where organization_id = ${email.organizationId} and collection = 'contacts'`.execute(app.owner);
    for (const [number, data] of values)
      await sql`update content_items set data = data || ${JSON.stringify(data)}::jsonb
        where organization_id = ${email.organizationId} and id = ${`contact-${String(number).padStart(6, '0')}`}`.execute(
        app.owner,
      );
    const counted = (code: string, of: Partial<TemplateProblem>, empty: number) => ({
      code,
      severity: 'warning',
      variable: undefined,
      field: 'mjml',
      line: undefined,
      ...of,
      count: { empty, recipients: 11, is_exact: true },
    });
    const { tags } = await review(email);
    const found = tags.problems.filter(({ code }) => !code.startsWith('variable_')).map(told);
    const link = { variable: '{{ contact.company }}', line: 3 };
    const none = { variable: null, line: null };
    assert.deepEqual(found, [
      counted('recipients_not_built', { ...none, field: null }, 1),
      counted('link_nowhere', link, 2),
      counted('value_not_text', { variable: 'contact.country', line: 3 }, 2),
      counted('subject_blank', { ...none, field: 'subject' }, 1),
    ]);
    assert.match(
      tags.problems.find(({ code }) => code === 'recipients_not_built')!.message,
      /for 1 of 11: Subject is longer than 1000/,
    );
    const previews = await Promise.all(
      [1, 2, 7, 8].map(async (number) => {
        const problems = await preview(email, `contact-00000${number}`);
        return problems.map(({ code }) => code);
      }),
    );
    assert.deepEqual(previews, [
      [],
      ['link_nowhere'],
      ['recipients_not_built'],
      ['link_nowhere', 'value_not_text'],
    ]);
  });

  test('merge tags in the sender name are rejected', async () => {
    const email = await build();
    await patch(email, { from_name: '{{ contact.first_name }}' });
    const sender = (await review(email)).checks.find(({ check }) => check === 'sender');
    assert.equal(sender?.level, 'block');
  });

  test('merge tag counts require read access to contacts', async () => {
    const email = await share();
    const rules = ['Organization', 'Campaign', 'Touchpoint'].map((subject) => ({ action: 'read', subject }));
    const reader = await signInWithRules(app, email.organizationId, rules);
    const { tags, audience_breakdown } = await review(email, reader);
    assert.deepEqual([audience_breakdown, tags.problems], [null, []]);
  });

  test('merge tags beyond the time limit are reported uncounted', async () => {
    const email = await share();
    const { db } = app.services;
    const plan = await inOrganization(db, email.organizationId, (trx) =>
      planEmail(trx, email.touchpointId, 'http://localhost'),
    );
    const counted = await app.owner.transaction().execute(async (trx) => {
      await sql`lock table content_items in access exclusive mode`.execute(trx);
      const tests = [{ path: ['company'], hasFallback: false }];
      let attempts = 0;
      const second = Promise.withResolvers<void>();
      const counting = countRecipients(
        {
          content: app.services,
          transaction: (work) => {
            attempts += 1;
            if (attempts === 2) second.resolve();
            return inOrganization(db, email.organizationId, work);
          },
        },
        plan,
        tests,
        20,
      );
      await waitUntilSomebodyWaits(app.owner);
      await second.promise;
      return { counting };
    });
    const { breakdown, tags } = await counted.counting;
    assert.deepEqual([breakdown?.will_receive, tags], [11, 'too_slow']);
  });

  test('what is left of a merge tag that is not complete is named', async () => {
    for (const text of [
      '&#123;{ contact.first_name',
      '&#123;<b>{ contact.city }}</b>',
      '&#123;% if contact.vip',
    ])
      assert.deepEqual(
        findForeignTags({ subject: '', preheader: '', mjml: `<mj-text>\n${text}</mj-text>` }, []).map(
          ({ code, line }) => `${code} in ${line}`,
        ),
        ['tag_broken in 2'],
        text,
      );
    const whole = { subject: '', preheader: '', mjml: '{{ contact.first_name }} &#123; a' };
    assert.deepEqual(findForeignTags(whole, []), []);
    const email = await build(fixtureMjml.replace('</mj-text>', ' &#123;{ contact.<b>city</b> }}</mj-text>'));
    const { level, problems } = (await review(email)).checks.find(({ check }) => check === 'sample_content')!;
    assert.deepEqual([level, problems.map(({ code }) => code)], ['confirm', ['tag_broken']]);
  });

  test('template samples are sent only if that is confirmed (R4.5)', async () => {
    const samplesIn = (source: string) => findSamples(source).map(({ code, line }) => `${code} in ${line}`);
    const sources = templateStarters.flatMap((starter) =>
      starterLanguages.map((language) => starterMjml(starter, language)),
    );
    for (const source of [defaultMjml, ...sources]) {
      const lineOfLink = source.slice(0, source.indexOf('https://example.com/')).split('\n').length;
      assert.ok(samplesIn(source).includes(`sample_link in ${lineOfLink}`), source);
      const linked = samplesIn(source.replaceAll('https://example.com/', 'https://nordwind.example/news'));
      assert.ok(linked.length > 0 && linked.every((one) => one.startsWith('sample_text')), source);
    }
    assert.deepEqual(samplesIn('<mj-text>\nLorem\n  ipsum</mj-text>'), ['sample_text in 2']);
    // Searching the line number of each of these would take a quarter of an hour (TPL-2).
    assert.equal(samplesIn('lorem ipsum\n'.repeat(80_000)).length, 20);
    assert.deepEqual(samplesIn('<a href="https://shop.example.org/x">'), ['sample_link in 1']);
    for (const source of [
      '<mj-text>\nWrite your\n <b>text</b> here.</mj-text>',
      '<mj-text>\n<h2 style="margin:0">Überschrift</h2></mj-text>',
      '<mj-text>\n<blockquote>“What somebody said.”</blockquote></mj-text>',
      '<mj-raw>\n<!-- HTML --></mj-raw>',
    ])
      assert.deepEqual(samplesIn(source), ['sample_text in 2'], source);
    for (const source of ['<mj-image src="" alt="" />', "<mj-image\n src=' ' />", '<p><img alt="a > b"></p>'])
      assert.deepEqual(samplesIn(source), ['sample_image in 1'], source);
    assert.deepEqual(samplesIn('<mj-button href="#">a</mj-button><a href="">b</a>'), [
      'sample_link in 1',
      'sample_link in 1',
    ]);
    assert.deepEqual(
      samplesIn(
        '<h2>Heading home</h2><mj-image alt="x" src="{{ item.a | default: "b" }}" /><img src=/a><a href="#top">',
      ),
      [],
    );
    assert.deepEqual(samplesIn('<a href="https://my-example.com/"><a href="https://example.com.au/">'), []);

    const email = await build(defaultMjml);
    const found = async () => (await review(email)).checks.find(({ check }) => check === 'sample_content')!;
    const { level, problems } = await found();
    assert.deepEqual([level, problems.map(({ code }) => code)], ['confirm', ['sample_text', 'sample_link']]);
    const send = (body: object) =>
      email.person.request<{ id: string }>('POST', `/api/touchpoints/${email.touchpointId}/sends`, body);
    const blocked = await send({});
    assertProblem(blocked, 409, 'send_blocked');
    assert.match(JSON.stringify(blocked.body), /"check":"sample_content"/);
    const confirmed = await send({ sends_sample_content: true });
    assert.equal(confirmed.status, 201, JSON.stringify(confirmed.body));
    await email.person.ok('POST', `/api/sends/${confirmed.body.id}/cancel`);
    const path = `/api/touchpoints/${email.touchpointId}/email`;
    const change = (body: object) => email.person.request('PATCH', path, body);
    await change({ mjml: fixtureMjml });
    assert.equal((await found()).level, 'fine');
    await change({ subject: 'News for *|FNAME|*', preheader: 'For { contact.city }' });
    const foreign = await found();
    assert.deepEqual(
      [foreign.level, foreign.problems.map(({ code, field, variable }) => [code, field, variable])],
      [
        'confirm',
        [
          ['tag_foreign', 'subject', '*|FNAME|*'],
          ['tag_foreign', 'preheader', '{ contact.city }'],
        ],
      ],
    );
    await change({ subject: 'Hello {{ contact.first_name or "you" }}', preheader: '' });
    const { checks } = await review(email);
    const subject = checks.find(({ check }) => check === 'subject')!;
    assert.deepEqual(
      [subject.level, subject.problems.map(({ code }) => code)],
      ['block', ['tag_not_a_value']],
    );
  });

  test('tags of other programs are named with the field that they mean', () => {
    const meantBy = (source: string) =>
      findForeignTags({ subject: '', preheader: '', mjml: source }, ['email', 'first_name', 'city']).map(
        ({ message, line }) => `${/Use \{\{ contact\.(\w+)/.exec(message)?.[1] ?? '?'} in ${line}`,
      );
    const tags = [
      ...words(`*|FNAME|* %FIRSTNAME% %%first_name%% %recipient.first_name% [[first_name]] [Vorname] {first_name}
        {FIRST_NAME|there} {!Contact.FirstName} #{first_name} &lt;&lt;Vorname>> «Vorname» @FirstName@ -FNAME- ##vorname##
        [[data:first_name:"x"]] [subscriber:firstname|default:you] \${first_name} $first_name$`),
      '{ contact.first_name }',
      '{ <b>contact</b>.first_name }',
      '&#123;{ contact.first_name }}',
      '&lbrace;&lbrace; first_name }}',
      '&lt;%= first_name %>',
      '[First Name]',
    ];
    for (const tag of tags) assert.deepEqual(meantBy(`<p>\n${tag}</p>`), ['first_name in 2'], tag);
    for (const [tag, meant] of [
      ['<a href="https://a.example/?to=*|EMAIL|*">x</a>', 'email in 1'],
      ['Hello {nickname}', '? in 1'],
      ['contact.first_name }}', 'first_name in 1'],
    ] as const)
      assert.deepEqual(meantBy(tag), [meant], tag);
    for (const text of [
      '50% and 60% off, 100%sure%',
      '<a href="https://a.example/%C3%BCber%20uns?a=%7Bx%7D">x</a>',
      '<mj-style>.a { color: red } @media print { .b { c: d } }</mj-style>',
      'A [link] and [1], {{ contact.first_name }}, {% if contact.city %}x{% endif %} {{ contact["a { b }"] }}',
      ...templateStarters.flatMap((starter) =>
        starterLanguages.map((language) => starterMjml(starter, language)),
      ),
    ])
      assert.deepEqual(meantBy(text), [], text);
    assert.equal(meantBy('{ a } '.repeat(100_000)).length, 1);
    assert.equal(meantBy('[[a'.repeat(300_000)).length, 0);
  });

  test('outputs that print no value are named', () => {
    const { parse } = createLiquidEngine('plain', 1_000);
    const found = (source: string) =>
      findOddOutputs(parse(source), 'subject').map(({ severity, message }) =>
        [severity, /prints (true|its)/.exec(message)?.[1]].join(' '),
      );
    const name = 'contact.first_name';
    for (const [source, expected] of [
      [`{{ ${name} or "you" }}`, 'error true'],
      [`{% echo ${name} or "you" %}`, 'error true'],
      [`{% assign n = ${name} or "you" %}{{ n }}`, 'error true'],
      [`{{ not ${name} }}`, 'error true'],
      [`{{ ${name} == "Ada" }}`, 'warning true'],
      [`{{ ${name} OR "you" }}`, 'error its'],
      [`{{ ${name} ?? "you" }}`, 'error its'],
      [`{{ ${name}, "you" }}`, 'error its'],
    ] as const)
      assert.deepEqual(found(source), [expected], source);
    for (const source of [
      `{{ ${name} | default: "you, or nobody" }}`,
      `{% assign any = ${name} or contact.city %}{% if any and ${name} %}x{% endif %}`,
      '{{ items[0].title }}{% cycle "a", "b" %}',
    ])
      assert.deepEqual(found(source), [], source);
  });
});
