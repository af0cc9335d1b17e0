import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { root } from './run-command.ts';

const font = join(root, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');

/** Renders captions in the font of the product, on a separate page. */
export async function drawCaptions(
  browser: Browser,
  viewport: { width: number; height: number },
): Promise<(text: string) => Promise<Buffer>> {
  const page = await browser.newPage({ viewport });
  const source = (await readFile(font)).toString('base64');
  return async (text) => {
    await page.setContent(`<style>
      @font-face { font-family: Caption; font-weight: 100 900; src: url(data:font/woff2;base64,${source}) }
      body { display: grid; place-items: center; height: 100vh; margin: 0; color: #fff; background: #191e27;
        font: 500 20px Caption }
    </style><p>${text}</p>`);
    await page.evaluate('document.fonts.ready');
    return await page.screenshot();
  };
}
