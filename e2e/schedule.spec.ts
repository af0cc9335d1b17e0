import { prepareEmail } from './api.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { runSql } from './database.ts';
import { expect, test } from './fixtures.ts';
import { goTo } from './steps.ts';

/** Today in the zone of the browser: `2027-03-09`. */
const today = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: 'Europe/Berlin' }).format();

/** A day of the calendar, in which one of the days may have 25 hours. */
const dayAhead = (days: number): string =>
  new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);

const longDay = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(day));

const shortDay = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));

test('an email is scheduled in another time zone, moved in the calendar, held and sent', async ({
  page,
  api,
  organization,
  server,
}) => {
  const email = await prepareEmail(api, organization.id);
  const workspace = `/o/${organization.id}/touchpoints/${email.touchpointId}`;
  const main = page.getByRole('main');
  await goTo(page, `${workspace}/email`);
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Schedule for 3 recipients of Nordwind?');

  // A time that has passed is rejected at its field.
  await dialog.getByLabel('Date', { exact: true }).fill(dayAhead(-1));
  await expect(dialog.getByText('This time has passed. Choose a later one.')).toBeVisible();
  const confirm = dialog.getByRole('button', { name: 'Schedule for 3 recipients' });
  await expect(confirm).toBeDisabled();

  // The search knows countries, in both languages. London is an hour behind Berlin all year.
  await dialog.getByLabel('Time zone').first().click();
  await dialog.getByLabel('Time zone').first().fill('Vereinigtes Königreich');
  await page.getByRole('option', { name: /London/ }).click();
  await dialog.getByLabel('Date', { exact: true }).fill(dayAhead(3));
  await dialog.getByLabel('Time', { exact: true }).fill('09:00');
  await expect(dialog.getByRole('status')).toContainText(/9:00 AM London · 10:00 AM your time \(Berlin\)/);
  // Messages can be spread, and start in each contact's own zone.
  await dialog.getByText('Delivery options').click();
  await dialog.getByRole('combobox', { name: 'Spread over' }).click();
  await page.getByRole('option', { name: '2 hours' }).click();
  await dialog.getByLabel('At this local time in each contact’s time zone').check();
  await expect(dialog.getByText(/^First message .* last /)).toBeVisible();
  await expect(dialog.getByText('3 recipients have no time zone.')).toBeVisible();
  await dialog.getByLabel('At this local time in each contact’s time zone').uncheck();
  expect(await findAccessibilityFaults(page, false)).toEqual([]);
  await confirm.click();

  // Far ahead: a date in both zones, and no countdown.
  await expect(main.getByText('Starts in 3 days').first()).toBeVisible();
  await expect(main.getByText(/9:00 AM London · 10:00 AM your time \(Berlin\)/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel send' })).toHaveCount(0);
  const sendId = page.url().split('/').at(-1)!;

  // The dashboard lists it, and leads to the calendar.
  await goTo(page, `/o/${organization.id}`);
  const scheduled = main.getByRole('region', { name: 'Scheduled' });
  await expect(scheduled).toContainText(/9:00 AM London/);
  await scheduled.getByRole('link', { name: 'Calendar' }).click();
  const calendar = main.getByRole('table', { name: 'Calendar' });
  await goTo(page, `/o/${organization.id}/calendar?view=week&date=${dayAhead(3)}`);
  const cell = (day: string) => calendar.getByRole('cell', { name: longDay(day) });
  await expect(cell(dayAhead(3)).getByRole('link', { name: /Nordwind news/ })).toBeVisible();
  expect(await findAccessibilityFaults(page, false)).toEqual([]);

  // Dragged to another day of that week, it keeps its local time.
  const week = await calendar.locator('td').count();
  expect(week).toBe(7);
  const isFirst = (await calendar.locator('td').first().textContent())?.startsWith(longDay(dayAhead(3)));
  const target = dayAhead(isFirst === true ? 4 : 2);
  const entry = cell(dayAhead(3)).getByRole('link', { name: /Nordwind news/ });
  await entry.hover();
  await page.mouse.down();
  const box = (await cell(target).boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 8 });
  await page.mouse.up();
  await expect(page.getByText(/^Moved to .*9:00 AM London/)).toBeVisible();
  await expect(cell(target).getByRole('link', { name: /Nordwind news/ })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cell(dayAhead(3)).getByRole('link', { name: /Nordwind news/ })).toBeVisible();

  // The same by keyboard.
  await calendar.getByRole('button', { name: 'More actions for Nordwind news' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Move to…' }).click();
  await dialog.getByLabel('Time', { exact: true }).fill('10:30');
  await dialog.getByRole('button', { name: 'Change time' }).click();
  await expect(page.getByText(/^Moved to .*10:30 AM London/)).toBeVisible();

  // A mistake is corrected: what was confirmed is sent until the change is confirmed, too.
  await goTo(page, `${workspace}/email`);
  await expect(main.getByText(/^Scheduled: .*10:30 AM London/)).toBeVisible();
  await main.getByLabel('Subject', { exact: true }).fill('Corrected news');
  await expect(main.getByText('Changed since it was confirmed.')).toBeVisible();
  await page.getByRole('link', { name: 'Receipt' }).click();
  await main.getByRole('link', { name: 'See and confirm the changes' }).click();
  await page.getByRole('button', { name: 'Confirm changes' }).click();
  await expect(dialog.getByText('Corrected news').last()).toBeVisible();
  await expect(dialog.getByText('The email keeps its time.')).toBeVisible();
  expect(await findAccessibilityFaults(page, false)).toEqual([]);
  await dialog.getByRole('button', { name: 'Confirm changes' }).click();
  await expect(page.getByText('Confirmed. The email is sent with these changes.')).toBeVisible();
  await expect(main.getByText('Corrected news').first()).toBeVisible();

  // Held, and its time passes: nothing is sent before a member decides.
  await goTo(page, `${workspace}/sends/${sendId}`);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(main.getByText('On hold: nothing is sent until you decide').first()).toBeVisible();
  await runSql(
    server.databaseUrl,
    `update touchpoint_sends set send_date = now() - interval '1 hour', occurrence_at = now() - interval '1 hour' where id = $1`,
    [sendId],
  );
  await page.reload();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByText(/^Starts in \d+ seconds?$/)).toBeVisible();
  await page.getByRole('button', { name: 'Unschedule' }).click();
  await expect(
    page.getByText('Unscheduled. The email is a draft again; nothing will be sent.'),
  ).toBeVisible();
  await expect(page).toHaveURL(`${workspace}/email`);
});

test('a local time that clocks skip or show twice is asked about', async ({ page, api, organization }) => {
  const email = await prepareEmail(api, organization.id);
  await page.clock.setFixedTime('2027-03-01T09:00:00Z');
  await goTo(page, `/o/${organization.id}/touchpoints/${email.touchpointId}/email`);
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Date', { exact: true }).fill('2027-03-28');
  await dialog.getByLabel('Time', { exact: true }).fill('02:30');
  const confirm = dialog.getByRole('button', { name: 'Schedule for 3 recipients' });
  await expect(confirm).toBeDisabled();
  await dialog.getByRole('button', { name: 'Use 3:00 AM' }).click();
  await expect(dialog.getByLabel('Time', { exact: true })).toHaveValue('03:00');
  await expect(confirm).toBeEnabled();
  await dialog.getByLabel('Date', { exact: true }).fill('2027-10-31');
  await dialog.getByLabel('Time', { exact: true }).fill('02:30');
  await expect(confirm).toBeDisabled();
  await dialog.getByRole('radio', { name: /after the clocks are set back/ }).click();
  await expect(confirm).toBeEnabled();
});

test('a series lists its occurrences, skips one, and is paused as a whole', async ({
  page,
  api,
  organization,
}) => {
  const email = await prepareEmail(api, organization.id);
  const workspace = `/o/${organization.id}/touchpoints/${email.touchpointId}`;
  await goTo(page, `${workspace}/email`);
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Repeatedly').click();
  await dialog.getByRole('combobox', { name: 'Repeat' }).click();
  await page.getByRole('option', { name: 'Every day' }).click();
  await dialog.getByRole('combobox', { name: 'Ends' }).click();
  await page.getByRole('option', { name: 'After a number of times' }).click();
  await dialog.getByLabel('Number of times').fill('7');
  await expect(dialog.getByRole('list', { name: 'Next occurrences' }).getByRole('listitem')).toHaveCount(5);
  await expect(dialog.getByText('and 2 more')).toBeVisible();
  expect(await findAccessibilityFaults(page, false)).toEqual([]);
  await dialog.getByRole('button', { name: 'Schedule for 3 recipients' }).click();
  const main = page.getByRole('main');
  await expect(main.getByText('Every day, 7 times')).toBeVisible();

  await page.getByRole('button', { name: 'Skip this one' }).click();
  await expect(page.getByText('Skipped. The next one is sent as planned.')).toBeVisible();
  await expect(main.getByText('Every day, 6 times')).toBeVisible();

  // Occurrences without a send are in the calendar, too.
  await goTo(page, `/o/${organization.id}/calendar?view=agenda`);
  await expect(main.getByText('Planned', { exact: true })).toHaveCount(5);

  await goTo(page, `/o/${organization.id}/campaigns/${email.campaignId}`);
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Pause campaign' }).click();
  await expect(page.getByText('1 send paused.')).toBeVisible();
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Resume campaign' }).click();
  await expect(page.getByText('1 send resumed.')).toBeVisible();

  await goTo(page, workspace);
  await page.getByRole('button', { name: 'Unschedule' }).click();
  await page.getByRole('button', { name: 'Unschedule all' }).click();
  await expect(page.getByText('Unscheduled. Nothing will be sent anymore.')).toBeVisible();
});

test('items of a collection become two sent issues', async ({ page, api, organization, server }) => {
  const { id } = organization;
  const email = await prepareEmail(api, id, { subject: '{{ item.title }}' });
  for (const title of ['Alpine huts', 'Winter bivouac', 'Cairns'])
    await api.post(`/content/${id}/items/newsletters`, { title });
  await api.patch(`/touchpoints/${email.touchpointId}`, { collection: 'newsletters' });
  // The review needs an item, as the preview does.
  const { data } = await api.get<{ data: { id: string }[] }>(`/content/${id}/items/newsletters`);
  await api.patch(`/touchpoints/${email.touchpointId}/email`, { item_id: data[0]!.id });

  await goTo(page, `/o/${id}/touchpoints/${email.touchpointId}/email`);
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Item by item').click();
  await dialog.getByLabel('Time', { exact: true }).fill('10:30');
  for (const title of ['Alpine huts', 'Winter bivouac']) {
    await dialog.getByRole('combobox', { name: 'Add a content item' }).click();
    await page.getByRole('option', { name: title }).click();
  }
  await expect(dialog.getByRole('list', { name: 'Chosen items' }).getByRole('listitem')).toHaveText([
    /Alpine huts/,
    /Winter bivouac/,
  ]);
  expect(await findAccessibilityFaults(page, false)).toEqual([]);
  await dialog.getByRole('button', { name: 'Schedule 2 emails for 3 recipients each' }).click();

  const items = page.getByRole('table', { name: 'Content items' });
  const row = (title: string) => items.getByRole('row').filter({ hasText: title });
  await expect(row('Alpine huts')).toContainText('Scheduled');
  await expect(row('Winter bivouac')).toContainText('Scheduled');

  // A further item gets the next time that is left of the same rule, and can be left out again.
  const main = page.getByRole('main');
  await expect(main.getByText(/^Every \w+day · next free: .*10:30 AM Berlin/)).toContainText(
    shortDay(dayAhead(15)),
  );
  await page.getByRole('button', { name: 'Add items' }).click();
  await expect(dialog.getByLabel('Date', { exact: true })).toHaveValue(dayAhead(15));
  await expect(dialog.getByLabel('Time', { exact: true })).toHaveValue('10:30');
  await dialog.getByRole('combobox', { name: 'Add a content item' }).click();
  await page.getByRole('option', { name: 'Cairns' }).click();
  const when = shortDay(dayAhead(15));
  await expect(dialog.getByRole('list', { name: 'Chosen items' })).toContainText(when);
  expect(await findAccessibilityFaults(page, false)).toEqual([]);
  await dialog.getByRole('button', { name: 'Schedule 1 email for 3 recipients' }).click();
  await expect(row('Cairns')).toContainText(when);
  await items.getByRole('button', { name: 'More actions for Cairns' }).click();
  await page.getByRole('menuitem', { name: 'Leave out' }).click();
  await dialog.getByRole('button', { name: 'Leave out' }).click();
  await expect(row('Cairns')).toContainText('Cancelled');
  for (const title of ['Alpine huts', 'Winter bivouac']) {
    await runSql(
      server.databaseUrl,
      `update touchpoint_sends s set send_date = now(), next_due_at = now(), occurrence_at = now()
       from touchpoint_send_contents c
       where c.send_id = s.id and s.touchpoint_id = $1 and c.content #>> '{context,item,title}' = $2`,
      [email.touchpointId, title],
    );
    await expect(async () => {
      await page.reload();
      await expect(row(title)).toBeVisible();
      await expect(row(title)).toContainText('Sent', { timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
  }
});
