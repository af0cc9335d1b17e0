import type { Route } from '@playwright/test';
import { prepareEmail, threeContacts, type Api } from './api.ts';
import { deferAll } from './database.ts';
import { expect, test } from './fixtures.ts';
import type { Server } from './server.ts';

/** A send to three, whose messages all wait for their next attempt. */
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

test('a send is paused, resumed and canceled while its recipients are still being loaded', async ({
  page,
  api,
  organization,
  server,
}) => {
  const send = await startSending(api, server, organization.id);
  // None of these gets a response.
  const held: Route[] = [];
  await page.route(`**/api/sends/${send.id}/deliveries**`, (route) => void held.push(route));
  await page.goto(send.path);
  const pause = page.getByRole('button', { name: 'Pause' });
  const resume = page.getByRole('button', { name: 'Resume' });
  await pause.click();
  await resume.click();
  await pause.click();
  await expect(resume).toBeEnabled();
  await page.getByRole('button', { name: 'Cancel send' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel send' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByText(/^Canceled: 0 of 3 sent/).first()).toBeVisible();
  expect(held).not.toEqual([]);
});
