import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';

const axeSource = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Runs axe. Injects it once per page load, since it is half a megabyte to send and compile.
 * @param isWhole  include the parts that all pages share
 * @returns serious violations of WCAG 2.2 AA
 */
export async function findAccessibilityFaults(page: Page, isWhole: boolean): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`)))
    await page.evaluate(`${axeSource};${rememberColors}`);
  return await page.evaluate<string[]>(`(${audit})(${isWhole})`);
}

/**
 * Runs in the page: axe parses the colors of each element and of all behind it, a quarter of its time, and a page has a dozen.
 */
const rememberColors = `(() => {
  const { prototype } = axe.commons.color.Color;
  const { parseString } = prototype;
  const known = new Map();
  prototype.parseString = function (text) {
    if (!known.has(text)) {
      const { r, g, b, alpha } = parseString.call(this, text);
      known.set(text, { r, g, b, alpha });
    }
    return Object.assign(this, known.get(text));
  };
})()`;

/**
 * Runs in the page. Excludes previewed emails, whose content is their author's. The navigation, and the rule about screen
 * orientation, which reads the whole style sheet, are the same on all pages and only checked with `isWhole`.
 */
const audit = `async (isWhole) => {
  const { violations } = await axe.run({ exclude: [['iframe'], ...(isWhole ? [] : [['#root > div > aside']])] }, { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
    rules: { 'css-orientation-lock': { enabled: isWhole } },
    preload: isWhole,
    resultTypes: ['violations'],
  });
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'color-contrast')
    .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | '));
}`;
