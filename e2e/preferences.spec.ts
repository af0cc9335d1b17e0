import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { findAccessibilityFaults } from './accessibility.ts';
import { prepareEmail, sendAtOnce, type Api } from './api.ts';
import { runSql } from './database.ts';
import { expect, test } from './fixtures.ts';
import type { Server } from './server.ts';

/** Sends an email of a brand with two topics. @returns the brand, and the address of the preference page of its reader */
async function sendToReader(
  api: Api,
  server: Server,
  organizationId: string,
): Promise<{ address: string; brandId: string }> {
  const email = await prepareEmail(api, organizationId);
  await api.patch(`/brands/${email.brandId}`, { tracking_policy: 'with_consent' });
  const topics = [
    ['News', 'What is new in the shop, once a week', true],
    ['Offers', '', false],
  ] as const;
  for (const [index, [name, description, isDefault]] of topics.entries())
    await runSql(
      server.databaseUrl,
      `insert into topics (organization_id, id, brand_id, name, description, is_default, position)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [organizationId, randomUUID(), email.brandId, name, description, isDefault, index + 1],
    );
  await sendAtOnce(api, email.touchpointId);
  const { items } = await api.get<{ items: { id: string }[] }>(
    `/mailbox?organization_id=${organizationId}&search=ada@contacts.example`,
  );
  const { links } = await api.get<{ links: { text: string; url: string }[] }>(`/mailbox/${items[0]!.id}`);
  const { url } = links.find(({ text }) => text === 'Unsubscribe')!;
  return { address: url.replace('/u/', '/p/'), brandId: email.brandId };
}

test('readers without JavaScript choose, see what was saved, and undo it', async ({
  api,
  browser,
  server,
  organization,
}) => {
  const { address } = await sendToReader(api, server, organization.id);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  const saved = page.getByRole('status');
  const press = (name: string) => page.getByRole('button', { name }).click();

  await page.goto(address.replace('/p/', '/u/'));
  await expect(page.getByRole('heading', { level: 1, name: 'Stop emails from Nordwind?' })).toBeVisible();
  await expect(page.getByText('Address: a•••@contacts.example')).toBeVisible();
  await page.getByRole('checkbox', { name: 'News' }).uncheck();
  await page.getByRole('checkbox', { name: 'Offers' }).check();
  await press('Save topics');
  await expect(page.getByRole('heading', { level: 1, name: 'Your emails from Nordwind' })).toBeVisible();
  await expect(saved).toContainText('You won’t get emails about “News”.');
  await expect(saved).toContainText('You will get emails about “Offers”.');
  await press('Undo');
  await expect(page.getByRole('checkbox', { name: 'News' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Offers' })).not.toBeChecked();

  await press('Pause for 30 days');
  await expect(saved).toContainText(/You get no emails from Nordwind until \w+ \d+, \d{4}\./);
  await press('End the pause');
  await expect(saved).toContainText('The pause has ended');

  await press('Allow measuring');
  await expect(saved).toContainText('Nordwind may measure whether you open emails');

  await press(`Unsubscribe from all emails of ${organization.name}`);
  await expect(saved).toContainText(`You won’t get any more emails from ${organization.name}`);
  await press('Undo');
  await expect(saved).toContainText('You will get emails from Nordwind again.');
  await press('Unsubscribe from Nordwind');
  await expect(page.getByRole('button', { name: 'Resubscribe' })).toBeVisible();
  await page.goto(address);
  await expect(page.getByText('You won’t get any more emails from Nordwind.')).toBeVisible();
  await press('Resubscribe');
  await expect(saved).toContainText('You will get emails from Nordwind again.');

  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ihre E-Mails von Nordwind' })).toBeVisible();
  await press('Für 30 Tage pausieren');
  await expect(saved).toContainText(/Sie erhalten bis \d+\. \S+ \d{4} keine E-Mails von Nordwind\./);
  await context.close();
});

/** @returns what is wrong with the page at this width and size of text */
async function inspect(page: Page): Promise<string[]> {
  const faults = await findAccessibilityFaults(page, true);
  for (const textSize of ['', '200%']) {
    const isTooWide = await page.evaluate<boolean>(
      `(document.documentElement.style.fontSize = '${textSize}', document.scrollingElement.scrollWidth > innerWidth)`,
    );
    if (isTooWide) faults.push(`too wide with text of ${textSize || '100%'}`);
  }
  await page.evaluate(`document.documentElement.style.fontSize = ''`);
  return faults;
}

test('public pages are readable at 390 px and with large text, in both languages', async ({
  api,
  browser,
  server,
  organization,
}) => {
  const { address, brandId } = await sendToReader(api, server, organization.id);
  const form = await api.post<{ url: string }>('/sign_up_forms', {
    organization_id: organization.id,
    brand_id: brandId,
    name: 'Footer',
    collection: 'contacts',
    fields: [{ name: 'first_name', label: 'First name', is_required: true }],
    asks_tracking: true,
    language: 'en',
    title: 'Letters from the harbor',
    consent_text: 'I want letters. I can stop them at any time.',
  });
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    for (const [language, pause, end, leave, back] of [
      ['en', 'Pause for 30 days', 'End the pause', 'Unsubscribe from Nordwind', 'Resubscribe'],
      ['de', 'Für 30 Tage pausieren', 'Pause beenden', 'Von Nordwind abmelden', 'Wieder anmelden'],
    ] as const) {
      await page.goto(`${address}?lang=${language}`);
      expect(await inspect(page), `${language}, ${colorScheme}: as opened`).toEqual([]);
      for (const [name, next] of [
        [pause, end],
        [end, pause],
        [leave, back],
        [back, leave],
      ] as const) {
        await page.getByRole('button', { name }).click();
        // The page before has a status, too.
        await expect(page.getByRole('button', { name: next })).toBeVisible();
        await expect(page.getByRole('status')).toBeVisible();
        expect(await inspect(page), `${language}, ${colorScheme}: ${name}`).toEqual([]);
      }
      for (const url of [`${address}/data`, form.url]) {
        await page.goto(`${url}?lang=${language}`);
        expect(await inspect(page), `${language}, ${colorScheme}: ${url}`).toEqual([]);
      }
      // The server says what is wrong, where the browser does not.
      await page.evaluate(`document.forms[0].noValidate = true`);
      await page.locator('form button').first().click();
      await expect(page.getByRole('alert').first()).toBeVisible();
      expect(await inspect(page), `${language}, ${colorScheme}: wrong input`).toEqual([]);
    }
    await context.close();
  }
});
