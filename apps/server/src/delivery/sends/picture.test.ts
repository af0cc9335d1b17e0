import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Send } from '@reachout/contract/sends.ts';
import { signInGuest } from '../../testing/actors.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { buildClient } from '../../sample/records.ts';
import { buildReadyEmail } from '../../testing/ready-email.ts';
import { getRow, updateRows } from '../../testing/rows.ts';

suite('pictures of emails and templates', () => {
  const app = useSharedApp();

  const ask = (id: string, as: Person) =>
    as.request<{ html: string | null }>('GET', `/api/touchpoints/${id}/picture`);
  const draw = async (id: string, as: Person) => {
    const { status, body } = await ask(id, as);
    assert.equal(status, 200, JSON.stringify(body));
    return body.html;
  };
  const write = (email: { touchpointId: string; person: Person }, text: string) =>
    email.person.request('PATCH', `/api/touchpoints/${email.touchpointId}/email`, { mjml: mjmlOf(text) });
  const mjmlOf = (text: string) =>
    `<mjml><mj-body><mj-section><mj-column><mj-text>${text} {{ contact.first_name }}</mj-text>
    <mj-text><a href="{{ links.unsubscribe }}">Unsubscribe</a></mj-text></mj-column></mj-section></mj-body></mjml>`;

  test('the picture of a sent email stays unchanged', async () => {
    const email = await buildReadyEmail(app, { mjml: mjmlOf('Spring') });
    const { touchpointId: id, person } = email;
    assert.match((await draw(id, person)) ?? '', /Spring/);
    await write(email, 'Summer');
    assert.match((await draw(id, person)) ?? '', /Summer/);

    const sent = await person.request<Send>('POST', `/api/touchpoints/${id}/sends`);
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    await updateRows(app.owner, 'touchpoint_emails', { touchpoint_id: id }, { mjml: mjmlOf('Autumn') });
    const html = (await draw(id, person)) ?? '';
    assert.match(html, /Summer/);
    for (const part of [/Person \d/, /\{\{/, /\/t\/[oc]\//]) assert.doesNotMatch(html, part);
  });

  test('the picture is visible to readers of the email', async () => {
    const email = await buildReadyEmail(app, { mjml: mjmlOf('Spring') });
    const { touchpointId: id, organizationId } = email;
    const { client_id } = await getRow(app.owner, 'brands', '*', { id: email.brandId });
    const elsewhere = await buildClient(app.owner, { organization_id: organizationId });
    const guest = await signInGuest(app, organizationId, [client_id]);
    const guestElsewhere = await signInGuest(app, organizationId, [elsewhere.id]);
    const stranger = (await buildReadyEmail(app)).person;
    assert.match((await draw(id, guest)) ?? '', /Spring/);
    for (const as of [guestElsewhere, stranger]) assert.equal((await ask(id, as)).status, 404);
    await email.person.request('POST', `/api/touchpoints/${id}/sends`);
    assert.match((await draw(id, guest)) ?? '', /Spring/);
    for (const as of [guestElsewhere, stranger]) assert.equal((await ask(id, as)).status, 404);
  });

  test('the picture of a template shows a brand', async () => {
    const { organizationId, templateId, brandId, person } = await buildReadyEmail(app);
    const template = `/api/content/${organizationId}/templates/${templateId}`;
    const mjml = mjmlOf('Spring of {{ brand.name }} {{ brand.color }}');
    await person.request('PATCH', template, { mjml });
    const path = `${template}/picture`;
    const drawTemplate = async (query = '', as = person) =>
      await as.request<{ html: string | null }>('GET', `${path}${query}`);
    const { status, body } = await drawTemplate();
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(body.html ?? '', /Spring of Brand #/);
    const ofBrand = (await drawTemplate(`?brand_id=${brandId}`)).body.html ?? '';
    assert.match(ofBrand, /Spring of Nordwind #/);
    for (const part of [/Person \d/, /\{\{/, /\/t\/[oc]\//]) assert.doesNotMatch(ofBrand, part);

    const { person: stranger, brandId: foreign } = await buildReadyEmail(app);
    assert.equal((await drawTemplate('', stranger)).status, 404);
    assert.equal((await drawTemplate(`?brand_id=${foreign}`)).status, 404);
    await person.request('PATCH', template, { mjml: mjmlOf('x'.repeat(210_000)) });
    assert.equal((await drawTemplate()).body.html, null);
  });

  test('emails without a body or too long have no picture', async () => {
    const long = await buildReadyEmail(app, { mjml: mjmlOf('x'.repeat(210_000)) });
    assert.equal(await draw(long.touchpointId, long.person), null);
    const body = await long.person.ok<{ id: string }>('POST', '/api/touchpoints', {
      organization_id: long.organizationId,
      campaign_id: long.campaignId,
      name: 'Bare',
      type: 'email',
    });
    assert.equal(await draw(body.id, long.person), null);
  });
});
