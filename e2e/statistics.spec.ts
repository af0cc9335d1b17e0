import { gzipSync } from 'node:zlib';
import { prepareEmail, sendAtOnce } from './api.ts';
import { foldMessages, runSql } from './database.ts';
import { expect, test } from './fixtures.ts';
import { chartTotals, tile } from './steps.ts';

test('the chart adds up opens and clicks since the send', async ({ page, api, organization, server }) => {
  const { touchpointId } = await prepareEmail(api, organization.id);
  const sendId = await sendAtOnce(api, touchpointId);
  const isOlder = (by: string) =>
    runSql(
      server.databaseUrl,
      `update touchpoint_sends set send_date = send_date - $2::interval where id = $1`,
      [sendId, by],
    );
  const path = `/o/${organization.id}/touchpoints/${touchpointId}/statistics`;
  await page.goto(path);
  const chart = page.getByRole('region', { name: 'Over time' });
  await expect(page.getByText(/^Sent .*First opens usually arrive within 15 minutes\.$/)).toBeVisible();
  await expect(chart).toContainText('3 delivered since');
  await expect(tile(page, 'Delivered').locator('dd').first()).toHaveText('3');
  await expect(page.getByText('No opens yet')).toBeVisible();
  // Nothing is drawn of nothing.
  await expect(chart).toContainText('The curve begins with the first opens and clicks.');
  await expect(chart.getByRole('radio')).toHaveCount(0);

  const { items } = await api.get<{ items: { id: string }[] }>(
    `/mailbox?organization_id=${organization.id}&send_id=${sendId}`,
  );
  for (const { id } of items.slice(0, 2)) {
    const message = await api.get<{ pixel_url: string }>(`/mailbox/${id}`);
    await page.request.get(message.pixel_url, { headers: { 'user-agent': phone } });
  }
  await foldMessages(server.databaseUrl);
  await isOlder('10 minutes');
  await page.goto(path);
  await expect.poll(() => chartTotals(page)).toEqual({ Opened: 2 });
  const table = chart.getByRole('table');
  await expect(table.getByRole('columnheader').first()).toHaveText(/^Minute \(\S+\)$/);
  // The first two days are all there is.
  await expect(page.getByRole('option', { name: 'First 48 hours' })).toHaveCount(0);

  await isOlder('30 days');
  await page.goto(path);
  await expect.poll(() => chartTotals(page)).toEqual({ Opened: 2 });
  await expect(table.getByRole('columnheader').first()).toHaveText(/^Day \(\S+\)$/);
  await page.getByLabel('Period', { exact: true }).selectOption('First 48 hours');
  await expect(chart.getByText('The curve begins with the first opens and clicks.')).toBeVisible();
});

test('the statistics page does not shift while it loads', async ({ page, api, organization }) => {
  const { touchpointId } = await prepareEmail(api, organization.id);
  await sendAtOnce(api, touchpointId);
  await page.addInitScript(`
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shifts += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  for (const width of [1440, 390]) {
    // Some parts come after the others.
    const shown = Promise.withResolvers<void>();
    await page.route(/\/touchpoint_emails\/(links|comparison)\?/, async (route) => {
      await shown.promise;
      await route.continue();
    });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/o/${organization.id}/touchpoints/${touchpointId}/statistics`);
    await expect(page.locator('main [aria-busy=true]').first()).toBeVisible();
    shown.resolve();
    await expect(page.locator('iframe[title^="The email with"]')).toBeAttached();
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
    expect(await page.evaluate('window.shifts'), `${width} px`).toBeLessThan(0.02);
  }
});

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';

