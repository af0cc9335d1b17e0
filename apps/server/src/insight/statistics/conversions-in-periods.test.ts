import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, suite, test } from 'node:test';
import type {
  CampaignFunnel,
  EmailChart,
  EmailStats,
  WebsiteConversions,
} from '@reachout/contract/statistics.ts';
import { newId } from '../../platform/ids.ts';
import { signInGuest } from '../../testing/actors.ts';
import { foldVisits } from '../../sample/events.ts';
import { useSharedApp } from '../../testing/app.ts';
import { insertRows } from '../../sample/rows.ts';
import { getRow } from '../../testing/rows.ts';
import { buildSentEmail } from '../../testing/sent-email.ts';
import { useWorld } from '../../testing/world.ts';

/** Between two days. The first message converts before and after it, the second one at it, the third one before it. */
const edge = '2026-03-02T00:00:00Z';
const conversions = [
  { seq: 1, at: '2026-03-01T23:59:59.999Z', value: 1 },
  { seq: 1, at: edge, value: 2 },
  { seq: 1, at: '2026-03-02T12:00:00Z', value: 4 },
  { seq: 2, at: edge, value: 8 },
  { seq: 3, at: '2026-03-01T00:00:00Z', value: 16 },
];
const days = { first: `2026-03-01T00:00:00Z::${edge}`, second: `${edge}::2026-03-03T00:00:00Z` };
const both = '2026-03-01T00:00:00Z::2026-03-03T00:00:00Z';

suite('conversions in periods', () => {
  const app = useSharedApp();
  const { organizationId, owner, websiteId: website } = useWorld(app);
  let email: string;

  before(async () => {
    const addresses = ['ada', 'ben', 'cleo'].map((name) => `${name}@example.org`);
    const { touchpointId, sendId: send_id } = await buildSentEmail(app.owner, { organizationId, addresses });
    email = touchpointId;
    const goal_id = newId();
    const of = { organization_id: organizationId, touchpoint_id: website, window_days: 7 };
    await insertRows(app.owner, 'conversion_goals', { ...of, id: goal_id, event: 'order' });
    await insertRows(
      app.owner,
      'conversions',
      conversions.map((each) => ({
        ...of,
        ...each,
        goal_id,
        event_id: randomUUID(),
        send_id,
        email_touchpoint_id: email,
      })),
    );
    await foldVisits(app.owner, { organizationId });
  });

  const ask = async <T>(path: string, query: Record<string, string>, as = owner): Promise<T> =>
    await as.ok<T>('GET', `${path}?${new URLSearchParams(query).toString()}`);
  const content = (name: string) => `/api/content/${organizationId}/reachout/${name}`;
  const ofEmail = (period?: string) =>
    ask<{ data: EmailStats; previous: EmailStats | null }>(content('touchpoint_emails/stats'), {
      touchpoint: email,
      ...(period !== undefined && { period }),
    });
  const ofWebsite = async (period: string, as = owner) =>
    (
      await ask<{ data: WebsiteConversions }>(
        content('touchpoint_websites/conversions'),
        { touchpoint: website, period },
        as,
      )
    ).data;
  const numbersOf = ({
    converted,
    conversions: count,
    conversion_value,
  }: Pick<EmailStats, 'converted' | 'conversions' | 'conversion_value'>) => [
    converted,
    count,
    conversion_value,
  ];

  test('a message converts in the period of its first conversion', async () => {
    assert.deepEqual(numbersOf((await ofEmail(days.first)).data), [2, 2, 17]);
    const second = await ofEmail(days.second);
    assert.deepEqual(numbersOf(second.data), [1, 3, 14]);
    assert.deepEqual(numbersOf(second.previous!), [2, 2, 17]);
    for (const period of [both, undefined])
      assert.deepEqual(numbersOf((await ofEmail(period)).data), [3, 5, 31]);

    const { data } = await ask<{ data: EmailChart }>(content('touchpoint_emails/stats_chart'), {
      touchpoint: email,
      period: both,
    });
    const converted = (isFirst: boolean) =>
      data.rows
        .filter(({ at }) => Date.parse(at) < Date.parse(edge) === isFirst)
        .reduce((sum, row) => sum + row.converted, 0);
    assert.deepEqual([converted(true), converted(false)], [2, 1]);
  });

  test('the funnel of a campaign counts converted messages once', async () => {
    const { campaign_id } = await getRow(app.owner, 'touchpoints', ['campaign_id'], { id: email });
    const { total, emails } = await ask<CampaignFunnel>(`/api/campaigns/${campaign_id}/funnel`, {});
    assert.deepEqual(numbersOf(total), [3, 5, 31]);
    assert.deepEqual(
      emails.map(({ touchpoint: { id } }) => id),
      [email],
    );
  });

  test('goals count conversions at their own time, also before', async () => {
    const { goals, emails } = await ofWebsite(days.second);
    assert.deepEqual(
      goals.map((goal) => [goal.conversions, goal.value, goal.attributed, goal.previous_conversions]),
      [[3, 14, 3, 2]],
    );
    assert.deepEqual(
      emails.map((row) => [row.touchpoint?.id, row.conversions, row.value]),
      [[email, 3, 14]],
    );
    const [before_] = (await ofWebsite(days.first)).goals;
    assert.deepEqual([before_!.conversions, before_!.value, before_!.previous_conversions], [2, 17, 0]);
  });

  test('emails of other clients have no name (TEN-7)', async () => {
    const { campaign_id } = await getRow(app.owner, 'touchpoints', ['campaign_id'], { id: website });
    const { brand_id } = await getRow(app.owner, 'campaigns', ['brand_id'], { id: campaign_id });
    const { client_id } = await getRow(app.owner, 'brands', ['client_id'], { id: brand_id });
    const guest = await signInGuest(app, organizationId, [client_id]);
    assert.deepEqual(
      (await ofWebsite(both, guest)).emails.map(({ touchpoint, ...row }) => [touchpoint, row.conversions]),
      [[null, 5]],
    );
  });
});
