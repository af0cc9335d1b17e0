import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ContentChanges } from '@reachout/contract/schedules.ts';
import type { Send, SendReceipt } from '@reachout/contract/sends.ts';
import type { Topic } from '@reachout/contract/topics.ts';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { useSharedApp } from '../../../testing/app.ts';
import { buildReadyEmail } from '../../../testing/ready-email.ts';
import { assertColumn } from '../../../testing/assert-column.ts';

suite('topic of an email', () => {
  const app = useSharedApp();

  test('review, receipt and changes name the topic of an email', async () => {
    const { person: owner, brandId, touchpointId } = await buildReadyEmail(app);
    const request = async <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
      await app.ok<T>(method, path, { as: owner, ...(body && { body }) });
    const topicOf = (name: string, is_default: boolean) =>
      request<Topic>('POST', `/api/brands/${brandId}/topics`, { name, is_default });
    const choose = (topic_id: string | null) =>
      request('PATCH', `/api/touchpoints/${touchpointId}/email`, { topic_id });
    const review = () => request<Review>('GET', `/api/touchpoints/${touchpointId}/review`);
    const trips = await topicOf('Trips', false);
    const offers = await topicOf('Offers', true);

    const before = (await review()).audience_breakdown!;
    await choose(trips.id);
    const chosen = await review();
    assert.deepEqual(chosen.topic, { id: trips.id, name: 'Trips' });
    assert.equal(chosen.audience_breakdown?.excluded.not_subscribed, before.will_receive);
    await choose(offers.id);
    assert.equal((await review()).audience_breakdown?.will_receive, before.will_receive);

    await request('POST', `/api/touchpoints/${touchpointId}/schedules`, {
      start_date: new Date(Date.now() + 86_400_000).toISOString(),
      time_zone: 'Europe/Berlin',
    });
    const { items } = await request<{ items: Send[] }>('GET', `/api/touchpoints/${touchpointId}/sends`);
    assert.equal((await request<SendReceipt>('GET', `/api/sends/${items[0]!.id}/receipt`)).topic, 'Offers');
    await choose(null);
    const { changes } = await request<ContentChanges>('GET', `/api/touchpoints/${touchpointId}/changes`);
    assertColumn(changes, 'field', ['topic']);
  });
});