test('results are shown by link, provider, device and previous email', async ({
  page,
  api,
  organization,
  server,
}) => {
  const mjml = `<mjml><mj-body><mj-section><mj-column>
    <mj-text>Hello {{ contact.first_name }}</mj-text>
    <mj-button href="https://shop.example/offer">Read the offer</mj-button>
    <mj-text><a href="https://shop.example/about">About us</a> <a href="{{ links.unsubscribe }}">Unsubscribe</a></mj-text>
  </mj-column></mj-section></mj-body></mjml>`;
  const first = await prepareEmail(api, organization.id, { mjml, subject: 'Winter sale' });
  await sendAtOnce(api, first.touchpointId);
  const next = await api.post<{ id: string }>(`/touchpoints/${first.touchpointId}/duplicate`, {
    name: 'Nordwind extra',
  });
  await api.patch(`/touchpoints/${next.id}/email`, { subject: 'Spring sale' });
  const send_id = await sendAtOnce(api, next.id);
  const { items } = await api.get<{ items: { id: string }[] }>(
    `/mailbox?organization_id=${organization.id}&send_id=${send_id}`,
  );
  const follow = async (message: number, text: string, userAgent: string) => {
    const { links } = await api.get<{ links: { text: string; url: string }[] }>(
      `/mailbox/${items[message]!.id}`,
    );
    const url = links.find((link) => link.text.includes(text))!.url;
    await page.request.get(url, { maxRedirects: 0, headers: { 'user-agent': userAgent } });
  };
  await follow(0, 'offer', phone);
  await follow(0, 'offer', phone);
  await follow(1, 'offer', phone);
  await follow(1, 'About', phone);
  await follow(2, 'About', 'Googlebot/2.1');
  await foldMessages(server.databaseUrl);

  await page.goto(`/o/${organization.id}/touchpoints/${next.id}/statistics`);
  const links = page.getByRole('region', { name: 'Clicks by link' });
  const rows = links.getByRole('table').locator('tbody').getByRole('row');
  await expect(rows).toHaveText([
    /^1https:\/\/shop\.example\/offer.*66\.7%230$/,
    /^2https:\/\/shop\.example\/about.*33\.3%111$/,
  ]);
  const drawn = page.frameLocator('iframe[title^="The email with"]');
  await expect(drawn.locator('a', { hasText: 'Read the offer' })).toContainText('1 · 66.7%');
  await expect(drawn.locator('a', { hasText: 'About us' })).toContainText('2 · 33.3%');
  await expect(drawn.locator('a', { hasText: 'Unsubscribe' })).toHaveText('Unsubscribe');
  await expect(drawn.getByText(/^Hello\s*$/)).toBeVisible();

  const bodyOf = (name: string) => page.getByRole('region', { name }).getByRole('table').locator('tbody');
  await expect(bodyOf('By mail provider').getByRole('row')).toHaveText([/^Other3100\.0%66\.7%/]);
  await expect(bodyOf('By device').getByRole('row')).toHaveText([/^Phone100% \(2\)/]);
  const compared = page.getByRole('table', { name: 'Compared with the last email' });
  await expect(page.getByText('The last email of this campaign.')).toBeVisible();
  await expect(compared.getByRole('row', { name: 'Subject' })).toHaveText('SubjectSpring saleWinter sale');
  await expect(compared.getByRole('row', { name: 'Clicked' })).toHaveText(
    'Clicked66.7% (2)0.0% (0)Too few to compare',
  );
  // A phone shows everything: both values of a row side by side, the change below.
  await page.setViewportSize({ width: 390, height: 844 });
  const cells = compared.getByRole('row', { name: 'Clicked' }).getByRole('cell');
  await expect
    .poll(async () => {
      // Measures all at once, since content above may load later.
      const [current, previous, change] = await cells.evaluateAll((all) =>
        all.map((cell) => cell.getBoundingClientRect().toJSON() as Record<'top' | 'right', number>),
      );
      return {
        fits: previous!.right <= 390,
        isBeside: previous!.top === current!.top,
        isBelow: change!.top > current!.top,
      };
    })
    .toEqual({ fits: true, isBeside: true, isBelow: true });
  // The tables need no horizontal scrolling.
  for (const name of ['Clicks by link as a table', 'By mail provider', 'Recent events']) {
    const shown = page.getByLabel(name, { exact: true }).getByRole('table').locator('th, td');
    await expect(shown.first()).toBeVisible();
    const end = () =>
      shown.evaluateAll((all) =>
        Math.max(...all.map((cell) => (cell.getBoundingClientRect().toJSON() as { right: number }).right)),
      );
    await expect.poll(end, { message: name }).toBeLessThanOrEqual(390);
  }
  // By keyboard: the chart above may still grow at this width and move the link.
  await compared.getByRole('link', { name: 'Nordwind news' }).press('Enter');
  await expect(page).toHaveURL(new RegExp(`${first.touchpointId}/statistics$`));
  await expect(page.getByText('This is the first email of its brand')).toBeVisible();
});

