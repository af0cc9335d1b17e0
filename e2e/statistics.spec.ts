import { prepareEmail, sendAtOnce } from './api.ts';
import { expect, test } from './fixtures.ts';

/** Where it is between one and two o'clock in the night. */
test.use({ timezoneId: zoneAtOne(new Date().getUTCHours()) });

function zoneAtOne(hourUtc: number): string {
  const hours = 1 - hourUtc < -12 ? 25 - hourUtc : 1 - hourUtc;
  // The signs of these zones are those of POSIX: east is negative.
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

test('statistics begin when the email was sent, and end now', async ({ page, api, organization }) => {
  const { touchpointId } = await prepareEmail(api, organization.id);
  await sendAtOnce(api, touchpointId);
  await page.goto(`/o/${organization.id}/touchpoints/${touchpointId}/statistics`);
  const chart = page.getByRole('region', { name: 'Over time' });
  await expect(chart.getByRole('radio', { name: 'First 48 hours' })).toBeChecked();
  await expect(chart.getByText(/^Minute \(\S+\)$/)).toBeVisible();

  await chart.getByText('Table', { exact: true }).click();
  const table = chart.getByRole('table');
  const rows = table.getByRole('row');
  await expect(table.getByRole('columnheader').first()).toHaveText(/^Minute \(\S+\)$/);
  await expect(rows.nth(1)).toContainText('3');
  // The minute of the send; another one may have begun.
  expect(await rows.count()).toBeLessThan(5);

  await chart.getByText('Today', { exact: true }).click();
  await expect(table.getByRole('columnheader').first()).toHaveText(/^Hour \(\S+\)$/);
  // Two hours have begun, no more than three by now.
  await expect(rows.nth(2)).toContainText('3');
  expect(await rows.count()).toBeLessThan(5);
});
