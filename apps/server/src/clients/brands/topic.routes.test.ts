import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { maxTopics, type Topic } from '@reachout/contract/topics.ts';
import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { updateRows } from '../../testing/rows.ts';
import { useWorld } from '../../testing/world.ts';
import { buildBrand, buildCampaign, buildClient, buildSend, buildTouchpoint } from '../../sample/records.ts';

suite('topics', () => {
  const app = useSharedApp();
  const { organizationId, brandId, campaignId, owner, branch } = useWorld(app);
  const { brandId: otherBrandId } = branch('Südwind');

  const create = (name: string, fields: object = {}, brand = brandId) =>
    owner.request<Topic>('POST', `/api/brands/${brand}/topics`, { name, is_default: true, ...fields });
  const change = (id: string, body: object) => owner.request<Topic>('PATCH', `/api/topics/${id}`, body);
  const remove = (id: string) => owner.request('DELETE', `/api/topics/${id}`);
  const namesOf = async (brand: string) => {
    const body = await owner.ok<{ items: Topic[] }>('GET', `/api/brands/${brand}/topics`);
    assert.deepEqual(
      body.items.map(({ position }) => position),
      body.items.map((_, index) => index + 1),
    );
    return body.items.map(({ name }) => name).join(' ');
  };
  const buildEmail = (fields: object = {}) =>
    buildTouchpoint(app.owner, { campaign_id: campaignId, ...fields });
  const choose = (touchpointId: string, topicId: string | null) =>
    owner.request<TouchpointEmail>('PATCH', `/api/touchpoints/${touchpointId}/email`, { topic_id: topicId });

  test('topics keep the order that a member gives them', async () => {
    const brand = (
      await buildBrand(app.owner, {
        client_id: (await buildClient(app.owner, { organization_id: organizationId })).id,
      })
    ).id;
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) ids.push((await create(name, {}, brand)).body.id);
    assert.equal(await namesOf(brand), 'a b c d');
    await change(ids[3]!, { position: 2 });
    assert.equal(await namesOf(brand), 'a d b c');
    await change(ids[0]!, { position: 4 });
    assert.equal(await namesOf(brand), 'd b c a');
    await change(ids[0]!, { position: 20, name: 'z' });
    assert.equal(await namesOf(brand), 'd b c z');
    assert.equal((await remove(ids[1]!)).status, 200);
    assert.equal(await namesOf(brand), 'd c z');
  });

  test('a brand has at most 20 topics, each with its own name', async () => {
    for (let number = 1; number <= maxTopics; number += 1)
      assert.equal((await create(`Topic ${number}`, {}, otherBrandId)).status, 200);
    assertProblem(await create('One more', {}, otherBrandId), 409, 'too_many_records');
    const { body } = await create('News');
    assertProblem(await create('NEWS'), 409, 'name_taken');
    const { body: other } = await create('Offers');
    assertProblem(await change(other.id, { name: 'news' }), 409, 'name_taken');
    assert.equal((await change(body.id, { name: 'news' })).status, 200);
  });

  test('an email and its copy have a topic of their brand', async () => {
    const { body: topic } = await create('Events', { is_default: false });
    const foreign = await owner.ok<{ items: Topic[] }>('GET', `/api/brands/${otherBrandId}/topics`);
    const email = await buildEmail();
    assertProblem(await choose(email.id, foreign.items[0]!.id), 422, 'invalid_input');
    assert.equal((await choose(email.id, topic.id)).body.topic_id, topic.id);
    const copyTo = async (campaign: string) => {
      const copy = await owner.request<{ id: string }>('POST', `/api/touchpoints/${email.id}/duplicate`, {
        name: 'Copy',
        campaign_id: campaign,
      });
      return (await owner.ok<TouchpointEmail>('GET', `/api/touchpoints/${copy.body.id}/email`)).topic_id;
    };
    assert.equal(await copyTo(campaignId), topic.id);
    assert.equal(await copyTo((await buildCampaign(app.owner, { brand_id: otherBrandId })).id), null);
    const created = await owner.request<{ id: string }>('POST', '/api/rpc/create_touchpoint', {
      organization_id: organizationId,
      campaign_id: campaignId,
      name: 'New',
      type: 'email',
      email: { topic_id: topic.id },
    });
    assertProblem(await remove(topic.id), 409, 'topic_in_use');
    const { body: now } = await change(topic.id, { description: 'Where we are' });
    assert.deepEqual([now.used_count, now.subscribed_count, now.declined_count], [3, 0, 0]);
    await choose(created.body.id, null);
    assert.equal((await change(topic.id, { position: 1 })).body.used_count, 2);
  });

  test('no topic is deleted while an email in the trash or an open send has it', async () => {
    const { body: topic } = await create('Trash');
    const email = await buildEmail();
    await choose(email.id, topic.id);
    const send = await buildSend(app.owner, {
      touchpoint_id: email.id,
      topic_id: topic.id,
      status: 'sending',
    });
    await app.owner.updateTable('touchpoints').set({ deleted: true }).where('id', '=', email.id).execute();
    assertProblem(await remove(topic.id), 409, 'topic_in_use');
    await updateRows(app.owner, 'touchpoint_emails', { touchpoint_id: email.id }, { topic_id: null });
    assertProblem(await remove(topic.id), 409, 'topic_in_use');
    await updateRows(app.owner, 'touchpoint_sends', { id: send.id }, { status: 'completed' });
    assert.equal((await remove(topic.id)).status, 200);
    assertProblem(await change(topic.id, { name: 'Gone' }), 404, 'not_found');
  });
});
