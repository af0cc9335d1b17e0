import { prepareEmail } from './api.ts';
import { runSql } from './database.ts';
import { expect, test } from './fixtures.ts';
import { breakdownNumber, choose, goTo, typeIntoCodeEditor } from './steps.ts';

/** Adds a thousand contacts, so that numbers have a thousands separator; every fifth has no company. */
const addContacts = (databaseUrl: string, organizationId: string) =>
  runSql(
    databaseUrl,
    `insert into content_items (organization_id, collection, id, data)
      select $1, 'contacts', 'many-' || lpad(i::text, 4, '0'), jsonb_build_object('email', 'person' || i || '@contacts.example',
        'first_name', 'Person', 'unsubscribed', false, 'birthday', '1990-03-09', 'company', case when i % 5 > 0 then 'Acme' end)
      from generate_series(1, 1160) i`,
    [organizationId],
  );

const mjml = `<mjml><mj-body><mj-section><mj-column>
<mj-text>Hello {{ contact.first_name | default: "there" }}</mj-text>
<mj-text>How are things at {{ contact.company }}?{% if contact.vip %} In {{ contact.city }}?{% endif %}</mj-text>
<mj-text>Dear {{ contact.nachnahme }}</mj-text>
<mj-text><a href="{{ links.unsubscribe }}">Unsubscribe</a></mj-text>
</mj-column></mj-section></mj-body></mjml>`;

test('an audience has one count on all screens, and empty merge tags are counted', async ({
  page,
  api,
  server,
  organization,
}) => {
  await addContacts(server.databaseUrl, organization.id);
  const email = await prepareEmail(api, organization.id, { contacts: [], mjml });
  const workspace = `/o/${organization.id}/touchpoints/${email.touchpointId}`;

  await test.step('the review counts recipients with empty merge tags', async () => {
    await goTo(page, `${workspace}/email`);
    const tags = page.getByRole('listitem').filter({ has: page.getByText('Merge tags', { exact: true }) });
    await expect(tags.first()).toContainText('Blocked');
    await expect(tags.first()).toContainText('There is no field nachnahme in contacts');
    await expect(tags.first()).toContainText('contact.company is empty for 232 of 1,160: add a fallback');
    await expect(tags.first()).toContainText('contact.city is not counted');
    await expect(page.getByRole('button', { name: 'Send now' })).toHaveAttribute('aria-disabled', 'true');

    // While another text is edited: its words stay where they are.
    await page.getByRole('treeitem', { name: /^Text: How are things/ }).click();
    const text = page.getByRole('textbox', { name: 'Text', exact: true });
    await expect(text).toBeFocused();
    await tags.first().getByRole('button', { name: 'Line 4:' }).click();
    await expect(text).toHaveCount(0);
    // The problem is shown at its block.
    const block = page.getByRole('treeitem', { name: /^Text: Dear .*: 1 problem$/ });
    await expect(block).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('region', { name: 'Properties' })).toContainText('nachnahme');
    await typeIntoCodeEditor(page, mjml.replace('nachnahme', 'first_name'));
    await expect(page.getByText(/^Saved \d/).first()).toBeVisible();
    await choose(page, 'Preview as', 'person5@contacts.example');
    await expect(page.getByText('contact.company is empty for this contact.')).toBeVisible();
    await choose(page, 'Preview as', 'person6@contacts.example');
    await expect(page.getByText('contact.company is empty for this contact.')).toBeHidden();
    await expect(tags.first()).toContainText('Check');
    await expect(tags.first()).not.toContainText('nachnahme');
    await expect(page.getByRole('button', { name: 'Send now' })).toBeEnabled();

    // What is not counted is nothing to check.
    await typeIntoCodeEditor(
      page,
      mjml.replace('nachnahme', 'first_name').replace('contact.company', 'contact.company | default: "work"'),
    );
    await expect(tags.first()).toContainText(
      'Not counted, because they are in conditions, loops or expressions: contact.city.',
    );
    await expect(tags.first()).not.toContainText('Check');
  });

  await test.step('an audience has one localized count on all screens', async () => {
    await runSql(
      server.databaseUrl,
      `insert into choices (kind, organization_id, id, brand_id, address_key, value)
        values ('suppression', $1, gen_random_uuid(), $2, 'person7@contacts.example', 'unsubscribe')`,
      [organization.id, email.brandId],
    );
    await goTo(page, `/o/${organization.id}/audiences/${email.filterId}`);
    await expect(breakdownNumber(page, 'Will receive the email')).toHaveText('up to 1,160');
    await expect(breakdownNumber(page, 'from Nordwind')).toHaveText('1,159');

    await goTo(page, `${workspace}/email`);
    // At the audience and in the review.
    await expect(breakdownNumber(page, 'Will receive the email')).toHaveText(['1,159', '1,159']);
    await expect(page.getByText('1,159 recipients')).toBeVisible();
    await page.getByRole('button', { name: 'Send now' }).click();
    await expect(page.getByRole('dialog', { name: 'Send to 1,159 recipients for Nordwind?' })).toBeVisible();

    await page.evaluate(() => localStorage.setItem('reachout.language', 'de'));
    await api.patch('/me/preferences', { preferences: { language: 'de' } });
    await goTo(page, `${workspace}/email`);
    await expect(page.getByText('1.159 Empfänger')).toBeVisible();
    await goTo(page, `/o/${organization.id}/audiences/${email.filterId}`);
    await expect(breakdownNumber(page, 'Erhalten die E-Mail')).toHaveText('bis zu 1.160');
    const sample = page.getByRole('region', { name: 'Stichprobe passender Kontakte' });
    await expect(sample.getByText('09.03.1990')).toHaveCount(10);
  });
});
