import { readFile } from 'node:fs/promises';
import { expect, test } from './fixtures.ts';
import { startServer } from './start-server.ts';
import { perform, Reader, readTutorial } from './tutorial.ts';

const page = new URL('../docs/tutorial.md', import.meta.url);

test('every step of the tutorial does what the page says', async ({ page: tab }) => {
  test.setTimeout(300_000);
  const markdown = await readFile(page, 'utf8');
  const server = await startServer({}, [], readTutorial(markdown).command);
  try {
    const tutorial = readTutorial(markdown, new URL(server.url).host);
    for (const line of tutorial.output) expect(server.lines).toContain(line);
    await perform(new Reader(server, tab), tutorial);
    const items = markdown.split('\n').filter((line) => /^\d+\. /.test(line));
    expect(new Set(tutorial.steps.map(({ line }) => line)).size, 'each item is performed').toBe(items.length);
  } finally {
    await server.stop();
  }
});

test('a step or block that the test cannot perform is refused', () => {
  const start = '```sh\nnpm start\n```\n';
  expect(() => readTutorial(`${start}1. Click **Send**.\n2. Click on **Send**.`)).toThrow(
    /Line 5: “Click on/,
  );
  expect(() => readTutorial(`${start}1. Click **Send**. Then wait.`)).toThrow('“Then wait.”');
  expect(() => readTutorial(`${start}Look:\n\n\`\`\`json\n{}\n\`\`\``)).toThrow('nothing says');
});
