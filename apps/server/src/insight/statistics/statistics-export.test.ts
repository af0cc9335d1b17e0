import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { exportedTables } from '@reachout/contract/rules/statistics-tables.ts';
import { hasSessions, websiteDimensions } from '@reachout/contract/states/website.ts';
import type { EmailChart } from '@reachout/contract/statistics.ts';
import { storeEvents } from '../../events/store-events.ts';
import { newId } from '../../platform/ids.ts';
import { foldAll } from '../../testing/fold.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildTouchpoint } from '../../sample/records.ts';
import { createOrganization } from '../../testing/create-organization.ts';
import { buildOpen } from '../../testing/events.ts';
import { buildSentEmail } from '../../testing/sent-email.ts';
import { insertRows } from '../../sample/rows.ts';
import { getRow, listRows } from '../../testing/rows.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';
import { buildVisit, foldVisits, storeVisits } from '../../sample/events.ts';

suite('statistics as files', () => {
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
    );
    await foldAll(app.owner);
    const period = `${at(0).toISOString()}::${at(48).toISOString()}`;
    const query = new URLSearchParams({ period, time_zone: 'Europe/Berlin' }).toString();
    const path = `/api/touchpoints/${touchpointId}/statistics/export?${query}`;
    const { status, body, headers } = await analyst.request<string>('GET', path);
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(String(headers['content-type']), /^text\/csv/);
    const [heading, ...rows] = body
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    assert.deepEqual(heading, ['\u{feff}at', 'clicked', 'opened', 'converted']);

    const chartPath = `/api/content/${organizationId}/reachout/touchpoint_emails/stats_chart?touchpoint=${touchpointId}&${query}`;
    const chart = (await analyst.ok<{ data: EmailChart }>('GET', chartPath)).data;
    assert.deepEqual(
      rows.map(([time]) => time),
      chart.rows.map((row) => row.at),
    );
    assert.deepEqual(rows.at(-1)?.slice(1), ['1', '2', '0']);
    const opened = rows.map((row) => Number(row[2]));
    assert.deepEqual(
      opened,
      opened.toSorted((one, other) => one - other),
    );

    const entries = await listRows(app.owner, 'audit_log', ['action', 'record_id', 'user_id'], {
      organization_id: organizationId,
      action: 'statistics.exportTable',
    });
    assert.deepEqual(entries, [
      { action: 'statistics.exportTable', record_id: touchpointId, user_id: analyst.userId },
    ]);

    // Without sign-in, elsewhere, without permission, and with bad input.
    assertProblem(await app.request('GET', path), 401, 'not_signed_in');
    assertProblem(await app.request('GET', path, { as: await app.signIn() }), 404, 'not_found');
    const rules = ['Organization', 'Campaign', 'Touchpoint'].map((subject) => ({ action: 'read', subject }));
    const reader = await signInWithRules(app, organizationId, rules);
    assertProblem(await reader.request('GET', path), 403, 'forbidden');
    const bare = `/api/touchpoints/${touchpointId}/statistics/export`;
    assertProblem(await analyst.request('GET', `${bare}?period=soon`), 422, 'invalid_period');
    assertInvalid(await analyst.request('GET', `${bare}?table=goals`), 'table');
    assertInvalid(await analyst.request('GET', `${bare}?table=links&period=7day`), 'period');
    for (const table of exportedTables.email)
      assert.equal((await analyst.request('GET', `${bare}?table=${table}`)).status, 200, table);
    const funnel = await analyst.request<string>('GET', `${bare}?table=funnel`);
    assert.match(funnel.body, /^\u{feff}delivered,not_measured,clicked,visited,.*\r\n3,0,1,0,0,0,0\r\n$/u);
  });

  test('tables of websites have all of their rows, without formulas', async () => {
    const owner = await app.signIn();
    const organizationId = await createOrganization(app, owner);
    const website = await buildTouchpoint(app.owner, { organization_id: organizationId, type: 'website' });
    const { organizationId: _, touchpointId: email } = await buildSentEmail(app.owner, { organizationId });
    const at = { organizationId, touchpointId: website.id };
    const visitorId = randomUUID();
    const visit = (given: object) => buildVisit(at, { visitorId, ...given });
    await storeVisits(app.owner, [
      ...Array.from({ length: 30 }, (_each, page) => visit({ path: `/${page}` })),
      visit({ path: '/0' }),
      visit({ type: 'TRACK', name: '=1+1' }),
    ]);
    const goal_id = newId();
    const of = { organization_id: organizationId, touchpoint_id: website.id, window_days: 7 };
    await insertRows(app.owner, 'conversion_goals', { ...of, id: goal_id, event: '=1+1' });
    const converted = { ...of, goal_id, at: new Date().toISOString(), value: 2.5, event_id: randomUUID() };
    await insertRows(app.owner, 'conversions', {
      ...converted,
      send_id: newId(),
      seq: 1,
      email_touchpoint_id: email,
    });
    await foldVisits(app.owner, { organizationId });
    const read = async (table: string) => {
      const path = `/api/touchpoints/${website.id}/statistics/export?table=${table}&period=2day`;
      return (await owner.ok<string>('GET', path))
        .slice(1, -2)
        .split('\r\n')
        .map((line) => line.split(','));
    };
    const [pages, ...views] = await read('path');
    assert.deepEqual(pages, ['value', 'is_other', 'count', 'previous_count']);
    assert.equal(views.length, 30);
    assert.deepEqual(views[0], ['/0', 'false', '2', '0']);
    assert.deepEqual((await read('event'))[1], ["'=1+1", 'false', '1', '0']);
    assert.deepEqual((await read('goals'))[1], ["'=1+1", '1', '1', '2.5', '1', '0']);
    const { name } = await getRow(app.owner, 'touchpoints', ['name'], { id: email });
    assert.deepEqual((await read('emails'))[1], [email, name, '1', '1', '2.5']);
    const [columns, ...days] = await read('chart');
    assert.deepEqual(columns, ['at', 'page_views', 'sessions', 'events', 'conversions']);
    assert.deepEqual(days.at(-1)?.slice(1), ['31', '1', '1', '1']);
    for (const dimension of websiteDimensions.filter(hasSessions))
      assert.deepEqual((await read(dimension))[1], ['', 'false', '31', '1', '0'], dimension);
  });
});
