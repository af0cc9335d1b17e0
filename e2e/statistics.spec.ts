import { prepareEmail, sendAtOnce } from './api.ts';
import { runSql } from './database.ts';
import { expect, test } from './fixtures.ts';
import { chartTotals } from './steps.ts';

/** Uses a time zone in which it is between one and two o'clock at night. */
test.use({ timezoneId: zoneAtOne(new Date().getUTCHours()) });

function zoneAtOne(hourUtc: number): string {
  const hours = 1 - hourUtc < -12 ? 25 - hourUtc : 1 - hourUtc;
  // These zones use POSIX signs: east is negative.
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

test('the statistics period starts with the send and ends now', async ({
  page,
  api,
  organization,
  server,
}) => {
  const { touchpointId } = await prepareEmail(api, organization.id);
  const sendId = await sendAtOnce(api, touchpointId);
  await page.goto(`/o/${organization.id}/touchpoints/${touchpointId}/statistics`);
  const chart = page.getByRole('region', { name: 'Over time' });
  await expect(chart.getByRole('radio', { name: 'First 48 hours' })).toBeChecked();
  await expect(chart.getByText(/^Minute \(\S+\)$/)).toBeVisible();
  await expect(page.getByText(/^Sent .*First opens usually arrive within 15 minutes\.$/)).toBeVisible();

  await chart.getByText('Table', { exact: true }).click();
  const table = chart.getByRole('table');
  const rows = table.getByRole('row');
  await expect(table.getByRole('columnheader').first()).toHaveText(/^Minute \(\S+\)$/);
  // One or two minutes may have passed between the start of the send and its last message.
  await expect.poll(() => chartTotals(page)).toMatchObject({ Delivered: 3 });
  // Only the minutes since the send, including those that have begun meanwhile.
  await expect.poll(async () => await rows.count()).toBeLessThan(5);

  await chart.getByText('Today', { exact: true }).click();
  await expect(table.getByRole('columnheader').first()).toHaveText(/^Hour \(\S+\)$/);
  // Two hours have begun, at most three by now.
  await expect.poll(async () => await rows.count()).toBeLessThan(5);
  await expect.poll(async () => await rows.count()).toBeGreaterThan(2);
  await expect.poll(() => chartTotals(page)).toMatchObject({ Delivered: 3 });

  // A month later, the last seven days are empty.
  await runSql(
    server.databaseUrl,
    `update touchpoint_sends set send_date = send_date - interval '30 days' where id = $1`,
    [sendId],
  );
  await page.goto(`/o/${organization.id}/touchpoints/${touchpointId}/statistics`);
  await expect(chart.getByRole('radio', { name: 'First 48 hours' })).toBeChecked();
  await expect(page.getByText(/^Sent .*Opens appear here as they arrive\.$/)).toBeVisible();
});

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';

test('results are shown by link, provider, device and previous email', async ({
  page,
  api,
  organization,
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
  await expect(bodyOf('By mail provider').getByRole('row')).toHaveText([/^Other3100%66\.7%/]);
  await expect(bodyOf('By device').getByRole('row')).toHaveText([/^Phone100% \(2\)/]);
  const compared = page.getByRole('table', { name: 'Compared with the last email' });
  await expect(page.getByText('The last email of this campaign.')).toBeVisible();
  await expect(compared.getByRole('row', { name: 'Subject' })).toHaveText('SubjectSpring saleWinter sale');
  await expect(compared.getByRole('row', { name: 'Clicked' })).toHaveText(
    'Clicked66.7% (2)0% (0)Too few to compare',
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
    const ends = await shown.evaluateAll((all) =>
      all.map((cell) => (cell.getBoundingClientRect().toJSON() as { right: number }).right),
    );
    expect(Math.max(...ends), name).toBeLessThanOrEqual(390);
  }
  // By keyboard: the chart above may still grow at this width and move the link.
  await compared.getByRole('link', { name: 'Nordwind news' }).press('Enter');
  await expect(page).toHaveURL(new RegExp(`${first.touchpointId}/statistics$`));
  await expect(page.getByText('This is the first email of its brand')).toBeVisible();
});
