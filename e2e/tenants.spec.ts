import type { Page } from '@playwright/test';
import { addMember, createPerson, prepareEmail, sendAtOnce, type Api } from './api.ts';
import { expect, test } from './fixtures.ts';
import { seedData } from './seed-data.ts';
import { mainNavigation, visit } from './steps.ts';

/** Part of every name in the other tenant, which other users must never see. */
const secret = 'Geheimrat';

/** The settings pages with changeable settings. */
const settingsSections = [
  'general',
  'address',
  'contacts',
  'members',
  'invitations',
  'roles',
  'api-keys',
  'trash',
] as const;

interface Tenant {
  organizationId: string;
  clientId: string;
  paths: string[];
}

async function makeTenant(api: Api, organizationName: string): Promise<Tenant> {
  const { id } = await api.post<{ id: string }>('/organizations', { name: organizationName });
  const email = await prepareEmail(api, id, {
    brand: secret,
    subject: `${secret} writes`,
    contacts: [{ email: `${secret.toLowerCase()}@contacts.example`, first_name: secret }],
  });
  const sendId = await sendAtOnce(api, email.touchpointId);
  const { items } = await api.get<{ items: { id: string }[] }>(`/mailbox?organization_id=${id}`);
  return {
    organizationId: id,
    clientId: email.clientId,
    paths: [
      `clients/${email.clientId}/overview`,
      `brands/${email.brandId}/kit`,
      `campaigns/${email.campaignId}`,
      `touchpoints/${email.touchpointId}/sends/${sendId}`,
      `mailbox/${items[0]!.id}`,
    ],
  };
}

const expectNoSecret = async (page: Page) => {
  expect(await page.content()).not.toMatch(new RegExp(secret, 'i'));
  expect(await page.title()).not.toMatch(new RegExp(secret, 'i'));
};

test('pages of another organization are not found and leak nothing', async ({
  page,
  organization,
  newBrowser,
}) => {
  const other = await newBrowser(`${secret} Person`);
  const foreign = await makeTenant(other.api, `${secret} agency`);
  await page.goto(`/o/${foreign.organizationId}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
  // A link to the user's own organization.
  await expect(page.getByRole('link', { name: organization.name })).toBeVisible();
  await expectNoSecret(page);

  // Of what the server refuses, only what pages make of it: the permission matrix makes all requests.
  for (const path of foreign.paths) {
    await test.step(path, async () => {
      await visit(page, `/o/${organization.id}/${path}`);
      await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
      await expectNoSecret(page);
    });
  }

  const { role } = await seedData(other.api, foreign.organizationId, foreign.clientId, secret);
  await visit(page, `/o/${organization.id}/settings/roles/${role}`);
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
  await expectNoSecret(page);
  for (const path of [foreign.paths[0]!, 'settings/general', `settings/roles/${role}`]) {
    await visit(page, `/o/${foreign.organizationId}/${path}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
    await expectNoSecret(page);
  }

  // An unknown id looks the same.
  await visit(page, `/o/${organization.id}/campaigns/${crypto.randomUUID()}`);
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
  await page.goto(`/o/${organization.id}/campaigns/not-an-id`);
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
});

test('a read-only member sees no actions and a “no permission” page', async ({
  page,
  api,
  organization,
  newBrowser,
}) => {
  const { clientId } = await prepareEmail(api, organization.id, { contacts: [] });
  const { role } = await seedData(api, organization.id, clientId, 'Amsel');
  const analyst = await newBrowser('Only Looks');
  await addMember(api, organization.id, analyst, 'analyst');
  const guest = await newBrowser();
  await addMember(api, organization.id, guest, 'guest', [clientId]);
  const at = `/o/${organization.id}`;
  const readable = settingsSections.filter((section) => section !== 'trash');
  for (const person of [{ page }, analyst, guest]) await person.page.goto(at);
  for (const path of [
    ...readable.map((section) => `${at}/settings/${section}`),
    `${at}/settings/roles/${role}`,
    ...['overview', 'contacts', 'addresses', 'socials', 'settings'].map(
      (tab) => `${at}/clients/${clientId}/${tab}`,
    ),
  ]) {
    await test.step(path, async () => {
      await Promise.all([visit(page, path), visit(analyst.page, path)]);
      // A user with the permission has such buttons, which proves that the search works.
      await expect.poll(async () => await findOffers(page)).not.toEqual([]);
      await expect(analyst.page.getByRole('heading', { level: 1 })).toHaveText(
        await page.getByRole('heading', { level: 1 }).innerText(),
      );
      await expect(analyst.page.locator('[aria-busy=true]')).toHaveCount(0);
      expect(await findOffers(analyst.page)).toEqual([]);
    });
  }

  for (const [person, section, permission] of [
    [analyst, 'trash', 'Delete clients'],
    [guest, 'members', 'View members and roles'],
    [guest, 'audit-log', 'View audit log'],
    [guest, 'api-keys', 'View API keys'],
    [guest, `roles/${role}`, 'View members and roles'],
  ] as const) {
    await test.step(section, async () => {
      await visit(person.page, `${at}/settings/${section}`);
      await expect(
        person.page.getByRole('heading', { level: 1, name: 'You don’t have access to this' }),
      ).toBeVisible();
      await expect(person.page.getByRole('main')).toContainText(
        `doesn’t include the permission “${permission}”`,
      );
      await expect(person.page.getByRole('main')).not.toContainText('Amsel');
    });
  }
});

