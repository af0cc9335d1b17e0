import { prepareEmail, sendAtOnce, type Api } from './api.ts';
import { deferAll, extendWaitingTime, runSql } from './database.ts';
import { expect, test } from './fixtures.ts';
import { goTo, mainNavigation } from './steps.ts';

/** Simulates a send to many recipients, with results in the last four weeks and the four before. */
const addHistory = (databaseUrl: string, sendId: string): Promise<void> =>
  runSql(
    databaseUrl,
    `with send as (select * from touchpoint_sends where id = $1), days as (
      select n, date_bin('15 minutes', now() - n * interval '1 day', 'epoch') as at from generate_series(1, 56) n
    ), results as (
      insert into delivery_result_totals (organization_id, touchpoint_id, at, send_id, state, class, count)
      select organization_id, touchpoint_id, at, id, 'sent', '', case when n < 28 then 400 + n % 7 * 90 else 300 end
      from send, days
    )
    select add_to_counts(array_agg(row(organization_id, touchpoint_id, id, type, 'unique', at, count + n % 5 * 9, null)::count_delta))
    from send, days, (values ('OPEN_EMAIL', 130), ('CLICK', 31), ('UNSUBSCRIBE', 1)) kinds(type, count)`,
    [sendId],
  );

async function shown(api: Api, organizationId: string) {
  const { total } = await api.get<{ total: { delivered: number } }>(
    `/dashboard/results?organization_id=${organizationId}&period=7day&time_zone=Europe/Berlin`,
  );
  return new Intl.NumberFormat('en').format(total.delivered);
}

test('the dashboard shows metrics, running sends and required actions', async ({
  page,
  api,
  organization,
  server,
}) => {
  const first = await prepareEmail(api, organization.id);
  const home = `/o/${organization.id}`;
  const main = page.getByRole('main');
  const results = main.getByRole('region', { name: 'Results', exact: true });

  // Before the first send, the page shows the checklist.
  await goTo(page, home);
  await expect(main.getByText('Get ready to send')).toBeVisible();
  await expect(results).toBeHidden();

  await addHistory(server.databaseUrl, await sendAtOnce(api, first.touchpointId));
  // Too long for a message to Ada.
  const subject = `News {% if contact.first_name == 'Ada' %}{% for i in (1..200) %}and news {% endfor %}{% endif %}`;
  const second = await prepareEmail(api, organization.id, { contacts: [], brand: 'Lighthouse', subject });
  const short = await sendAtOnce(api, second.touchpointId);
  const third = await prepareEmail(api, organization.id, { contacts: [], brand: 'Harbor' });
  const { id: running } = await api.post<{ id: string }>(`/touchpoints/${third.touchpointId}/sends`, {});
  await deferAll(server.databaseUrl, running, ['ada@contacts.example', 'grace@contacts.example']);

  await goTo(page, home);
  const sending = main.getByRole('region', { name: 'Sending' });
  await expect(sending.getByRole('link', { name: 'Harbor news' })).toBeVisible();
  await expect(sending.getByText('0 of 2 processed')).toBeVisible();
  await expect(main.getByText('Get ready to send')).toBeHidden();

  // The period is in the URL; the numbers are those of the server for a week.
  await results.getByText('7 days', { exact: true }).click();
  await expect(page).toHaveURL(/period=7day/);
  const delivered = results.getByRole('definition').first();
  await expect(delivered).toHaveText(await shown(api, organization.id));
  await expect(results.getByText(/^As of \d/)).toBeVisible();
  // Each number opens the emails that it consists of, in its order.
  await delivered.getByRole('link').click();
  await expect(page).toHaveURL(/\/results\?.*period=7day/);
  await expect(main.getByText(`Delivered: ${await shown(api, organization.id)} ·`)).toBeVisible();
  const emails = main.getByRole('table', { name: 'Results by email' });
  await expect(emails.getByRole('columnheader', { name: 'Delivered' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await emails.getByRole('link', { name: 'Nordwind news' }).click();
  await expect(page).toHaveURL(new RegExp(`/touchpoints/${first.touchpointId}/statistics$`));
  await goTo(page, `${home}?period=7day`);
  await expect(results.getByRole('radio', { name: '7 days' })).toBeChecked();
  await expect(main.getByRole('row', { name: /Nordwind Outdoor/ })).toBeVisible();

  await sending.getByRole('button', { name: 'Pause: Harbor news' }).click();
  await expect(sending.getByText('Paused at 0 of 2')).toBeVisible();

  const attention = main.getByRole('region', { name: 'Needs attention' });
  await attention.getByRole('link', { name: 'Lighthouse news: 1 message failed' }).click();
  await expect(page).toHaveURL(new RegExp(`/sends/${short}\\?.*state=failed`));

  await mainNavigation(page)
    .getByRole('link', { name: /^Setup: \d of 6 done$/ })
    .click();
  await expect(main.getByText('Get ready to send')).toBeVisible();
});

test('on a phone the results follow within two screens', async ({ page, api, organization, server }) => {
  const { touchpointId } = await prepareEmail(api, organization.id);
  const names = ['One', 'Two', 'Three', 'Four', 'Five'];
  const copies = await Promise.all(
    names.map((name) => api.post<{ id: string }>(`/touchpoints/${touchpointId}/duplicate`, { name })),
  );
  await sendAtOnce(api, touchpointId);
  for (const { id } of copies) {
    const send = await api.post<{ id: string }>(`/touchpoints/${id}/sends`, {});
    await extendWaitingTime(server.databaseUrl, send.id);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await goTo(page, `/o/${organization.id}`);
  const open = page.getByRole('region', { name: 'Scheduled' });
  await expect(open.getByRole('listitem')).toHaveCount(2);
  // What has not started has no progress.
  await expect(open.getByRole('progressbar')).toHaveCount(0);
  const results = page.getByRole('region', { name: 'Results', exact: true });
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  await expect.poll(async () => (await results.boundingBox())?.y).toBeLessThan(2 * 844);
  await open.getByRole('button', { name: 'Show 3 more' }).click();
  await expect(open.getByRole('listitem')).toHaveCount(5);
});

test('a failing dashboard card leaves the layout unchanged', async ({ page, api, organization }) => {
  const { touchpointId } = await prepareEmail(api, organization.id);
  await sendAtOnce(api, touchpointId);
  await page.addInitScript(`
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shifts += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  const main = page.getByRole('main');
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await goTo(page, `/o/${organization.id}`);
    await expect(main.getByRole('region', { name: 'Results', exact: true })).toContainText('Delivered');
    await expect(main.getByRole('region', { name: 'Recent sends' })).toContainText('Sent');
    expect(await page.evaluate('window.shifts'), `${width} px`).toBeLessThan(0.02);
  }

  // Fails the request for all parts, and the one for the results.
  await page.route(/\/api\/(start|dashboard(\/results)?)\?/, (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' }),
  );
  await page.reload();
  await expect(main.getByText('The results could not be loaded')).toBeVisible();
  await expect(main.getByRole('region', { name: 'Recent sends' })).toContainText('Sent');
});
