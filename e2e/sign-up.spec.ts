import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findAccessibilityFaults } from './accessibility.ts';
import { prepareEmail, readMail } from './api.ts';
import { expect, test as base } from './fixtures.ts';
import { choose, drawer, readDownload } from './steps.ts';

/** The website of a customer, on another origin than the server, with one page. */
interface Website {
  url: string;
  /** The HTML of the page. */
  body: string;
}

const test = base.extend<{ website: Website }>({
  // oxlint-disable-next-line no-empty-pattern -- the test runner reads which fixtures are needed from the pattern
  website: async ({}, use) => {
    const website = { url: '', body: '' };
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>${website.body}</html>`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    website.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/news`;
    await use(website);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  },
});

const consent = 'I want to get emails from Nordwind & friends.';

test('a person signs up on another website without JavaScript, confirms, and is a contact with a proof', async ({
  page,
  api,
  organization,
  server,
  browser,
  website,
}) => {
  const { brandId } = await prepareEmail(api, organization.id, { contacts: [] });
  for (const name of ['News', 'Offers'])
    await api.post(`/brands/${brandId}/topics`, { name, is_default: false });

  await test.step('a member makes a form', async () => {
    await page.goto(`/o/${organization.id}/brands/${brandId}/campaigns`);
    await page.getByRole('link', { name: 'Sign-up forms' }).click();
    await page.getByRole('button', { name: 'New sign-up form' }).click();
    await drawer(page).getByLabel('Name').fill('Footer');
    await drawer(page).getByRole('button', { name: 'Create form' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Footer' })).toBeVisible();
    const shown = page.frameLocator('iframe[title="Preview"]');
    await expect(shown.getByRole('heading', { name: 'Sign up for our newsletter' })).toBeVisible();

    await page.getByLabel('Title', { exact: true }).fill('Letters from the north');
    await choose(page, 'Add a field', 'First name');
    await page.getByRole('checkbox', { name: 'Offers' }).check();
    await page.getByLabel('What people agree to').fill(consent);
    await expect(page.getByText('Saving makes version 2.')).toBeVisible();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText(/^Saved/)).toBeVisible();
    await expect(shown.getByRole('heading', { name: 'Letters from the north' })).toBeVisible();
    await expect(shown.getByLabel('First name')).toBeVisible();
    await expect(page.getByText('Version 2', { exact: true })).toBeVisible();
    expect(await findAccessibilityFaults(page, false)).toEqual([]);
    website.body = await page.getByLabel('Embed in a website').innerText();
    expect(website.body).not.toContain('script');
  });

  const address = `lina-${brandId}@people.example`;
  const visitor = await browser.newContext({ javaScriptEnabled: false });
  const other = await visitor.newPage();
  await test.step('a visitor of a website signs up and confirms', async () => {
    await other.goto(website.url);
    await expect(other.getByText(consent)).toBeVisible();
    await other.getByLabel('Email address').fill(address);
    await other.getByLabel('First name').fill('Lina');
    await other.getByLabel('Offers').check();
    await other.getByRole('button', { name: 'Sign up' }).click();
    await expect(other.getByRole('heading', { name: 'Please check your inbox' })).toBeVisible();
    const mail = await readMail(page.request, server, address, /./);
    const link = mail.links.find((each) => each.includes('/f/confirm/'));
    await other.goto(link!);
    await other.getByRole('button', { name: 'Yes, sign me up' }).click();
    await expect(other.getByRole('heading', { name: 'You are signed up' })).toBeVisible();
  });
  await visitor.close();

  await test.step('the contact has its choice and the proof', async () => {
    await page.goto(`/o/${organization.id}/contacts`);
    await page.getByRole('link', { name: address }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'Lina' })).toBeVisible();
    const signUps = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Sign-ups' }) });
    await expect(signUps.getByRole('link', { name: 'Footer' })).toBeVisible();
    for (const text of ['Version 2', 'Offers', new URL(website.url).host])
      await expect(signUps.getByText(text, { exact: true })).toBeVisible();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      signUps.getByRole('link', { name: 'Download proof' }).click(),
    ]);
    const { items } = JSON.parse(await readDownload(download)) as { items: Record<string, unknown>[] };
    expect(items).toEqual([
      expect.objectContaining({
        address,
        consent_text: consent,
        version: 2,
        title: 'Letters from the north',
        topics: [expect.objectContaining({ name: 'Offers' })],
        requested_at: expect.any(String),
        confirmed_at: expect.any(String),
        requested_ip_prefix: expect.any(String),
      }),
    ]);
  });
});