/** @returns the names of all buttons on the page that change something */
async function findOffers(page: Page): Promise<string[]> {
  const names = await page
    .getByRole('main')
    .locator('button:not([aria-disabled=true], :disabled)')
    .evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent ?? ''),
    );
  const changes =
    /^(invite|new|create|add|edit|save|delete|remove|change|choose|revoke|renew|restore|make|send(?! date)|disable|more actions for (?!Only Looks))\b|: (not )?allowed/i;
  return names.filter((name) => changes.test(name.trim()));
}

test('a browser shows one organization at a time, and none without a session', async ({
  page,
  api,
  organization,
  context,
  server,
  person,
}) => {
  await prepareEmail(api, organization.id, { brand: 'Nordwind' });
  const other = await makeTenant(api, 'Second agency');

  await test.step('switching the organization keeps the section and clears its rows', async () => {
    const content = page.getByRole('main');
    const sections = {
      Clients: [`${secret} Outdoor`, 'Nordwind Outdoor'],
      Campaigns: [`${secret} spring`, 'Nordwind spring'],
      Touchpoints: [`${secret} news`, 'Nordwind news'],
      Templates: [`${secret} letter`, 'Nordwind letter'],
      Audiences: [`Everybody at ${secret}`, 'Everybody at Nordwind'],
    } as const;
    const switchTo = async (name: string) => {
      const switcher = page.getByRole('button', { name: /Switch organization$/ });
      // The menu may be rendered again during the click, and then stays open.
      await expect(async () => {
        if ((await switcher.getAttribute('aria-expanded')) !== 'true') await switcher.click();
        await page.getByRole('menuitem', { name }).click();
        await expect(page.getByRole('menu')).toHaveCount(0, { timeout: 10_000 });
      }).toPass();
    };

    await page.goto(`/o/${other.organizationId}`);
    for (const [section, [theirs, ours]] of Object.entries(sections)) {
      await test.step(section, async () => {
        await mainNavigation(page).getByRole('link', { name: section }).click();
        await expect(content.getByText(theirs, { exact: true }).first()).toBeVisible();
        // Data of the previous organization must not be visible even briefly.
        await page.evaluate(`(${watchFor})(${JSON.stringify([organization.name, theirs])})`);
        await switchTo(organization.name);
        await expect(page).toHaveURL(`/o/${organization.id}/${section.toLowerCase()}`);
        await expect(content.getByText(ours, { exact: true }).first()).toBeVisible();
        expect(await page.evaluate('window.__mixed')).toBe(false);
        await expectNoSecret(page);
        await switchTo('Second agency');
        await expect(content.getByText(theirs, { exact: true }).first()).toBeVisible();
      });
    }

    // Switching leaves the page of a record, which belongs to one organization only.
    const campaign = other.paths.find((path) => path.startsWith('campaigns/'))!;
    await page.goto(`/o/${other.organizationId}/${campaign}`);
    await switchTo(organization.name);
    await expect(page).toHaveURL(`/o/${organization.id}/campaigns`);
  });

  await test.step('two tabs can show two organizations', async () => {
    const second = await context.newPage();
    await page.goto(`/o/${organization.id}/clients`);
    await second.goto(`/o/${other.organizationId}/clients`);
    await expect(page.getByText('Nordwind Outdoor')).toBeVisible();
    await expect(second.getByText(`${secret} Outdoor`)).toBeVisible();
    await mainNavigation(page).getByRole('link', { name: 'Campaigns' }).click();
    await mainNavigation(second).getByRole('link', { name: 'Campaigns' }).click();
    await expect(page.getByText('Nordwind spring')).toBeVisible();
    await expect(second.getByText(`${secret} spring`)).toBeVisible();
    await expectNoSecret(page);
    await second.close();
  });

  await test.step('signing out removes loaded data, also from the history', async () => {
    await page.goto(`/o/${other.organizationId}/clients`);
    await expect(page.getByText(`${secret} Outdoor`)).toBeVisible();
    await mainNavigation(page).getByRole('link', { name: 'Campaigns' }).click();
    await expect(page.getByText(`${secret} spring`)).toBeVisible();
    await page.getByRole('button', { name: 'Your account, language and theme' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await expectNoSecret(page);

    for (let times = 0; times < 2; times += 1) {
      await page.goBack();
      await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
      await expectNoSecret(page);
    }
    await page.goto(`/o/${other.organizationId}/clients`);
    await expect(page).toHaveURL(/\/sign-in\?next=/);
    await expectNoSecret(page);

    // The next user of this browser sees only their own data.
    await createPerson(page.request, server);
    await page.goto('/');
    await expect(
      page.getByRole('heading', { level: 1, name: 'Your organization', exact: true }),
    ).toBeVisible();
    await page.goto(`/o/${other.organizationId}/clients`);
    await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
    await expectNoSecret(page);
  });

  await test.step('sign-in returns to the requested page of this site only', async () => {
    for (const next of ['/organizations', '//evil.example/', 'https://evil.example/', '/\\evil.example']) {
      await page.context().clearCookies();
      await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
      await page.getByLabel('Email address').fill(person.email);
      await page.getByLabel('Password', { exact: true }).fill(person.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Sign in');
      expect(new URL(page.url()).origin).toBe(server.url);
      if (next === '/organizations') await expect(page).toHaveURL('/organizations');
    }
  });
});

/** Runs in the page: records whether a text is ever shown together with the name of an organization. */
const watchFor = `([organization, text]) => {
  window.__mixed = false;
  new MutationObserver(() => {
    const names = document.querySelector('aside')?.textContent ?? '';
    const rows = document.querySelector('main')?.textContent ?? '';
    if (names.includes(organization) && rows.includes(text)) window.__mixed = true;
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}`;
