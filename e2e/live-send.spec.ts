import type { Page, Route } from '@playwright/test';
import type { Send } from '../packages/contract/src/sends.ts';
import { prepareEmail, threeContacts, type Api } from './api.ts';
import { deferAll, endWaitingTime, extendWaitingTime } from './database.ts';
import { expect, test } from './fixtures.ts';
import type { Server } from './server.ts';
import { breakdownNumber, goTo, visit } from './steps.ts';

/** Creates a send to three recipients whose messages are all deferred. */
async function startSending(api: Api, server: Server, organizationId: string) {
  const { touchpointId } = await prepareEmail(api, organizationId);
  const { id } = await api.post<{ id: string }>(`/touchpoints/${touchpointId}/sends`, {});
  await deferAll(
    server.databaseUrl,
    id,
    threeContacts.map(({ email }) => String(email)),
  );
  return { id, path: `/o/${organizationId}/touchpoints/${touchpointId}/sends/${id}` };
}

test('a send can be paused and cancelled while recipients load', async ({
  page,
  api,
  organization,
  server,
}) => {
  const send = await startSending(api, server, organization.id);
  // None of these gets a response.
  const held: Route[] = [];
  await page.route(`**/api/sends/${send.id}/deliveries**`, (route) => void held.push(route));
  await goTo(page, send.path);
  const pause = page.getByRole('button', { name: 'Pause' });
  const resume = page.getByRole('button', { name: 'Resume' });
  await pause.click();
  await resume.click();
  await pause.click();
  await expect(resume).toBeEnabled();
  await page.getByRole('button', { name: 'Cancel send' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel send' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByText(/^Cancelled: 0 of 3 sent/).first()).toBeVisible();
  await expect.poll(() => held.length).toBeGreaterThan(0);
});

test('a send shows why it waits and when it ends', async ({ page, api, organization, server }) => {
  const send = await startSending(api, server, organization.id);
  let seen: Partial<Send> = {};
  await page.route(`**/api/sends/${send.id}/progress`, (route) => route.abort());
  await page.route(`**/api/sends/${send.id}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as Send), ...seen } });
  });
  await goTo(page, send.path);
  const main = page.getByRole('main');
  await expect(main.getByText('0 of 3 processed')).toBeVisible();
  await expect(main).toContainText(/Waiting until .+ for the next attempt to reach 3 recipients/);
  await expect(main).not.toContainText('per minute');

  const values = { provider: 'Google', minutes: 5, reply: '421 4.7.28 Too fast' };
  seen = { error_content: '', error: { code: 'provider_waits', values } };
  await expect(main.getByText(/^Waiting until [\d:]+\s[AP]M$/)).toBeVisible();
  await expect(main.getByText('Google takes no more messages for now')).toBeVisible();

  const moving = async (pace: Send['pace'], words: string) => {
    seen = { waits_until: null, pace };
    await expect(main.getByText(words, { exact: true })).toBeVisible();
  };
  await moving({ per_minute: 12_000, seconds_left: 11 }, '12,000 per minute, less than a minute left');
  await moving({ per_minute: 79, seconds_left: 180 }, '79 per minute, about 3 minutes left');
});

test('a short send completes on every screen without reload', async ({
  page,
  context,
  api,
  organization,
  server,
}) => {
  const { touchpointId } = await prepareEmail(api, organization.id);
  const { id } = await api.post<{ id: string }>(`/touchpoints/${touchpointId}/sends`, {});
  await extendWaitingTime(server.databaseUrl, id);
  const home = `/o/${organization.id}`;
  const workspace = `${home}/touchpoints/${touchpointId}`;
  const opened = async (path: string, shows: string): Promise<Page> => {
    const tab = path === home ? page : await context.newPage();
    await goTo(tab, path);
    await expect(tab.getByRole('main').getByText(shows, { exact: true }).first()).toBeVisible();
    return tab;
  };
  const dashboard = await opened(home, 'Scheduled');
  const list = await opened(`${workspace}/sends`, 'Scheduled');
  const live = await opened(`${workspace}/sends/${id}`, 'Scheduled');

  await endWaitingTime(server.databaseUrl, id);
  await expect(live.getByText('Sent: 3 of 3').first()).toBeVisible();
  // A moment for those who were there, and not for those who come later.
  const moment = live.getByText('Done. All 3 people have your email.');
  await expect(moment).toBeVisible();
  await live.reload();
  await expect(live.getByText('Sent: 3 of 3').first()).toBeVisible();
  await expect(moment).toHaveCount(0);
  await expect(list.getByRole('row').nth(1)).toContainText('Sent');
  await expect(list.getByRole('row').nth(1)).toContainText('3');
  // The status of the touchpoint, and that of the send in the list.
  await expect(list.getByRole('main').locator('.status-badge').filter({ hasText: 'Sent' })).toHaveCount(2);
  const recent = dashboard.getByRole('region', { name: 'Recent sends' });
  await expect(recent).toContainText('Sent');
  await expect(recent).toContainText('3 of 3 sent');
  await expect(breakdownNumber(live, 'Recipients')).toHaveText('3');

  await test.step('its messages are read beside their list, which keeps the focus', async () => {
    await visit(live, `${home}/mailbox?send=${id}`);
    const inbox = live.getByRole('table', { name: 'Test inbox' });
    await expect(inbox.getByRole('row')).toHaveCount(4);
    const messageTo = (address: string) => inbox.getByRole('row', { name: address }).getByRole('link');
    await messageTo('grace').click();
    await expect(live.getByText('To: grace@contacts.example')).toBeVisible();
    await expect(inbox.getByRole('row')).toHaveCount(4);
    await messageTo('zuse').press('Enter');
    await expect(live.getByText('To: zuse@contacts.example')).toBeVisible();
    await expect(messageTo('zuse')).toBeFocused();
    await live.goBack();
    await expect(live.getByText('To: grace@contacts.example')).toBeVisible();
  });
});
