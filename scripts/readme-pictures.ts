import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { root } from './run-command.ts';
import { findBestResults, withDemo } from './with-demo.ts';

// npm run readme:pictures: starts Reachout with a new demo, and takes the screenshots of the README.

const viewport = { width: 1280, height: 800 };

await withDemo(viewport, takePictures);

async function takePictures(page: Page): Promise<void> {
  await writePicture(
    'dashboard',
    await page.screenshot({ clip: { x: 0, y: 0, ...viewport, height: 940 }, fullPage: true }),
  );
  await page.goto((await findBestResults(page)).url);
  await page.getByText('First 48 hours').first().click();
  await page.waitForLoadState('networkidle');
  await writePicture('results', await page.screenshot());
}

async function writePicture(name: string, png: Buffer): Promise<void> {
  const small = await sharp(png).png({ palette: true, effort: 10 }).toBuffer();
  await writeFile(join(root, 'docs/pictures', `${name}.png`), small);
}
