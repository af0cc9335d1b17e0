import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TemplateProblem } from '@reachout/contract/templates.ts';
import type { EmailPreview, Review, Touchpoint, TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import type { EmailSnapshot } from '../../../email/email-content.ts';
import { onlyRowOf, inOrganization } from '../../../platform/database/database.ts';
import { useSharedApp, type Method } from '../../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../../testing/assert-problem.ts';
import { buildReadyEmail, type ReadyEmail } from '../../../testing/ready-email.ts';
import { updateRows } from '../../../testing/rows.ts';
import { fixtureMjml } from '../../../testing/send-fixture.ts';
import { signInWithRules } from '../../../testing/sign-in-with-rules.ts';
import { mailboxPolicies } from '../../../testing/mailbox-policies.ts';
import { assertColumn } from '../../../testing/assert-column.ts';
import { createOutboundClient } from '../../../platform/outbound/outbound-client.ts';
import { email as channel } from './email-channel.ts';

/** Line 2 shows the chosen item, line 3 lists the newest ones. */
const mjml = fixtureMjml.replace(
  '<mj-text>Hello',
  `<mj-text>{{ item.title }}: {{ item.teaser }}</mj-text>
{% for item in items %}<mj-text>[{{ item.title }}|{{ item.image_url }}]</mj-text>{% endfor %}
<mj-text>Hello`,
);

suite('content items of an email', () => {
  const app = useSharedApp();

  const request = <T>({ person }: ReadyEmail, method: Method, path: string, body?: object, as = person) =>
    as.request<T>(method, `/api${path}`, body);
  const call = <T>({ person }: ReadyEmail, method: Method, path: string, body?: object, as = person) =>
    as.ok<T>(method, `/api${path}`, body);
  const addItem = async (of: ReadyEmail, item: object, collection = 'newsletters') =>
    (
      await call<{ data: { id: string } }>(
        of,
        'POST',
        `/content/${of.organizationId}/items/${collection}`,
        item,
      )
    ).data.id;
  const addCollection = async (of: ReadyEmail, name: string, owner: object = {}) =>
    (
      await call<{ collection: string }>(of, 'POST', `/content/${of.organizationId}/collections`, {
        name,
        fields: [{ field: 'title', type: 'string' }],
        ...owner,
      })
    ).collection;
  const choose = (of: ReadyEmail, collection: string | null) =>
    request<Touchpoint>(of, 'PATCH', `/touchpoints/${of.touchpointId}`, { collection });
  const change = (of: ReadyEmail, body: object) =>
    call<TouchpointEmail>(of, 'PATCH', `/touchpoints/${of.touchpointId}/email`, body);
  const preview = (of: ReadyEmail, body: object = {}) =>
    request<EmailPreview>(of, 'POST', `/touchpoints/emails/preview/${of.touchpointId}`, body);
  const review = (of: ReadyEmail) => call<Review>(of, 'GET', `/touchpoints/${of.touchpointId}/review`);
  const checkOf = ({ checks }: Review, name: string) => checks.find(({ check }) => check === name);
  const told = (problems: readonly TemplateProblem[] = []) =>
    problems.map(({ code, message, line }) => [code, message, line]);
  const start = (of: ReadyEmail) =>
    request<{ id: string }>(of, 'POST', `/touchpoints/${of.touchpointId}/sends`, {});
  const storedSend = (of: ReadyEmail, kind: string) => onlyRowOf<{
    item_id: string | null;
    content: EmailSnapshot;
  }>(app.owner)`
      select s.item_id, c.content from touchpoint_sends s
      join touchpoint_send_contents c on c.organization_id = s.organization_id and c.send_id = s.id
      where s.touchpoint_id = ${of.touchpointId} and s.kind = ${kind}`;
  /** An email that shows the item Spring and lists three of four. */
  const build = async (source = mjml) => {
    const email = await buildReadyEmail(app, { contacts: 2, mjml: source });
    const ids: string[] = [];
    for (const [index, title] of ['Winter', 'Spring', 'Summer', 'Autumn'].entries())
      ids.push(
        await addItem(email, {
          title,
          teaser: title === 'Spring' ? 'New <boots>' : null,
          image_url: index % 2 === 0 ? `https://img.example/${index}.png` : null,
        }),
      );
    const [winter = '', spring = ''] = ids;
    assert.equal((await choose(email, 'newsletters')).body.collection, 'newsletters');
    await change(email, { item_id: spring, items_count: 3 });
    return { ...email, winter, spring };
  };

  test('a touchpoint takes only a usable visible collection', async () => {
    const email = await buildReadyEmail(app);
    const { organizationId: organization_id, campaignId: campaign_id } = email;
    const other = await buildReadyEmail(app);
    const foreign = await addCollection(other, 'Elsewhere');
    const client = await call<{ id: string }>(email, 'POST', '/clients', { organization_id, name: 'Other' });
    const ofClient = await addCollection(email, 'Theirs', { client_id: client.id });
    const ofBrand = await addCollection(email, 'Ours', { brand_id: email.brandId });
    const hidden = await addCollection(email, 'Hidden');
    await call(email, 'PATCH', `/content/${organization_id}/collections/${hidden}`, { hidden: true });
    const input = { organization_id, campaign_id, name: 'News', type: 'email' };
    for (const collection of [foreign, ofClient, hidden, 'reachout_templates', 'nowhere'])
      for (const answer of [
        await request(email, 'POST', '/touchpoints', { ...input, collection }),
        await request(email, 'POST', '/rpc/create_touchpoint', { ...input, collection }),
        await choose(email, collection),
      ])
        assertInvalid(answer, 'collection');
    for (const path of ['/touchpoints', '/rpc/create_touchpoint']) {
      const made = await call<Touchpoint>(email, 'POST', path, { ...input, collection: ofBrand });
      assert.equal(made.collection, ofBrand);
    }
    assert.equal((await choose(email, 'newsletters')).body.collection, 'newsletters');
    assert.equal((await choose(email, null)).body.collection, null);
  });

  test('another collection resets the item; locked emails keep both', async () => {
    const email = await build();
    const read = () => call<TouchpointEmail>(email, 'GET', `/touchpoints/${email.touchpointId}/email`);
    await choose(email, 'newsletters');
    assert.equal((await read()).item_id, email.spring);
    await choose(email, await addCollection(email, 'Offers'));
    assert.deepEqual([(await read()).item_id, (await read()).items_count], [null, 3]);
    await choose(email, null);
    assertInvalid(
      await request(email, 'PATCH', `/touchpoints/${email.touchpointId}/email`, { item_id: email.spring }),
      'item_id',
    );
    for (const items_count of [-1, 21, 1.5])
      assertInvalid(
        await request(email, 'PATCH', `/touchpoints/${email.touchpointId}/email`, { items_count }),
        'items_count',
      );
    await choose(email, 'newsletters');
    await change(email, { item_id: email.spring });
    assert.equal((await start(email)).status, 201);
    assertProblem(await choose(email, null), 409, 'touchpoint_locked');
  });

  test('only readers of content choose items', async () => {
    const email = await build();
    const rules = ['read', 'create', 'update'].map((action) => ({ action, subject: 'Touchpoint' }));
    const writer = await signInWithRules(app, email.organizationId, rules);
    const path = `/touchpoints/${email.touchpointId}`;
    for (const [way, body] of [
      [path, { collection: 'contacts' }],
      [`${path}/email`, { item_id: email.winter }],
      [`${path}/email`, { items_count: 2 }],
    ] as const)
      assertProblem(await request(email, 'PATCH', way, body, writer), 403, 'forbidden');
    assert.equal((await request(email, 'PATCH', `${path}/email`, { item_id: null }, writer)).status, 200);
  });

  test('the item reaches preview, test and send, frozen (R4.6)', async () => {
    const email = await build();
    const { body: shown } = await preview(email);
    assert.match(shown.html, /Spring: New &lt;boots&gt;/);
    assert.deepEqual(shown.html.match(/\[[A-Z]\w+\|[^\]]*\]/g), [
      '[Autumn|]',
      '[Summer|https://img.example/2.png]',
      '[Spring|]',
    ]);
    const to = email.person.email;
    await call(email, 'POST', `/touchpoints/emails/${email.touchpointId}/test`, { to });
    assert.equal((await start(email)).status, 201);
    const item = `/content/${email.organizationId}/items/newsletters/${email.spring}`;
    await call(email, 'PATCH', item, { title: 'Changed' });
    for (const kind of ['test', 'campaign']) {
      const { item_id, content } = await storedSend(email, kind);
      assert.equal(item_id, email.spring);
      assert.match(content.html, /Spring: New &lt;boots&gt;/);
      assert.equal((content.context['item'] as { title: string }).title, 'Spring');
      assert.equal((content.context['items'] as unknown[]).length, 3);
    }
  });

  test('rich text of items and contacts is read with its formatting', async () => {
    const email = await build(
      mjml
        .replace('{{ item.teaser }}', '</mj-text><mj-text>{{ item.content | rich_text }}')
        .replace('Hello', '[{{ contact.bio | rich_text }}] Hello'),
    );
    await call(email, 'POST', `/content/${email.organizationId}/fields/contacts`, {
      field: 'bio',
      type: 'text',
      interface: 'rich_text',
    });
    const hostile =
      '</td></table><script>x()</script><a href="java&#9;script:x()">{{ contact.email }}</a><!--[if mso]><b title="';
    const item = `/content/${email.organizationId}/items/newsletters/${email.spring}`;
    const content = `<p>New <strong>boots</strong></p><ul><li>red<li>blue</ul><p>See <a href="https://shop.example/">them</a>${hostile}`;
    await call(email, 'PATCH', item, { content: '<p>&nbsp;</p>' });
    const empty = told(checkOf(await review(email), 'variables')?.problems);
    assert.deepEqual(
      empty.filter(([code]) => code === 'item_value_empty'),
      [['item_value_empty', 'The item “Spring” has no value for: content', 2]],
    );
    await call(email, 'PATCH', item, { content });
    for (const id of ['contact-000001', 'contact-000002'])
      await updateRows(
        app.owner,
        'content_items',
        { organization_id: email.organizationId, id },
        { data: JSON.stringify({ email: `${id}@sink.example`, bio: `<p>I <em>am</em></p>${hostile}` }) },
      );
    const { body: shown } = await preview(email, { collectionItemId: 'contact-000001' });
    assert.match(
      shown.html,
      />Spring:<\/div>[^]*<p style="margin:0 0 16px">New <strong>boots<\/strong><\/p><ul><li>red<\/li><li>blue<\/li><\/ul><p style="margin:0">See <a href="[^"]+">them<\/a>&#123;&#123; contact\.email \}\}<\/p><\/div>/,
    );
    assert.match(
      shown.html,
      /\[<p style="margin:0 0 16px">I <em>am<\/em><\/p><p style="margin:0">\{\{ contact\.email \}\}<\/p>\]/,
    );
    assert.match(
      shown.text,
      /New boots\n\n \* red\n \* blue\n\nSee them <https:\/\/shop\.example\/>\{\{ contact\.email \}\}\n/,
    );
    assert.match(shown.text, /\[I am\n\n\{\{ contact\.email \}\}\]/);
    // A link of the item is counted like one of the email.
    assert.equal((await start(email)).status, 201);
    const { content: sent } = await storedSend(email, 'campaign');
    assert.ok(sent.links.some(({ url, personal }) => url === 'https://shop.example/' && !personal));
    assert.doesNotMatch(sent.html, /shop\.example/);
  });

  test('a preview shows another item on request', async () => {
    const email = await build();
    const { body } = await preview(email, { contentCollectionItemId: email.winter });
    assert.match(body.html, /Winter: </);
    assert.deepEqual(told(body.problems).slice(0, 2), [
      ['item_value_empty', 'The item “Winter” has no value for: teaser', 2],
      ['items_value_empty', '2 of 3 items have no image_url', 3],
    ]);
    const other = await build();
    for (const contentCollectionItemId of [other.spring, 'nothing'])
      assertInvalid(await preview(email, { contentCollectionItemId }), 'contentCollectionItemId');
    await choose(email, null);
    assertInvalid(await preview(email, { contentCollectionItemId: email.winter }), 'contentCollectionItemId');
  });

  test('empty values of items are counted in the review', async () => {
    const email = await build(
      mjml.replace(
        '{{ item.title }}:',
        '{% assign sub = item.subject %}{{ sub }}{{ item.link_url | default: "x" }}{{ item.tilte }}',
      ),
    );
    const variables = checkOf(await review(email), 'variables');
    assert.deepEqual(
      told(variables?.problems).filter(([code]) => code !== 'variable_empty'),
      [
        [
          'variable_not_counted',
          'sub is not counted, because it is in a condition, a loop or an expression.',
          2,
        ],
        ['variable_unknown', 'There is no item.tilte, so it is always empty.', 2],
        ['items_value_empty', '2 of 3 items have no image_url', 3],
      ],
    );
    assert.equal(variables?.level, 'block');
  });

  test('conditions, fallbacks and limits of a loop count', async () => {
    const loop = (head: string, body: string) =>
      `<mj-text>{% for one in items ${head} %}${body}{% endfor %}</mj-text>`;
    const email = await build(
      mjml.replace(
        '<mj-text>Hello',
        `${loop('', '{% if one.teaser %}{{ one.teaser }}{% endif %}{{ one.content | default: one.title }}')}
${loop('limit: 1', '{{one.teaser}}')}
${loop('reversed', '{% assign link = one.link_url %}<b>{{ link | upcase }}</b>')}
<mj-text>Hello`,
      ),
    );
    const variables = checkOf(await review(email), 'variables');
    assert.deepEqual(
      told(variables?.problems).filter(([code]) => code !== 'variable_empty'),
      [
        [
          'variable_not_counted',
          'link is not counted, because it is in a condition, a loop or an expression.',
          6,
        ],
        ['items_value_empty', '2 of 3 items have no image_url', 3],
        ['items_value_empty', '1 of 3 items has no teaser', 5],
      ],
    );
    assert.equal(variables?.level, 'warn');
  });

  test('values of items are printed, never executed', async () => {
    const email = await build();
    const title = '{{ contact.email }}{% raw %}<script>';
    const item_id = await addItem(email, { title, teaser: '{{ organization.id' });
    await change(email, { item_id, subject: '{{ item.title }}' });
    const { body } = await preview(email);
    assert.equal(body.subject, title);
    assert.ok(body.text.includes(title), body.text);
    assert.doesNotMatch(body.html, /<script|user1@sink/);
    assert.doesNotMatch(body.text, /user1@sink/);
  });

  test('the picture of a draft shows its items to readers of content', async () => {
    const email = await build();
    const draw = async (as = email.person) =>
      (
        await request<{ html: string }>(
          email,
          'GET',
          `/touchpoints/${email.touchpointId}/picture`,
          undefined,
          as,
        )
      ).body.html;
    assert.match(await draw(), /Spring: New/);
    const rules = [{ action: 'read', subject: 'Touchpoint' }];
    assert.doesNotMatch(await draw(await signInWithRules(app, email.organizationId, rules)), /Spring/);
  });

  test('a missing item blocks review, test and send', async () => {
    const email = await build();
    assert.equal(checkOf(await review(email), 'content_item')?.level, 'fine');
    const other = await build();
    for (const item_id of [null, other.spring, 'gone']) {
      await change(email, { item_id });
      const found = checkOf(await review(email), 'content_item');
      assert.equal(found?.level, 'block');
      assertColumn(found.problems, 'code', [item_id === null ? 'item_not_chosen' : 'item_missing']);
      assertProblem(await start(email), 409, 'send_blocked');
      const to = email.person.email;
      assertProblem(
        await request(email, 'POST', `/touchpoints/emails/${email.touchpointId}/test`, { to }),
        409,
        'send_blocked',
      );
    }
    await change(email, { mjml: fixtureMjml, item_id: null, items_count: 0 });
    assert.equal(checkOf(await review(email), 'content_item')?.level, 'fine');
    await choose(email, null);
    assert.equal(checkOf(await review(email), 'content_item'), undefined);
  });

  test('a collection that changed hands blocks the send', async () => {
    const email = await build();
    const { organizationId: organization_id } = email;
    const { id } = await call<{ id: string }>(email, 'POST', '/clients', { organization_id, name: 'Other' });
    await updateRows(
      app.owner,
      'content_collections',
      { organization_id, collection: 'newsletters' },
      { client_id: id },
    );
    assertColumn(checkOf(await review(email), 'content_item')?.problems, 'code', ['collection_unusable']);
    assert.doesNotMatch((await preview(email)).body.html, /Spring/);
  });

  test('items beyond the size limit block the send', async () => {
    const email = await build();
    for (const title of ['One', 'Two', 'Three']) await addItem(email, { title, content: 'x'.repeat(90_000) });
    await change(email, { items_count: 20 });
    const content = 'x'.repeat(99_000);
    assert.equal(checkOf(await review(email), 'content_item')?.level, 'fine');
    for (const title of ['Four', 'Five', 'Six']) await addItem(email, { title, content });
    const found = checkOf(await review(email), 'content_item');
    assert.deepEqual([found?.level, found?.problems[0]?.code], ['block', 'items_too_large']);
    assert.match(found?.message ?? '', /the limit is 500 kB/);
    assert.ok((await preview(email)).body.problems.some(({ code }) => code === 'items_too_large'));
  });

  test('an item changed since its review starts no send', async () => {
    const email = await build();
    const transaction = <T>(work: Parameters<typeof inOrganization<T>>[2]) =>
      inOrganization(app.services.db, email.organizationId, work);
    const outbound = createOutboundClient([]);
    const reviewed = await channel.review!(email.touchpointId, {
      userId: email.person.userId,
      transaction,
      policies: mailboxPolicies,
      publicUrl: 'http://localhost',
      content: { secrets: app.services.secrets, outbound },
      kind: 'campaign',
      counts: 'recipients',
    });
    assert.equal(await transaction(reviewed.isCurrent), true);
    const item = `/content/${email.organizationId}/items/newsletters/${email.winter}`;
    await call(email, 'PATCH', item, { title: 'Not listed' });
    assert.equal(await transaction(reviewed.isCurrent), true);
    await addItem(email, { title: 'Newest' });
    assert.equal(await transaction(reviewed.isCurrent), false);
    await outbound.close();
  });

  test('a copy keeps collection and item where it can', async () => {
    const email = await build();
    const copyTo = async (campaign_id?: string) => {
      const path = `/touchpoints/${email.touchpointId}/duplicate`;
      const copy = await call<Touchpoint>(email, 'POST', path, {
        name: 'Copy',
        ...(campaign_id && { campaign_id }),
      });
      const { item_id, items_count } = await call<TouchpointEmail>(
        email,
        'GET',
        `/touchpoints/${copy.id}/email`,
      );
      return [copy.collection, item_id, items_count];
    };
    assert.deepEqual(await copyTo(), ['newsletters', email.spring, 3]);
    const { organizationId: organization_id } = email;
    const client = await call<{ id: string }>(email, 'POST', '/clients', { organization_id, name: 'Other' });
    const brand = await call<{ id: string }>(email, 'POST', '/brands', {
      organization_id,
      client_id: client.id,
      name: 'Other',
      tracking_policy: 'everyone',
    });
    const campaign = await call<{ id: string }>(email, 'POST', '/campaigns', {
      organization_id,
      brand_id: brand.id,
      name: 'Other',
    });
    assert.deepEqual(await copyTo(campaign.id), ['newsletters', email.spring, 3]);
    const own = await addCollection(email, 'Ours', { brand_id: email.brandId });
    await choose(email, own);
    await change(email, { item_id: await addItem(email, { title: 'Ours' }, own) });
    assert.deepEqual(await copyTo(campaign.id), [null, null, 0]);
  });
});
