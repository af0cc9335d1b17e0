import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumArgs, findOrInstallChromium } from './chromium.ts';
import { logos, pictures } from './demo-art.ts';
import { root } from './run-command.ts';

// npm run demo:draw: converts the logos and pictures of the demo to PNG, at twice their display size.

const kinds = [
  { drawings: logos, folder: 'apps/server/src/operations/demo/logos', width: 128, height: 128 },
  { drawings: pictures, folder: 'apps/web/public/demo', width: 600, height: 240 },
];

const browser = await chromium.launch({
  executablePath: await findOrInstallChromium(),
  args: [...chromiumArgs],
});
for (const { drawings, folder, ...viewport } of kinds) {
  await mkdir(join(root, folder), { recursive: true });
  const page = await browser.newPage({ viewport, deviceScaleFactor: 2 });
  for (const [name, svg] of Object.entries(drawings)) {
    await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`);
    const image = await page.screenshot({ omitBackground: true });
    await writeFile(join(root, folder, `${name}.png`), image);
  }
}
await browser.close();
