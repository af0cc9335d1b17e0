import type { Locator, Page } from '@playwright/test';
import { findAccessibilityFaults } from './accessibility.ts';
import { prepareEmail, sendAtOnce, threeContacts } from './api.ts';
import { expect, test } from './fixtures.ts';
import { drawer } from './steps.ts';

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Moves the focus forward until it is there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let step = 0; step < 60; step += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

test('a click sends the email that was connected by keyboard', async ({
  page,
  api,
  organization,
  server,
}) => {
  const org = organization.id;
  const { campaignId, templateId, touchpointId } = await prepareEmail(api, org, {
    contacts: threeContacts.slice(0, 1),
  });
  const offer = await api.post<{ id: string }>('/touchpoints', {
    organization_id: org,
    campaign_id: campaignId,
    name: 'Nordwind offer',
    type: 'email',
  });
  await api.post('/touchpoints', {
    organization_id: org,
    campaign_id: campaignId,
    name: 'Nordwind extra',
    type: 'email',
  });
  await api.patch(`/touchpoints/${offer.id}/email`, {
    template_id: templateId,
    subject: 'The offer',
    from_name: 'Nordwind',
    from_email: 'news@nordwind.example',
  });
  const graph = `/o/${org}/events?campaign=${campaignId}`;
  const field = (name: string) => drawer(page).getByRole('combobox', { name });
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await test.step('three choices connect two emails', async () => {
    await page.goto(graph);
    await tabTo(page, button('Connect touchpoints'));
    await page.keyboard.press('Enter');
    await expect(field('When')).toBeFocused();
    await page.keyboard.type('Nordwind news');
    await expect(page.getByRole('option', { name: 'Nordwind news' })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(field('Event')).toHaveValue('link clicked');
    await expect(field('Then')).toHaveValue('Send');
    await tabTo(page, field('Which touchpoint'));
    await page.keyboard.type('Nordwind offer');
    await expect(page.getByRole('option', { name: 'Nordwind offer' })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, button('More: delay, exceptions, limits'));
    await page.keyboard.press('Enter');
    await expect(drawer(page).getByText('No such events are stored')).toBeVisible();
    expect(await findAccessibilityFaults(page, false)).toEqual([]);
    await tabTo(page, button('Connect'));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('row', { name: /Nordwind news.*Nordwind offer/ })).toContainText('at once');
    await expect(page.getByText('Nordwind offer is not active')).toBeVisible();
  });

  await test.step('another touchpoint reacts to the same event, until it is removed', async () => {
    const row = page.getByRole('row', { name: /link clicked.*Nordwind extra/ });
    await page.getByRole('button', { name: /^More actions for Nordwind news/ }).click();
    await page.getByRole('menuitem', { name: 'Add another reaction' }).click();
    await field('Which touchpoint').click();
    await page.getByRole('option', { name: 'Nordwind extra' }).click();
    await drawer(page).getByRole('textbox', { name: 'Delay' }).fill('2');
    await button('Connect').click();
    await expect(row).toContainText('2 days later');
    await row.getByRole('button', { name: /^More actions/ }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(row).toBeHidden();
  });

  await test.step('a loop that never ends is refused, with the way by names', async () => {
    await button('Connect touchpoints').click();
    for (const [name, option] of [
      ['When', 'Nordwind offer'],
      ['Which touchpoint', 'Nordwind news'],
    ] as const) {
      await field(name).click();
      await page.getByRole('option', { name: option }).click();
    }
    await button('More: delay, exceptions, limits').click();
    await drawer(page).getByRole('checkbox', { name: 'Each contact once' }).uncheck();
    await button('Connect').click();
    // The other one reacts once per contact: that ends it.
    await expect(page.getByText('Nordwind news → Nordwind offer → Nordwind news')).toBeVisible();
    await page.getByRole('button', { name: 'More actions for Nordwind news: link clicked' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await drawer(page).getByRole('checkbox', { name: 'Each contact once' }).uncheck();
    await drawer(page).getByRole('button', { name: 'Save' }).click();
    await expect(drawer(page).getByText(/The loop: Nordwind \w+ → Nordwind/)).toBeVisible();
    await page.keyboard.press('Escape');
    await button('Discard changes').click();
  });

  await test.step('the drawn graph is walked by keyboard, and asks before it removes', async () => {
    await page.goto(`${graph}&view=graph`);
    const line = page.getByRole('button', { name: /Nordwind offer: link clicked → Send Nordwind news/ });
    await line.focus();
    await page.keyboard.press('Delete');
    await expect(page.getByRole('dialog')).toContainText('Nobody waits for this now.');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(line).toBeHidden();
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.getByRole('button', { name: /^Nordwind news: link clicked/ }).press('Enter');
    await expect(page.getByRole('dialog', { name: 'Change connection' })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('the click of a contact sends the other email within seconds', async () => {
    await page.goto(`/o/${org}/touchpoints/${offer.id}/email`);
    await button('Send on request').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
    await expect(page.getByText(/^Active: 0 of 0/).first()).toBeVisible();
    await sendAtOnce(api, touchpointId);
    const inbox = () =>
      api.get<{ items: { id: string; subject: string }[] }>(`/mailbox?organization_id=${org}`);
    const [first] = (await inbox()).items;
    const { links } = await api.get<{ links: { url: string }[] }>(`/mailbox/${first!.id}`);
    const { url } = links.find((link) => link.url.includes('/t/c/'))!;
    await page.request.get(url.replace(/^https?:\/\/[^/]+/, server.url), {
      maxRedirects: 0,
      headers: { 'user-agent': browser },
    });
    await expect
      .poll(async () => (await inbox()).items.map(({ subject }) => subject), { timeout: 30_000 })
      .toContain('The offer');
  });

  await test.step('the reason is on the page of the contact, and in the numbers', async () => {
    const { data } = await api.get<{ data: { id: string }[] }>(`/content/${org}/items/contacts`);
    await page.goto(`/o/${org}/contacts/${data[0]!.id}`);
    const reason = /Sent because: Nordwind news: link clicked https:\/\/shop\.example\//;
    await expect(page.getByText(reason)).toBeVisible();
    await page.goto(graph);
    await button('Sent: 1').click();
    await expect(page.getByRole('dialog').getByRole('row', { name: /Ada.*link clicked/ })).toContainText(
      'Sent',
    );
    expect(await findAccessibilityFaults(page, false)).toEqual([]);
  });

  await test.step('the overview of all campaigns has the same number', async () => {
    await page.goto(`/o/${org}/events`);
    await expect(button('Sent: 1')).toBeVisible();
  });
});
