import type { Page } from '@playwright/test';

/** Language, theme and size of a page. */
export interface Look {
  language: 'en' | 'de';
  theme: 'light' | 'dark';
  width: number;
  /** In percent of the default, as users set it in their browser. */
  textSize?: number;
}

/**
 * Changes the page in place, as when another tab of the browser stores preferences.
 * @param inspections  expressions that run in the page afterwards, and each return a list of faults
 * @returns the faults
 */
export async function changeLook(
  page: Page,
  { width, textSize = 100, ...look }: Look,
  inspections: readonly string[] = [],
): Promise<string[]> {
  // A low viewport keeps the files of pictures small: all of them together are 3 MB.
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 720 });
  return await page.evaluate<string[]>(`(async () => [
    ...await (${showLook})(${JSON.stringify({ ...look, textSize })}),
    ${inspections.map((inspection) => `...${inspection},`).join('\n')}
  ])()`);
}

/** Runs in the page. */
const listMovements = `() => document.getAnimations()
  .filter(({ playState }) => playState === 'running')
  .map(({ transitionProperty, animationName, effect }) =>
    [transitionProperty ?? animationName, effect.target.outerHTML.slice(0, 100)].join(' of '))`;

/**
 * Runs in the page: waits for the look and for all loading to end. One call from the test runner replaces thousands of
 * single queries. @returns the faults, which include animations: the browsers of all tests prefer reduced motion
 */
const showLook = `async ({ language, theme, textSize }) => {
  const key = 'reachout.preferences';
  const newValue = JSON.stringify({ language, theme });
  const html = document.documentElement;
  html.style.fontSize = textSize === 100 ? '' : textSize + '%';
  const findUnfinished = () => {
    const busy = document.querySelector('[aria-busy=true]');
    return [
      ...(html.lang === language ? [] : ['its language is ' + html.lang]),
      ...(html.dataset.mantineColorScheme === theme ? [] : ['its theme is ' + html.dataset.mantineColorScheme]),
      ...(busy === null ? [] : ['still loads: ' + busy.outerHTML.slice(0, 100)]),
    ];
  };
  // A chart is drawn anew for another width, which takes it a moment.
  const isTooWide = () => document.scrollingElement.scrollWidth > innerWidth;
  const movements = new Set();
  const start = performance.now();
  let stored = -Infinity;
  let unfinished = [];
  let settledFrames = 0;
  while (settledFrames < 2 && performance.now() - start < 20_000) {
    // Again where nobody listened yet.
    if (performance.now() - stored > 2_000) {
      localStorage.setItem(key, newValue);
      dispatchEvent(new StorageEvent('storage', { key, newValue }));
      stored = performance.now();
    }
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    for (const movement of (${listMovements})()) movements.add('moves: ' + movement);
    unfinished = findUnfinished();
    settledFrames = unfinished.length === 0 && !isTooWide() ? settledFrames + 1 : 0;
  }
  return [...unfinished, ...movements];
}`;
