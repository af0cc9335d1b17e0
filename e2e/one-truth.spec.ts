import { prepareEmail } from './api.ts';
import { endWaitingTime, extendWaitingTime } from './database.ts';
import { expect, test } from './fixtures.ts';
import { goTo } from './steps.ts';

const mjml = (words: string) => `<mjml><mj-body><mj-section><mj-column>
<mj-text>Hello {{ contact.first_name }}, ${words}</mj-text>
<mj-text><a href="https://shop.example/offer">Offer</a> <a href="{{ links.unsubscribe }}">Unsubscribe</a></mj-text>
</mj-column></mj-section></mj-body></mjml>`;

test('a confirmed email shows what was confirmed until it is a draft again', async ({
  page,
  api,
  organization,
  server,
}) => {
  const email = await prepareEmail(api, organization.id, {
    mjml: mjml('the winter beer is here.'),
    subject: '{{ contact.first_name }}, the winter beer',
  });
  const workspace = `/o/${organization.id}/touchpoints/${email.touchpointId}`;
  const main = page.getByRole('main');
  const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
  const dialog = page.getByRole('dialog');

  await test.step('the dialog shows the subject of the first recipient', async () => {
    await goTo(page, workspace);
    await expect(page).toHaveURL(`${workspace}/email`);
    await expect(tabs).toHaveText(['Email', 'Statistics', 'Sends', 'Settings']);
    await page.getByRole('button', { name: 'Send now' }).click();
    await expect(dialog).toContainText(/(Ada|Grace|Konrad), the winter beer/);
    await expect(dialog).not.toContainText('{{');
    await expect(dialog.getByTitle('{{ contact.first_name }}, the winter beer')).toBeVisible();
    await dialog.getByRole('button', { name: 'Send to 3 recipients' }).click();
    await page.waitForURL(/\/sends\/[0-9a-f-]{36}$/);
  });
  const sendId = page.url().split('/').at(-1)!;
  await extendWaitingTime(server.databaseUrl, sendId);

  await test.step('later changes are not part of what is shown', async () => {
    await api.patch(`/content/${organization.id}/templates/${email.templateId}`, {
      mjml: mjml('something else.'),
    });
    await api.patch(`/filters/${email.filterId}`, { name: 'Renamed', rule: { first_name: { _eq: 'Ada' } } });
    await goTo(page, `${workspace}/email`);
    await expect(page).toHaveURL(`${workspace}/sends/${sendId}`);
    await tabs.filter({ hasText: 'Receipt' }).click();
    await expect(page).toHaveURL(`${workspace}/receipt`);
    await expect(tabs).toHaveText(['Receipt', 'Statistics', 'Sends', 'Settings']);
    await expect(main).toContainText('3 when confirmed; counted again at the start');
    await expect(main).toContainText('Everybody at Nordwind');
    await expect(main.getByRole('heading', { name: 'The email as it will be sent' })).toBeVisible();
    await expect(main.getByText(/^As \w+@contacts\.example will receive it$/)).toBeVisible();
    const shown = page.frameLocator('iframe[title$="the winter beer"]');
    await expect(shown.getByText(/^Hello \w+, the winter beer is here\.$/)).toBeVisible();
    for (const gone of ['Renamed', 'something else', 'Ready to send'])
      await expect(main.getByText(gone)).toHaveCount(0);
    await expect(main.getByRole('button', { name: 'Send now' })).toHaveCount(0);
    await expect(main.getByRole('textbox')).toHaveCount(0);
  });

  await test.step('undone, it is a draft again', async () => {
    await page.getByRole('button', { name: 'Cancel send' }).click();
    await expect(page).toHaveURL(`${workspace}/email`);
    await expect(page.getByLabel('Subject', { exact: true })).toBeEditable();
    const preview = page.frameLocator('iframe[title="Live preview"]');
    // The email has its own copy of the template.
    await expect(preview.getByText('Hello Ada, the winter beer is here.')).toBeVisible();
  });

  await test.step('who opened and who clicked', async () => {
    const { id } = await api.post<{ id: string }>(`/touchpoints/${email.touchpointId}/sends`, {});
    await endWaitingTime(server.databaseUrl, id);
    await goTo(page, `${workspace}/sends/${id}`);
    await expect(main.getByText('Sent: 1 of 1').first()).toBeVisible();
    const { items } = await api.get<{ items: { id: string }[] }>(
      `/mailbox?organization_id=${organization.id}&send_id=${id}`,
    );
    const message = await api.get<{ links: { text: string; url: string }[] }>(`/mailbox/${items[0]!.id}`);
    await page.request.get(message.links.find(({ text }) => text === 'Offer')!.url, {
      maxRedirects: 0,
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0' },
    });
    await goTo(page, `${workspace}/statistics`);
    await main.getByRole('link', { name: '100.0%' }).first().click();
    await expect(page).toHaveURL(/reaction=clicked/);
    const rows = page.getByRole('table', { name: 'Recipients' }).locator('tbody').getByRole('row');
    await expect(rows).toHaveText([/^ada@contacts\.example/]);
    await expect(page.getByLabel('Reaction')).toHaveValue('clicked');
    await page.getByLabel('Reaction').selectOption('Opened');
    await expect(page.getByText('No recipients match these filters.')).toBeVisible();
    await goTo(page, `${workspace}/statistics`);
    const links = page.getByRole('region', { name: 'Clicks by link' });
    await links.getByRole('cell', { name: '1', exact: true }).first().getByRole('link').click();
    await expect(page).toHaveURL(/link=0/);
    await rows.getByRole('link', { name: 'ada@contacts.example' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Ada' })).toBeVisible();
  });
});
