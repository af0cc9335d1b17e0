import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { TemplateProblem } from '@reachout/contract/templates.ts';
import type { EmailPreview } from '@reachout/contract/touchpoints.ts';
import { demoMjml } from '../../operations/demo/demo-mjml.ts';
import { brandKeys } from '../../operations/demo/story/story.ts';
import { stories } from '../../operations/demo/demo.ts';
import { compileEmail } from '../../email/templates/compile-email.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { updateRows } from '../../testing/rows.ts';
import { fixtureContent, fixtureMjml } from '../../testing/send-fixture.ts';
import { defaultMjml } from '../../content/templates/starters.ts';

interface Preview {
  html: string;
  text: string;
  problems: TemplateProblem[];
}

suite('previews', () => {
  const app = useSharedApp();
  let email: ReadyEmail;
  let foreign: ReadyEmail;

  before(async () => {
    email = await buildReadyEmail(app);
    foreign = await buildReadyEmail(app);
    await setContact(foreign, 'contact-000001', { first_name: 'Secret Neighbour' });
  });

  const setContact = async (of: ReadyEmail, id: string, data: Record<string, unknown>) => {
    await updateRows(
      app.owner,
      'content_items',
      { organization_id: of.organizationId, id },
      { data: JSON.stringify({ email: 'ada@sink.example', ...data }) },
    );
  };
  const preview = (body: object) =>
    email.person.request<Preview>('POST', `/api/content/${email.organizationId}/templates/preview`, {
      mjml: fixtureMjml,
      ...body,
    });
  const previewEmail = (body: object) =>
    email.person.request<EmailPreview>('POST', `/api/touchpoints/emails/preview/${email.touchpointId}`, body);

  const demoTemplates = Object.values(stories).flatMap((story) =>
    brandKeys.map((brand): [name: string, mjml: string] => [
      `${brand} (${story.language})`,
      demoMjml(story, brand, story.brands[brand].topics[0]!, 'http://localhost:3000'),
    ]),
  );
  for (const [name, mjml] of [['starter', defaultMjml] as const, ...demoTemplates]) {
    test(`the ${name} template renders and compiles without problems`, async () => {
      const { status, body } = await preview({ mjml, contact_id: 'contact-000001' });
      assert.equal(status, 200);
      assert.deepEqual(body.problems, []);
      assert.match(body.html, /Person 1/);
      const names = { id: 'x', name: 'Nordwind' };
      const compiled = await compileEmail(
        { ...fixtureContent, mjml },
        { client: names, brand: names, campaign: names, touchpoint: names, item: {} },
        'tests',
      );
      assert.ok(compiled.ok, JSON.stringify(compiled));
      assert.deepEqual(compiled.warnings, []);
      assert.match(compiled.snapshot.html, /href="\{\{ ?links\.unsubscribe ?\}\}"/);
      assert.match(compiled.snapshot.text, /links\.unsubscribe/);
    });
  }

  test('a contact key that cannot be stored is rejected (INP-2)', async () => {
    assertInvalid(await preview({ contact_id: '\0' }), 'contact_id');
    assertInvalid(await previewEmail({ collectionItemId: 'a\0b' }), 'collectionItemId');
  });

  test('problems of a preview name their line', async () => {
    const lines = fixtureMjml.split('\n');
    const broken: [string, string, number][] = [
      ['an unknown element', lines.with(2, '<mj-nonsense />').join('\n'), 3],
      ['Liquid that is not closed', lines.with(1, '<mj-text>{% if contact.vip %}</mj-text>').join('\n'), 2],
      ['an unknown filter', lines.with(1, '<mj-text>{{ contact.x | nonsense }}</mj-text>').join('\n'), 2],
    ];
    for (const [what, mjml, line] of broken) {
      const { status, body } = await preview({ mjml });
      assert.equal(status, 200, what);
      assert.ok(
        body.problems.some((problem) => problem.line === line && problem.message !== ''),
        `${what}: ${JSON.stringify(body.problems)}`,
      );
    }
    const without = await preview({
      mjml: fixtureMjml.replace('{{ links.unsubscribe }}', 'https://a.example'),
    });
    assert.deepEqual(
      without.body.problems.filter(({ severity }) => severity === 'error').map(({ code }) => code),
      ['unsubscribe_link_missing'],
    );
  });

  test('a preview shows contacts of its organization as text (TPL-7)', async () => {
    const evil = `<script>alert(1)</script><img src=x onerror="alert(1)">' " &`;
    await setContact(email, 'contact-000002', { first_name: evil, last_name: '{{ brand.name }}{% raw %}' });
    for (const response of [
      await preview({ contact_id: 'contact-000002' }),
      await previewEmail({ collectionItemId: 'contact-000002' }),
    ]) {
      assert.equal(response.status, 200);
      assert.match(
        response.body.html,
        /Hello &lt;script&gt;alert\(1\)&lt;\/script&gt;&lt;img src=x onerror=/,
      );
      assert.doesNotMatch(response.body.html, /<script|<img src=x/);
      assert.match(response.body.html, /\{\{ brand\.name \}\}\{% raw %\}/);
      assert.match(response.body.text, /<script>alert\(1\)<\/script>/);
    }
    const { body } = await previewEmail({ collectionItemId: 'contact-000002' });
    assert.equal(body.subject, `News for ${evil}`);

    await setContact(foreign, 'contact-foreign', { first_name: 'Secret Neighbour' });
    await updateRows(
      app.owner,
      'content_items',
      { organization_id: foreign.organizationId, id: 'contact-000001' },
      { id: 'contact-foreign' },
    );
    const [theirs, unknown] = [
      await preview({ contact_id: 'contact-foreign' }),
      await preview({ contact_id: 'contact-unknown' }),
    ];
    assert.deepEqual(theirs.body, unknown.body);
    assert.doesNotMatch(JSON.stringify(theirs.body), /Secret/);
    assertInvalid(await previewEmail({ collectionItemId: 'contact-foreign' }), 'collectionItemId');
    assertInvalid(await previewEmail({ collectionItemId: 'contact-unknown' }), 'collectionItemId');
  });

  test('a preview knows every variable of a message', async () => {
    const mjml = fixtureMjml.replace(
      'Hello',
      '[{{ organization.name }}|{{ client.name }}|{{ brand.name }}|{{ campaign.name }}|{{ touchpoint.name }}]',
    );
    await email.person.ok('PATCH', `/api/touchpoints/${email.touchpointId}/email`, { mjml });
    const { body } = await previewEmail({ collectionItemId: 'contact-000001' });
    assert.match(body.html, /\[Agency\|Nordwind Outdoor\|Nordwind\|Spring\|Newsletter\]/);
    assert.ok(body.problems.every(({ message }) => !message.includes('organization')));
    assert.doesNotMatch((await preview({ mjml })).body.html, /\[\|/);
  });

  test('a template preview shows the given brand', async () => {
    const mjml = fixtureMjml.replace('Hello', '[{{ client.name }}|{{ brand.name }}|{{ brand.color }}]');
    await updateRows(app.owner, 'brands', { id: email.brandId }, { color: 'olive' });
    const { body } = await preview({ mjml, brand_id: email.brandId, contact_id: 'contact-000001' });
    assert.match(body.html, /\[Nordwind Outdoor\|Nordwind\|#596101\]/);
    assert.match((await preview({ mjml })).body.html, /\[Client\|Brand\|#/);
    assertProblem(await preview({ mjml, brand_id: foreign.brandId }), 404, 'not_found');
  });

  test('a preview requires a body within the limits', async () => {
    assertInvalid(await preview({ mjml: 'x'.repeat(1_000_001) }), 'mjml');
    assertInvalid(await preview({ subject: 'x'.repeat(301) }), 'subject');
    const bare = await buildReadyEmail(app);
    await bare.person.request('PATCH', `/api/touchpoints/${bare.touchpointId}/email`, { mjml: '' });
    assertProblem(
      await bare.person.request('POST', `/api/touchpoints/emails/preview/${bare.touchpointId}`, {}),
      409,
      'body_missing',
    );
  });
});
