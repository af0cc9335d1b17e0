import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Campaign } from '@reachout/contract/campaigns.ts';
import type { Filter } from '@reachout/contract/filters.ts';
import { maxRecords } from '@reachout/contract/operation.ts';
import { starterLanguages, templateStarters, type Template } from '@reachout/contract/templates.ts';
import type { Review, Touchpoint, TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildBrand, buildCampaign, buildTouchpoint } from '../../sample/records.ts';
import { buildReadyEmail } from '../../testing/ready-email.ts';
import { fixtureMjml } from '../../testing/send-fixture.ts';
import { updateRows } from '../../testing/rows.ts';
import { useMade } from '../../testing/use-made.ts';
import { assertColumn } from '../../testing/assert-column.ts';

suite('copies and drafts', () => {
  const app = useSharedApp();
  const email = useMade(() => buildReadyEmail(app));
  const request = <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, of = email) =>
    of.person.request<T>(method, path, body);
  const read = async <T>(path: string): Promise<T> => {
    const { status, body } = await request<T>('GET', path);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const make = async <T>(path: string, body: object): Promise<T> => {
    const answer = await request<T>('POST', path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const contentOf = async (touchpointId: string) => {
    const {
      id: _id,
      touchpoint_id: _of,
      updated_at: _at,
      ...content
    } = await read<TouchpointEmail>(`/api/touchpoints/${touchpointId}/email`);
    return content;
  };

  test('an email copy has content and audience without results', async () => {
    const sent = await buildReadyEmail(app);
    await sent.person.request('POST', `/api/touchpoints/${sent.touchpointId}/sends`, {});
    const path = `/api/touchpoints/${sent.touchpointId}`;
    const copied = await request<Touchpoint>('POST', `${path}/duplicate`, { name: 'Copy of News' }, sent);
    assert.equal(copied.status, 200, JSON.stringify(copied.body));
    const { id, status, name, campaign_id } = copied.body;
    assert.deepEqual([status, name, campaign_id], ['draft', 'Copy of News', sent.campaignId]);
    const { body: sends } = await request<{ count: number }>(
      'GET',
      `/api/touchpoints/${id}/sends`,
      undefined,
      sent,
    );
    assert.equal(sends.count, 0);
    const [one, other] = await Promise.all(
      [sent.touchpointId, id].map(
        async (of) =>
          (await request<TouchpointEmail>('GET', `/api/touchpoints/${of}/email`, undefined, sent)).body,
      ),
    );
    assert.equal(other!.filter_id, sent.filterId);
    assert.deepEqual(
      { ...other, id: 0, touchpoint_id: 0, updated_at: 0 },
      {
        ...one,
        id: 0,
        touchpoint_id: 0,
        updated_at: 0,
      },
    );
    assertInvalid(await request('POST', `${path}/duplicate`, { name: '' }, sent), 'name');
    assertInvalid(await request('POST', `${path}/duplicate`, { name: 'x'.repeat(121) }, sent), 'name');
    // Neither by a member of another organization, nor into a campaign of one.
    assertProblem(await request('POST', `${path}/duplicate`, { name: 'Copy' }), 404, 'not_found');
    const into = { name: 'Copy', campaign_id: sent.campaignId };
    assertInvalid(
      await request('POST', `/api/touchpoints/${email.touchpointId}/duplicate`, into),
      'campaign_id',
    );
  });

  test('a copy for another brand omits sender and audience', async () => {
    const brand = await buildBrand(app.owner, { organization_id: email.organizationId, name: 'Südwind' });
    const campaign = await buildCampaign(app.owner, { brand_id: brand.id });
    const copy = await make<Touchpoint>(`/api/touchpoints/${email.touchpointId}/duplicate`, {
      name: 'For Südwind',
      campaign_id: campaign.id,
    });
    const { filter_id, from_name, from_email, template_id, mjml, subject } = await contentOf(copy.id);
    assert.deepEqual([filter_id, from_name, from_email], [null, 'Südwind', '']);
    assert.deepEqual([template_id, subject], [email.templateId, 'News for {{ contact.first_name }}']);
    assert.equal(mjml, fixtureMjml);
  });

  test('a campaign copy has at most 100 touchpoint drafts', async () => {
    const { id: campaign_id } = await buildCampaign(app.owner, { brand_id: email.brandId });
    for (const [type, status] of [
      ['email', 'sent'],
      ['website', 'active'],
      ['email', 'archived'],
    ] as const) {
      const { id } = await make<Touchpoint>('/api/touchpoints', {
        organization_id: email.organizationId,
        campaign_id,
        name: `${type} ${status}`,
        type,
      });
      await updateRows(app.owner, 'touchpoints', { id }, { status });
    }
    const path = `/api/campaigns/${campaign_id}/duplicate`;
    const copy = await make<Campaign>(path, { name: 'Copy of Spring' });
    assert.deepEqual([copy.name, copy.status, copy.brand_id], ['Copy of Spring', 'draft', email.brandId]);
    const list = `/api/touchpoints?organization_id=${email.organizationId}&campaign_id=${copy.id}`;
    const { items } = await read<{ items: Touchpoint[] }>(list);
    assert.deepEqual(items.map(({ name, type, status }) => [name, type, status].join()).toSorted(), [
      'email sent,email,draft',
      'website active,website,draft',
    ]);
    assertProblem(await request('POST', path, {}, await buildReadyEmail(app)), 404, 'not_found');
    for (let count = 3; count <= maxRecords; count += 1) await buildTouchpoint(app.owner, { campaign_id });
    assertProblem(await request('POST', path, { name: 'Too many' }), 409, 'too_many_records');
  });

  test('copies of audiences and templates have numbered names', async () => {
    const filter = `/api/filters/${email.filterId}/duplicate`;
    const copies = [];
    for (let count = 0; count < 3; count += 1)
      copies.push(await make<Filter>(filter, { name: 'Copy of Everybody' }));
    assertColumn(copies, 'name', ['Copy of Everybody', 'Copy of Everybody 2', 'Copy of Everybody 3']);
    const original = await read<Filter>(`/api/filters/${email.filterId}`);
    assert.deepEqual(
      [copies[0]!.rule, copies[0]!.field_mapping, copies[0]!.is_active],
      [original.rule, original.field_mapping, true],
    );
    const longest = 'x'.repeat(120);
    assert.equal((await make<Filter>(filter, { name: longest })).name, longest);
    assert.equal((await make<Filter>(filter, { name: longest })).name, `${'x'.repeat(118)} 2`);

    const templates = `/api/content/${email.organizationId}/templates`;
    const template = `${templates}/${email.templateId}/duplicate`;
    const titles = [];
    for (let count = 0; count < 2; count += 1)
      titles.push((await make<Template>(template, { title: 'Copy of Spring' })).title);
    assert.deepEqual(titles, ['Copy of Spring', 'Copy of Spring 2']);
    const other = await buildReadyEmail(app);
    const body = { name: 'Copy', title: 'Copy' };
    assertProblem(await request('POST', filter, { name: body.name }, other), 404, 'not_found');
    const foreign = `/api/content/${other.organizationId}/templates/${email.templateId}/duplicate`;
    assertProblem(await request('POST', foreign, { title: body.title }, other), 404, 'not_found');
  });

  test('every starter renders without problems in both languages', async () => {
    const path = `/api/content/${email.organizationId}/templates`;
    const titles = [];
    for (const language of starterLanguages)
      for (const starter of templateStarters) {
        const { mjml, title } = await make<Template>(path, {
          organization_id: email.organizationId,
          title: 'Start',
          starter,
          language,
        });
        titles.push(title);
        const preview = await make<{ html: string; problems: unknown[] }>(`${path}/preview`, {
          mjml,
          contact_id: 'contact-000001',
        });
        assert.deepEqual(preview.problems, [], `${starter} ${language}`);
        assert.match(preview.html, language === 'en' ? /Unsubscribe/ : /Abmelden/);
      }
    assert.deepEqual(titles.slice(0, 3), ['Start', 'Start 2', 'Start 3']);
  });

  test('an outdated version cannot overwrite an email', async () => {
    const path = `/api/touchpoints/${email.touchpointId}/email`;
    const { updated_at } = await read<TouchpointEmail>(path);
    const first = await request<TouchpointEmail>('PATCH', path, {
      subject: 'Mine',
      if_updated_at: updated_at,
    });
    assert.equal(first.status, 200);
    const late = { subject: 'Late', if_updated_at: updated_at };
    assertProblem(await request('PATCH', path, late), 409, 'changed_elsewhere');
    assert.equal((await contentOf(email.touchpointId)).subject, 'Mine');
    const next = { subject: 'Next', if_updated_at: first.body.updated_at };
    assert.equal((await request('PATCH', path, next)).status, 200);
    assert.equal((await request('PATCH', path, { subject: 'Without' })).status, 200);
  });

  test('the review requires a test of the current email', async () => {
    const fresh = await buildReadyEmail(app);
    const review = async () => {
      const { body } = await request<Review>(
        'GET',
        `/api/touchpoints/${fresh.touchpointId}/review`,
        undefined,
        fresh,
      );
      return { ...body, level: body.checks.find(({ check }) => check === 'test')?.level };
    };
    const untested = await review();
    assert.deepEqual(untested.audience, { id: fresh.filterId, name: 'Everybody' });
    assert.deepEqual([untested.test, untested.level], [null, 'warn']);
    const toMe = { to: fresh.person.email };
    const sendTest = () => request('POST', `/api/touchpoints/emails/${fresh.touchpointId}/test`, toMe, fresh);
    assert.equal((await sendTest()).status, 202);
    const tested = await review();
    assert.deepEqual([tested.test?.is_current, tested.level], [true, 'fine']);
    for (const change of [{ subject: 'Changed' }, { mjml: `${fixtureMjml} ` }]) {
      const path = `/api/touchpoints/${fresh.touchpointId}/email`;
      assert.equal((await request('PATCH', path, change, fresh)).status, 200);
      const changed = await review();
      assert.deepEqual([changed.test?.is_current, changed.level], [false, 'warn']);
      assert.equal((await sendTest()).status, 202);
      assert.equal((await review()).level, 'fine');
    }
    // A test is recommended, but not required; the audience, however, must be the confirmed one.
    const start = (body: object) =>
      request('POST', `/api/touchpoints/${fresh.touchpointId}/sends`, body, fresh);
    const another = await request<Filter>(
      'POST',
      `/api/filters/${fresh.filterId}/duplicate`,
      { name: 'Copy' },
      fresh,
    );
    assertProblem(await start({ expected_filter_id: another.body.id }), 409, 'changed_elsewhere');
    assert.equal((await start({ expected_filter_id: fresh.filterId })).status, 201);
  });
});
