import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { EmailChart } from '@reachout/contract/statistics.ts';
import { noListeners } from '../../events/listeners.ts';
import { storeEvents } from '../../events/store-events.ts';
import { newId } from '../../platform/ids.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildOpen } from '../../testing/events.ts';
import { buildSentEmail } from '../../testing/sent-email.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';

suite('charts as files', () => {
  const app = useSharedApp();

  test('the exported chart has the numbers of its table', async () => {
    const addresses = ['ada', 'ben', 'cleo'].map((name) => `${name}@example.org`);
    const sent = await buildSentEmail(app.owner, { addresses });
    const { organizationId, touchpointId } = sent;
    const analyst = await app.signInMember(organizationId, 'analyst');
    const start = Date.now() - 3 * 3_600_000;
    const at = (hours: number) => new Date(start + hours * 3_600_000);
    await storeEvents(
      app.services.trackingPipelined,
      [
        { seq: 1, at: at(0.1) },
        { seq: 2, at: at(1.5) },
        { seq: 1, at: at(2.1), type: 'CLICK' as const, linkNo: 0 },
        { seq: 3, at: at(2.2), isBot: true },
      ].map((event) => ({ ...buildOpen(sent), ...event, id: newId() })),
      noListeners,
    );
    const period = `${at(0).toISOString()}::${at(48).toISOString()}`;
    const query = new URLSearchParams({ period, time_zone: 'Europe/Berlin' }).toString();
    const path = `/api/touchpoints/${touchpointId}/statistics/export?${query}`;
    const { status, body, headers } = await app.request<string>('GET', path, { as: analyst });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(String(headers['content-type']), /^text\/csv/);
    const [heading, ...rows] = body
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    assert.deepEqual(heading, ['\u{feff}at', 'clicked', 'opened']);

    const chartPath = `/api/content/${organizationId}/reachout/touchpoint_emails/stats_chart?touchpoint=${touchpointId}&${query}`;
    const chart = (await app.request<{ data: EmailChart }>('GET', chartPath, { as: analyst })).body.data;
    assert.deepEqual(
      rows.map(([time]) => time),
      chart.rows.map((row) => row.at),
    );
    assert.deepEqual(rows.at(-1)?.slice(1), ['1', '2']);
    const opened = rows.map((row) => Number(row[2]));
    assert.deepEqual(
      opened,
      opened.toSorted((one, other) => one - other),
    );

    const entries = await app.owner
      .selectFrom('audit_log')
      .select(['action', 'record_id', 'user_id'])
      .where('organization_id', '=', organizationId)
      .where('action', '=', 'statistics.exportChart')
      .execute();
    assert.deepEqual(entries, [
      { action: 'statistics.exportChart', record_id: touchpointId, user_id: analyst.userId },
    ]);

    // Without sign-in, elsewhere, without permission, and with bad input.
    assertProblem(await app.request('GET', path), 401, 'not_signed_in');
    assertProblem(await app.request('GET', path, { as: await app.signIn() }), 404, 'not_found');
    const rules = ['Organization', 'Campaign', 'Touchpoint'].map((subject) => ({ action: 'read', subject }));
    const reader = await signInWithRules(app, organizationId, rules);
    assertProblem(await app.request('GET', path, { as: reader }), 403, 'forbidden');
    const bare = `/api/touchpoints/${touchpointId}/statistics/export`;
    assertInvalid(await app.request('GET', bare, { as: analyst }), 'period');
    assertProblem(await app.request('GET', `${bare}?period=soon`, { as: analyst }), 422, 'invalid_period');
  });
});
