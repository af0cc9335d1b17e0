import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Locator, Page } from '@playwright/test';
import { startFilm, type Film } from './film.ts';
import { root } from './run-command.ts';
import { withDemo } from './with-demo.ts';

// npm run readme:film: starts Reachout with a new demo, and records the film of the README: from the dashboard to a sent
// email, and results. It takes slightly longer than a send waits before it starts.

await withDemo({ width: 1280, height: 720 }, makeFilm);

async function makeFilm(page: Page, browser: Browser): Promise<void> {
  const film = await startFilm(page, browser);
  await film.caption('One agency, three clients, six brands');
  await film.hold(2_000);
  await film.scrollTo(page.getByRole('heading', { name: 'Results', exact: true }), 70);
  await film.hold(2_000);
  await film.scrollTo(page.getByRole('heading', { name: 'Dashboard' }), 70);
  await startEmail(page, film);
  await writeEmail(page, film);
  await sendEmail(page, film);
  await showResults(page, film);
  await film.save(join(root, 'docs/pictures/film.webp'));
}

async function startEmail(page: Page, film: Film): Promise<void> {
  const brand = page.getByRole('combobox', { name: 'Brand' });
  const option = page.getByRole('option', { name: 'Morrow Coffee' });
  const earlier = page.getByRole('region', { name: 'Earlier email' }).getByRole('button').first();
  await film.caption('A new email begins with its brand');
  await film.click(page.getByRole('link', { name: 'New email' }), brand);
  await film.click(brand, option);
  await film.click(option, earlier);
  await film.caption('Start from a goal, an earlier email or a template');
  await film.click(earlier, inboxOf(page));
}

function inboxOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Inbox preview' });
}

async function writeEmail(page: Page, film: Film): Promise<void> {
  await film.caption('Write, and see it as a real person will');
  await film.scrollTo(section(page, 'Content'), 70);
  await film.click(page.getByLabel('Subject', { exact: true }));
  await page.keyboard.press('ControlOrMeta+a');
  await film.type('{{ contact.first_name }}, the advent box is here');
  const filledIn = inboxOf(page).getByText(/^[^{]+, the advent box is here$/);
  await film.watch(filledIn, { everyMs: 300, durationMs: 300 });
  await film.hold(1_800);

  await film.caption('The audience, counted: who gets it, and who is left out');
  await film.scrollTo(section(page, 'Audience'), 70);
  await film.hold(2_200);
}

async function sendEmail(page: Page, film: Film): Promise<void> {
  const tested = page.getByText('A test was sent since the last change.').first();
  const dialog = page.getByRole('dialog', { name: /^Send to \d+ recipients/ });
  await film.caption('Checked before anybody gets it');
  await film.scrollTo(section(page, 'Test and send'), 70);
  await film.click(page.getByRole('button', { name: 'Send me a test' }), tested);
  await film.hold(1_500);
  await film.caption('In whose name, to how many, and when: then it goes');
  await film.click(page.getByRole('button', { name: 'Send now' }), dialog);
  await film.hold(1_500);
  await film.click(
    dialog.getByRole('button', { name: /^Send to \d+ recipients/ }),
    page.getByText(/^Starts in \d+ seconds/).first(),
  );
  await film.caption('For one minute it can be called back');
  await film.hold(1_000);
  await film.watch(page.getByText(/^Completed: /).first(), { everyMs: 3_500, durationMs: 200 });
  await film.caption('Every recipient is in exactly one state');
  await film.hold(2_500);
}

async function showResults(page: Page, film: Film): Promise<void> {
  const opens = page.getByRole('button', { name: /^Opens/ });
  const best = page.getByRole('main').getByRole('row').nth(1).getByRole('link').first();
  const first48Hours = page.getByText('First 48 hours').first();
  await film.caption('All campaigns side by side, the most opened first');
  await film.click(mainLink(page, 'Campaigns'), opens);
  await film.click(opens);
  await showPictures(film);
  await film.click(best, page.getByRole('link', { name: 'New email' }));
  await film.click(opens);
  await showPictures(film);
  await film.caption('Who opened, what was clicked, and when');
  await film.click(best, first48Hours);
  await film.click(first48Hours);
  await film.scrollTo(page.getByRole('heading', { name: 'Over time' }), 80);
  await film.hold(3_500);
}

/** Waits for the pictures of emails, which load one after the other. */
async function showPictures(film: Film): Promise<void> {
  await delay(4_000);
  await film.hold(2_000);
}

function section(page: Page, name: string): Locator {
  return page.getByRole('heading', { level: 2, name, exact: true });
}

function mainLink(page: Page, name: string): Locator {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
}
