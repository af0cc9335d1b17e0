import { prepareEmail, sendAtOnce } from './api.ts';
import { endWaitingTime, extendWaitingTime, setSendStatus } from './database.ts';
import { expect, test } from './fixtures.ts';
import { goTo } from './steps.ts';

test('a send undone within a minute sends nothing', async ({ page, api, organization, server }) => {
  const email = await prepareEmail(api, organization.id);
  const workspace = `/o/${organization.id}/touchpoints/${email.touchpointId}`;
  await goTo(page, `${workspace}/email`);
  const send = page.getByRole('button', { name: 'Send now' });
  await send.click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Send to 3 recipients' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(send).toBeFocused();
  await send.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send to 3 recipients' }).click();
  await expect(page.getByText(/^Starts in \d+ seconds?$/)).toBeVisible();
  const sendId = page.url().split('/').at(-1)!;

  // Until it starts, it has the status of its email and no recipient counts.
  await goTo(page, `/o/${organization.id}`);
  const main = page.getByRole('main');
  await expect(main.getByRole('region', { name: 'Scheduled' })).toContainText(/Starts in \d+ seconds?/);
  const recent = main.getByRole('region', { name: 'Recent sends' });
  await expect(recent).toContainText('Scheduled');
  await expect(recent).toContainText(/Starts /);
  await expect(main.getByText(/Queued| of 0 /)).toHaveCount(0);
  // Leaves enough time for the rest of the test.
  await extendWaitingTime(server.databaseUrl, sendId);

  // Its link leads to its progress.
  await main
    .getByRole('region', { name: 'Recent touchpoints' })
    .getByRole('link', { name: 'Nordwind news' })
    .click();
  await expect(page).toHaveURL(`${workspace}/sends/${sendId}`);
  await expect(page.getByRole('button', { name: 'Cancel send' })).toBeVisible();

  // It can no longer be written, until the send is undone.
  await goTo(page, `${workspace}/email`);
  await expect(page).toHaveURL(`${workspace}/sends/${sendId}`);
  await page.getByRole('button', { name: 'Cancel send' }).click();
  await expect(
    page.getByText('Send cancelled. Nothing was sent, and the email is a draft again.').first(),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel send' })).toBeHidden();

  // The time of the send passes.
  await endWaitingTime(server.databaseUrl, sendId);
  await goTo(page, workspace);
  await expect(page).toHaveURL(`${workspace}/email`);
  await expect(page.getByRole('main').getByText('Draft', { exact: true })).toBeVisible();
  await page.getByLabel('Subject', { exact: true }).fill('Better news');
  await expect(page.getByText(/^Saved \d/).first()).toBeVisible();

  // A later send: when it has arrived in the mailbox, the cancelled one would have arrived before.
  const other = await prepareEmail(api, organization.id, {
    contacts: [],
    brand: 'Südwind',
    subject: 'Other',
  });
  await sendAtOnce(api, other.touchpointId);
  await goTo(page, `/o/${organization.id}/mailbox`);
  const messages = page.getByRole('table', { name: 'Test inbox' });
  await expect(messages.getByRole('link', { name: 'Other' })).toHaveCount(3);
  await expect(messages.getByRole('row')).toHaveCount(4);
});

test('a send that has not started can be cancelled in any tab, and not be paused', async ({
  page,
  api,
  organization,
  context,
  server,
}) => {
  const email = await prepareEmail(api, organization.id);
  const { id } = await api.post<{ id: string }>(`/touchpoints/${email.touchpointId}/sends`, {});
  // It is not due, so no worker processes it.
  await extendWaitingTime(server.databaseUrl, id);
  const path = `/o/${organization.id}/touchpoints/${email.touchpointId}/sends/${id}`;

  await test.step('a send cannot be paused while recipients are listed', async () => {
    await setSendStatus(server.databaseUrl, id, 'preparing');
    await goTo(page, path);
    const pause = page.getByRole('button', { name: 'Pause' });
    await expect(pause).toHaveAttribute('aria-disabled', 'true');
    await expect(pause).toHaveAccessibleDescription(/once its recipients are prepared/);
    await expect(page.getByRole('button', { name: 'Cancel send' })).toBeEnabled();
    await setSendStatus(server.databaseUrl, id, 'queued');
  });

  await test.step('cancelling a send from two tabs cancels it once', async () => {
    const other = await context.newPage();
    await Promise.all([goTo(page, path), goTo(other, path)]);
    await expect(other.getByRole('button', { name: 'Cancel send' })).toBeVisible();
    await page.getByRole('button', { name: 'Cancel send' }).click();
    await expect(page.getByText(/^Send cancelled\. /).first()).toBeVisible();
    // The other tab is updated automatically.
    await expect(other.getByText(/^Send cancelled\. /).first()).toBeVisible();
    await expect(other.getByRole('button', { name: 'Cancel send' })).toBeHidden();
  });
});
