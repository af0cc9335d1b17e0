import { gzipSync } from 'node:zlib';
import { starterMjml } from '../apps/server/src/content/templates/starters.ts';
import { median, toMetric, type Metric } from './support/metric.ts';
import { readNumber, say } from './support/options.ts';
import { readCookies, withWebApp } from './support/web-app.ts';

// The email editor with a source of 100 kB, on a desktop with an empty browser cache: until its blocks can be selected; from each
// pressed key until its letter is painted, in a text that is edited in place (p95); and from the last key until
// the canvas shows the newly compiled email. Values are medians of `--repeats` loads.

export const metrics = ['editor_open', 'editor_input', 'editor_compile'];

const sourceBytes = 100_000;
const ceilings = { openMs: 1_500, inputMs: 50, compileMs: 500 };
const pressedKeys = 60;
const typingPauseMs = 90;

export const run = (): Promise<Metric[]> =>
  withWebApp(async ({ browser, url, cookie, organizationId }) => {
    const response = await fetch(`${url}/api/content/${organizationId}/templates`, {
      method: 'POST',
      headers: { cookie, origin: 'http://localhost:3000', 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Large', mjml: largeSource() }),
    });
    if (!response.ok)
      throw new Error(`The template was refused: ${response.status} ${await response.text()}`);
    const { id } = (await response.json()) as { id: string };
    const opened: number[] = [];
    const typed: number[] = [];
    const compiled: number[] = [];
    let kb = 0;
    for (let turn = 0; turn < readNumber('repeats', 5); turn += 1) {
      const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
      await context.addCookies(readCookies(cookie, url));
      const page = await context.newPage();
      const sizes: Promise<number>[] = [];
      page.on('response', (one) => {
        if (one.request().resourceType() === 'script')
          sizes.push(one.body().then((body) => gzipSync(body).length));
      });
      await page.addInitScript(watch);
      await page.goto(`${url}/o/${organizationId}/templates/${id}`);
      const text = page.getByRole('treeitem', { name: /^Text: Middle of the email/ });
      await text.waitFor();
      opened.push(await page.evaluate<number>('window.editorOpened'));
      await text.click();
      await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
      await page.evaluate('window.keyDurations.length = 0');
      await page.keyboard.type('abcdefghij'.repeat(Math.ceil(pressedKeys / 10)).slice(0, pressedKeys), {
        delay: typingPauseMs,
      });
      await page.waitForFunction(
        () => (globalThis as { editorCompiled?: number }).editorCompiled !== undefined,
      );
      const durations = await page.evaluate<number[]>('window.keyDurations');
      // The browser reports only durations of 16 ms and more.
      const all = [
        ...durations,
        ...Array.from({ length: Math.max(0, pressedKeys - durations.length) }, () => 16),
      ];
      typed.push(all.toSorted((one, other) => one - other)[Math.floor(all.length * 0.95)]!);
      compiled.push(await page.evaluate<number>('window.editorCompiled'));
      kb = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1_000;
      await context.close();
    }
    say(
      `  opened ${opened.map(Math.round).join(', ')} ms; keys ${typed.join(', ')} ms; compiled ${compiled.map(Math.round).join(', ')} ms`,
    );
    say(`  all scripts of the page, compressed: ${Math.round(kb)} kB`);
    return [
      toMetric('editor_open', median(opened), 'ms', ceilings.openMs),
      toMetric('editor_input', median(typed), 'ms', ceilings.inputMs),
      toMetric('editor_compile', median(compiled), 'ms', ceilings.compileMs),
    ];
  });

/** A newsletter with so many sections that it has 100 kB. */
function largeSource(): string {
  const source = starterMjml('newsletter', 'en');
  const end = source.lastIndexOf('</mj-body>');
  const section = (number: number) => `    <mj-section background-color="#ffffff">
      <mj-column>
        <mj-text><h2 style="margin:0;font-size:20px">Story ${number}</h2></mj-text>
        <mj-text>${number === 100 ? 'Middle of the email' : 'Words of a story'} for {{ contact.first_name | default: "you" }}, with a <a href="https://example.com/${number}">link</a>.</mj-text>
      </mj-column>
    </mj-section>
`;
  let sections = '';
  for (let number = 1; source.length + sections.length < sourceBytes; number += 1)
    sections += section(number);
  return source.slice(0, end) + sections + source.slice(end);
}

/** Runs in the page before all other scripts. */
const watch = `(() => {
  window.keyDurations = [];
  const watched = new WeakSet();
  let lastKey = 0;
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') window.keyDurations.push(duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  addEventListener('keydown', () => { lastKey = performance.now(); window.editorCompiled = undefined; }, true);
  new MutationObserver(() => {
    if (window.editorOpened === undefined && document.querySelector('[role=treeitem]')) window.editorOpened = performance.now();
    const body = document.querySelector('iframe[sandbox]')?.contentDocument?.body;
    if (!body || watched.has(body)) return;
    watched.add(body);
    new MutationObserver(() => { if (lastKey > 0) window.editorCompiled = performance.now() - lastKey; })
      .observe(body, { childList: true });
  }).observe(document, { childList: true, subtree: true });
})()`;
