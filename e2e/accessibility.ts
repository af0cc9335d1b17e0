import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';

const axeSource = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Asks axe, which is injected once for each page that was loaded: it is half a megabyte to send and to compile.
 * @param isWhole  with what all pages have in common
 * @returns serious violations of WCAG 2.2 AA
 */
export async function findAccessibilityFaults(page: Page, isWhole: boolean): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axeSource);
  return await page.evaluate<string[]>(`(${audit})(${isWhole})`);
}

/**
 * Runs in the page. What stands in a previewed email is its author's. All pages have the same navigation, and the same
 * style sheet, which the rule about turned screens reads as a whole.
 */
const audit = `async (isWhole) => {
  const { violations } = await axe.run({ exclude: [['iframe'], ...(isWhole ? [] : [['#root > div > aside']])] }, {
    runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
    rules: { 'css-orientation-lock': { enabled: isWhole } },
    preload: isWhole,
    resultTypes: ['violations'],
  });
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'color-contrast')
    .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | '));
}`;
