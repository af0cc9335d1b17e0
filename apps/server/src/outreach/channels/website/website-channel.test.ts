import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Campaign, CampaignTouchpoints } from '@reachout/contract/campaigns.ts';
import type { TemplateProblem } from '@reachout/contract/templates.ts';
import type { Review, Touchpoint } from '@reachout/contract/touchpoints.ts';
import { useSharedApp, type Person } from '../../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../../testing/assert-problem.ts';
import { buildReadyEmail } from '../../../testing/ready-email.ts';
import { listRows } from '../../../testing/rows.ts';
import { fixtureMjml } from '../../../testing/send-fixture.ts';
import { buildWebsite } from '../../../testing/tracked-website.ts';
import { useMade } from '../../../testing/use-made.ts';

suite('website touchpoints', () => {
  const app = useSharedApp();
  const email = useMade(() => buildReadyEmail(app));
  const editor = useMade(() => app.signInMember(email.organizationId, 'editor'));

  const post = (body: object = {}, as: Person = editor) =>
    as.request<Touchpoint>('POST', '/api/touchpoints', {
      organization_id: email.organizationId,
      campaign_id: email.campaignId,
      name: 'Shop',
      type: 'website',
      ...body,
    });
  const patch = (id: string, body: object, as: Person = editor) =>
    as.request<Touchpoint>('PATCH', `/api/touchpoints/${id}`, body);

  test('a website touchpoint has the life cycle of touchpoints', async () => {
    const { status, body: created } = await post();
    assert.equal(status, 200);
    assert.equal(`${created.type}, ${created.status}`, 'website, draft');
    const kept = await listRows(app.owner, 'touchpoint_websites', ['organization_id'], {
      touchpoint_id: created.id,
    });
    assert.deepEqual(kept, [{ organization_id: email.organizationId }]);

    const { id } = created;
    const path = `/api/touchpoints/${id}`;
    assert.equal((await patch(id, { name: 'Store' })).body.name, 'Store');
    assert.equal((await patch(id, { status: 'archived' })).body.status, 'archived');
    assert.equal((await patch(id, { status: 'draft' })).body.status, 'draft');
    await editor.ok('DELETE', path);
    assertProblem(await editor.request('GET', path), 404, 'not_found');
    assert.equal((await editor.ok<Touchpoint>('POST', `${path}/restore`)).name, 'Store');
  });

  test('website touchpoints are listed beside emails', async () => {
    const { body: website } = await post({ name: 'Listed' });
    const organization = `organization_id=${email.organizationId}`;
    const get = async <T>(path: string) => await editor.ok<T>('GET', path);
    const { items } = await get<{ items: CampaignTouchpoints[] }>(
      `/api/campaigns_touchpoints?${organization}&touchpoint_type=website&search=listed`,
    );
    assert.deepEqual(
      items.map(({ campaign_id, touchpoints }) => [
        campaign_id,
        touchpoints.map(({ touchpoint_id, touchpoint_type }) => [touchpoint_id, touchpoint_type]),
      ]),
      [[email.campaignId, [[website.id, 'website']]]],
    );
    const ofBrand = await get<{ items: Touchpoint[] }>(
      `/api/touchpoints?${organization}&brand_id=${email.brandId}`,
    );
    assert.ok(ofBrand.items.some(({ id }) => id === website.id));
    const recent = await get<Touchpoint[]>(`/api/touchpoints/recent?${organization}`);
    assert.ok(recent.some(({ id }) => id === website.id));
    const campaign = await get<Campaign>(`/api/campaigns/${email.campaignId}`);
    assert.ok(campaign.touchpoint_count >= 2);
  });

  test('a website touchpoint has no email and cannot be sent', async () => {
    const { body: website } = await post();
    const path = `/api/touchpoints/${website.id}`;
    const statistics = `/api/content/${email.organizationId}/reachout/touchpoint_emails`;
    for (const [method, url, body] of [
      ['GET', `${path}/email`, undefined],
      ['PATCH', `${path}/email`, { subject: 'x' }],
      ['PATCH', `${path}/email`, { template_id: email.templateId, filter_id: email.filterId }],
      ['GET', `${path}/review`, undefined],
      ['POST', `/api/touchpoints/emails/preview/${website.id}`, {}],
      ['GET', `${statistics}/stats?touchpoint=${website.id}`, undefined],
      ['GET', `${statistics}/stats_chart?touchpoint=${website.id}`, undefined],
      ['GET', `${statistics}/links?touchpoint=${website.id}`, undefined],
      ['GET', `${statistics}/events?touchpoint=${website.id}`, undefined],
    ] as const)
      assertProblem(await email.person.request(method, url, body), 404, 'not_found');
    for (const body of [{}, { immediately: true }]) {
      const refused = await email.person.request('POST', `${path}/sends`, body);
      assertProblem(refused, 409, 'invalid_transition');
    }
    const sends = await editor.request<{ count: number }>('GET', `${path}/sends`);
    assert.equal(sends.body.count, 0);
    assert.equal((await editor.ok<Touchpoint>('GET', path)).status, 'draft');
    assertInvalid(await patch(website.id, { status: 'scheduled' }), 'status');
    assertInvalid(await patch(website.id, { type: 'email' }), 'type');
  });

  test('the review says which links to a website get no token', async () => {
    const { organizationId, touchpointId } = email;
    await buildWebsite(app.owner, { organization_id: organizationId, hosts: ['shop.example'] });
    const links = [
      '<a href="https://shop.example/?sig=plain">x</a>',
      '<a href="https://shop.example/?sig={{ contact.email }}">x</a>',
      '<a href="https://{{ contact.first_name }}.example/?sig=x">x</a>',
      '<a href="https://elsewhere.example/?sig=x">x</a>',
      '<a href="https://shop.example/?sig=marked" rel="as-written">x</a>',
      '<a href="https://elsewhere.example/once" rel="as-written">x</a>',
      '<a href="https://shop.example/">x</a>',
    ];
    const mjml = fixtureMjml.replace('<mj-button', `<mj-text>\n${links.join('\n')}</mj-text><mj-button`);
    const path = `/api/touchpoints/${touchpointId}`;
    await editor.ok('PATCH', `${path}/email`, { mjml });
    const { checks, links_as_written } = await editor.ok<Review>('GET', `${path}/review`);
    const body = checks.find(({ check }) => check === 'body')!;
    const signed = [4, 5, 6].map((line) => `link_signed ${line}`);
    const told = (problems: TemplateProblem[]) => problems.map(({ code, line }) => `${code} ${line}`);
    assert.deepEqual(told(body.problems), signed);
    assert.equal(links_as_written, 5);
    const { level, message } = checks.find(({ check }) => check === 'as_written')!;
    assert.deepEqual([level, message], ['note', 'Left as written: 5 links.']);
    const preview = await editor.ok<{ problems: TemplateProblem[] }>(
      'POST',
      `/api/touchpoints/emails/preview/${touchpointId}`,
      {},
    );
    assert.deepEqual(
      told(preview.problems).filter((problem) => problem.startsWith('link_signed')),
      signed,
    );
  });
});
