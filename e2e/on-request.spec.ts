import { execFileSync } from 'node:child_process';
import { findAccessibilityFaults } from './accessibility.ts';
import { prepareEmail } from './api.ts';
import { expect, test } from './fixtures.ts';

/** What a shell passes to curl, so that the test does not need it. */
function readCommand(
  command: string,
  key: string,
): { url: string; headers: [string, string][]; body: string } {
  const print = `${process.execPath} -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- "$@"`;
  const output = execFileSync('sh', ['-c', `curl() { ${print}; }\n${command}`], {
    env: { REACHOUT_API_KEY: key },
    encoding: 'utf8',
  });
  const [url = '', ...options] = JSON.parse(output) as string[];
  const valuesOf = (name: string) => options.filter((_, index) => options[index - 1] === name);
  return {
    url,
    headers: valuesOf('--header').map((line): [string, string] => {
      const [name = '', value = ''] = line.split(': ');
      return [name, value];
    }),
    body: valuesOf('--data').join('&'),
  };
}

test('an email is sent on request by the command that its page shows', async ({
  page,
  context,
  api,
  person,
  organization,
}) => {
  const { touchpointId } = await prepareEmail(api, organization.id, { contacts: [] });
  await api.patch(`/touchpoints/${touchpointId}/email`, { filter_id: null });
  const { secret } = await api.post<{ secret: string }>(`/organizations/${organization.id}/api_keys`, {
    name: 'Shop',
    scopes: ['campaigns:send'],
    days: 30,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await page.goto(`/o/${organization.id}/touchpoints/${touchpointId}/email`);
  await button('Send on request').click();
  const dialog = page.getByRole('dialog', { name: 'Send on request for Nordwind?' });
  await dialog.getByText('Uncertain deliveries: Send again once').click();
  await dialog.getByRole('radio', { name: 'Wait for a decision' }).check();
  // The sweep of all screens has no such email.
  expect(await findAccessibilityFaults(page, false)).toEqual([]);
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await expect(page.getByText('Active: 0 of 0 messages sent').first()).toBeVisible();

  await expect(page.getByText('This email reads first_name from “data”.')).toBeVisible();
  expect(await findAccessibilityFaults(page, false)).toEqual([]);
  await button('Copy request').click();
  await expect(button('Copied')).toBeVisible();
  const command = await page.evaluate<string>('navigator.clipboard.readText()');
  const { url, headers, body } = readCommand(command, secret);
  const request = async () => {
    const response = await fetch(url, { method: 'POST', headers, body });
    return [response.status, ((await response.json()) as { code?: string }).code];
  };
  expect(await request()).toEqual([202, undefined]);
  expect(await request()).toEqual([202, undefined]);
  await expect(page.getByText('Active: 1 of 1 messages sent').first()).toBeVisible();
  const { items } = await api.get<{ items: { id: string }[] }>(`/mailbox?organization_id=${organization.id}`);
  expect(items).toHaveLength(1);
  const { html } = await api.get<{ html: string }>(`/mailbox/${items[0]!.id}`);
  expect(html).toContain('Hello Example of first_name, this is Nordwind.');

  await button('Pause').click();
  await expect(page.getByText('Paused: 1 of 1 messages sent').first()).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(person.email) })).toContainText('Sent');
  headers[2]![1] = 'another message';
  expect(await request()).toEqual([409, 'touchpoint_not_active']);
  await button('Resume').click();
  await expect(button('Pause')).toBeVisible();
  expect(await request()).toEqual([202, undefined]);

  await button('Switch off').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByText(/^Switched off: \d of 2 messages sent$/).first()).toBeVisible();
  await expect(page.getByRole('main').getByText('Draft', { exact: true })).toBeVisible();
  await expect(button('Copy request')).toBeHidden();
});
