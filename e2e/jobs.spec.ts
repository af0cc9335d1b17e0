import { randomUUID } from 'node:crypto';
import { runSql } from './database.ts';
import { expect, test } from './fixtures.ts';
import { operatorEmail } from './server.ts';
import { goTo } from './steps.ts';

test('only an operator can see and retry failed jobs', async ({ page, organization, person, server }) => {
  await goTo(page, '/operator/jobs');
  await expect(page.getByText('Only operators of this installation')).toBeVisible();

  const id = randomUUID();
  await runSql(
    server.databaseUrl,
    `insert into jobs (organization_id, id, kind, key, payload, state, attempts, error_content, ended_at)
      values ($1, $2, 'import', 'file', $3, 'failed', 10, 'TypeError', now())`,
    [organization.id, id, { import_id: id }],
  );
  await runSql(server.databaseUrl, 'update users set email = $1 where email = $2', [
    operatorEmail,
    person.email,
  ]);
  await goTo(page, '/operator/jobs?state=failed&kind=import');
  const row = page.getByRole('row').filter({ hasText: organization.name });
  await expect(row).toContainText(/CSV import.*Failed.*10.*TypeError/);
  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Try again' }).click();
  await expect(row).toHaveCount(0);

  await page.getByRole('button', { name: 'Clear filters' }).click();
  const figures = page.getByRole('table', { name: 'Jobs by kind' });
  await expect(figures).toContainText('Retention');

  // On a phone, every number is visible.
  await page.setViewportSize({ width: 390, height: 844 });
  const failed = figures.getByRole('row').filter({ hasText: 'Retention' }).getByRole('cell').nth(2);
  await failed.scrollIntoViewIfNeeded();
  await expect
    .poll(async () => {
      const { x, width } = (await failed.boundingBox())!;
      return x + width;
    })
    .toBeLessThanOrEqual(390);
  await expect
    .poll(() => figures.evaluate(({ parentElement: region }) => region!.scrollWidth > region!.clientWidth))
    .toBe(false);
});