test('the map of clicks is loaded in view, and its table stays without it', async ({
  page,
  api,
  organization,
  server,
}) => {
  const { touchpointId } = await prepareEmail(api, organization.id);
  const send_id = await sendAtOnce(api, touchpointId);
  const { items } = await api.get<{ items: { id: string }[] }>(
    `/mailbox?organization_id=${organization.id}&send_id=${send_id}`,
  );
  for (const { id } of items) {
    const { links } = await api.get<{ links: { url: string }[] }>(`/mailbox/${id}`);
    const url = links.find((link) => link.url.includes('/t/c/'))!.url;
    await page.request.get(url, { maxRedirects: 0, headers: { 'user-agent': phone } });
  }
  await foldMessages(server.databaseUrl);
  // All of them came from this machine.
  await runSql(
    server.databaseUrl,
    `update events set country = case seq when 1 then 'DE' when 2 then 'GP' end where send_id = $1`,
    [send_id],
  );

  const file = '/geojson-file.json';
  const requested: string[] = [];
  page.on('request', (request) => void requested.push(new URL(request.url()).pathname));
  const path = `/o/${organization.id}/touchpoints/${touchpointId}/statistics`;
  const panel = page.getByRole('region', { name: 'Clicks by country', exact: true });
  const rows = panel.getByRole('table').locator('tbody').getByRole('row');
  const map = panel.getByRole('img', { name: /^Clicks by country/ });
  const open = async () => {
    await page.goto(path);
    await expect(rows).toHaveText(['Germany133.3%', 'Guadeloupe133.3%', 'Unknown133.3%']);
  };
  await page.setViewportSize({ width: 1440, height: 500 });
  await open();
  // All else is loaded. The page asks again and again, so that on a busy machine its network is never idle.
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  expect(requested).not.toContain(file);
  const before = requested.length;
  await panel.scrollIntoViewIfNeeded();
  await expect(map).toBeVisible();
  await expect(panel).toContainText(
    'Unknown: 1 message clicked. Not on the map: Guadeloupe. Outlines: Natural Earth',
  );
  const loaded = requested.slice(before).filter((name) => name === file || name.endsWith('.js'));
  expect(loaded).toContain(file);
  for (const name of loaded) {
    const response = await page.request.get(name);
    expect(gzipSync(await response.body()).length, name).toBeLessThan(150_000);
  }
  // Either highlights the other.
  await rows.first().focus();
  await expect(panel).toContainText('Germany 1 message clicked');
  await map.locator('path[fill^="var(--level"]').first().hover();
  await expect(rows.first()).toHaveAttribute('data-active', 'true');

  await page.route(`**${file}`, (route) => route.fulfill({ json: { type: 'Topology', arcs: [] } }));
  await open();
  await panel.scrollIntoViewIfNeeded();
  await expect(panel.getByRole('alert')).toContainText('Invalid topology definition');
  await expect(rows).toHaveCount(3);

  await page.route(`**${file}`, (route) => route.fulfill({ status: 404 }));
  await open();
  await panel.scrollIntoViewIfNeeded();
  await expect(panel.getByRole('alert')).toContainText('The map could');
  await page.unroute(`**${file}`);
  await panel.getByRole('button', { name: 'Try again' }).click();
  await expect(map).toBeVisible();
});
