import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Brand } from '@reachout/contract/clients.ts';
import { brandShades } from '@reachout/contract/rules/brand-colors.ts';
import type { EmailPreview, Review, TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { defaultMjml } from '../../../content/templates/starters.ts';
import { useSharedApp } from '../../../testing/app.ts';
import { buildReadyEmail } from '../../../testing/ready-email.ts';
import { updateRows } from '../../../testing/rows.ts';
import { useMade } from '../../../testing/use-made.ts';

const kit = {
  color: 'magenta',
  from_name: 'Nordwind News',
  from_email: 'news@nordwind.example',
  reply_to: 'hello@nordwind.example',
  postal_address: 'Nordwind GmbH\nHafenstraße 1\n20457 Hamburg',
  imprint: 'Geschäftsführerin: A. Example\nHRB 1234',
  imprint_url: 'https://nordwind.example/imprint',
} as const;

suite('brand kits', () => {
  const app = useSharedApp();
  const email = useMade(() => buildReadyEmail(app, { mjml: defaultMjml, contacts: 1 }));

  const get = async <T>(path: string) => await app.ok<T>('GET', path, { as: email.person });
  const change = async (changes: object) => {
    const path = `/api/brands/${email.brandId}`;
    return await app.ok<Brand>('PATCH', path, { body: changes, as: email.person });
  };
  const preview = async () =>
    await app.ok<EmailPreview>('POST', `/api/touchpoints/emails/preview/${email.touchpointId}`, {
      body: {},
      as: email.person,
    });
  const create = async () => {
    const { organizationId: organization_id, campaignId: campaign_id } = email;
    const body = await app.ok<{ id: string }>('POST', '/api/touchpoints', {
      body: { organization_id, campaign_id, name: 'Next', type: 'email' },
      as: email.person,
    });
    return await get<TouchpointEmail>(`/api/touchpoints/${body.id}/email`);
  };
  const verdicts = async () => {
    const { checks } = await get<Review>(`/api/touchpoints/${email.touchpointId}/review`);
    return checks
      .filter(({ check }) => check.startsWith('legal'))
      .map(({ check, level }) => `${check}: ${level}`);
  };

  test('a brand kit provides the sender of new emails', async () => {
    const earlier = await create();
    assert.deepEqual([earlier.from_name, earlier.from_email, earlier.reply_to], ['Nordwind', '', null]);
    await change(kit);
    const later = await create();
    assert.deepEqual(
      [later.from_name, later.from_email, later.reply_to],
      [kit.from_name, kit.from_email, kit.reply_to],
    );
    assert.deepEqual(await get(`/api/touchpoints/${earlier.touchpoint_id}/email`), earlier);
    await change({ from_name: '', name: 'Nord@wind' });
    assert.equal((await create()).from_name, 'Nord wind', 'a sender name cannot contain @');
  });

  test('the first template shows the brand kit', async () => {
    await change({ ...kit, name: 'Nordwind' });
    const { html, text, problems } = await preview();
    assert.ok(html.includes(brandShades.magenta.light.fill));
    assert.ok(html.includes('Nordwind GmbH · Hafenstraße 1 · 20457 Hamburg'));
    assert.ok(text.includes('Geschäftsführerin: A. Example · HRB 1234'));
    assert.ok(html.includes('https://nordwind.example/imprint'));
    assert.doesNotMatch(html, /\/l\//, 'without a logo the name');
    assert.deepEqual(problems, []);
    await updateRows(app.owner, 'brands', { id: email.brandId }, { logo_url: '/api/storage/logos/x/y.webp' });
    const shown = await preview();
    assert.ok(shown.html.includes(`src="${app.services.config.publicUrl}/l/${email.brandId}.png"`));
    assert.deepEqual(shown.problems, []);
  });

  test('the review requires complete legal details', async () => {
    await change({ postal_address: '', imprint: '', imprint_url: null });
    assert.deepEqual(await verdicts(), ['legal_details: warn']);
    await change({ postal_address: kit.postal_address });
    assert.deepEqual(await verdicts(), ['legal_details: warn']);
    await change({ imprint_url: kit.imprint_url });
    assert.deepEqual(await verdicts(), ['legal_details: fine', 'legal_notice: fine']);
    const path = `/api/touchpoints/${email.touchpointId}/email`;
    const mjml = defaultMjml.replaceAll('brand.postal_address', 'brand.name');
    await app.ok('PATCH', path, { body: { mjml }, as: email.person });
    assert.deepEqual(await verdicts(), ['legal_details: fine', 'legal_notice: warn']);
    const typed = mjml.replace('You receive', 'Nordwind GmbH, Hamburg. You receive');
    await app.request('PATCH', path, { body: { mjml: typed }, as: email.person });
    assert.deepEqual(await verdicts(), ['legal_details: fine', 'legal_notice: fine'], 'typed by hand');
    await app.request('PATCH', path, { body: { mjml: defaultMjml }, as: email.person });
  });

  test('brand kit values are shown as text (TPL-6)', async () => {
    const payload = '"><img src=x onerror=alert(1)><style>*{display:none}</style>{{ contact.email }}';
    await change({ name: payload, postal_address: payload, imprint: payload });
    const { html } = await preview();
    assert.doesNotMatch(html, /<img src=x|<style>\*/);
    assert.ok(html.includes('&lt;img src=x onerror=alert(1)&gt;'));
    assert.doesNotMatch(html, /user1@sink/, 'nor is it Liquid');
    const refused = async (changes: object) => {
      const path = `/api/brands/${email.brandId}`;
      const { status } = await app.request('PATCH', path, { body: changes, as: email.person });
      assert.equal(status, 422, JSON.stringify(changes));
    };
    await refused({ color: 'red;background:url(//x.example)' });
    await refused({ color: '#ff0000' });
    await refused({ imprint_url: 'javascript:alert(1)' });
    await refused({ imprint_url: 'data:text/html,x' });
    await refused({ from_name: 'ceo@bank.example' });
    await refused({ from_name: 'A\nBcc: b@x.example' });
    await refused({ reply_to: 'a@x.example, b@x.example' });
    await refused({ postal_address: 'a\u0000b' });
    await refused({ logo_url: 'https://foreign.example/logo.png' });
    await refused({ postal_address: 'x'.repeat(501) });
  });
});
