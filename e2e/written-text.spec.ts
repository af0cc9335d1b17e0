import { readdirSync, readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { createRandom } from '../apps/server/src/platform/random.ts';
import { writeAtRandom, type Hand } from '../apps/web/src/content/editor/text/random-writing.ts';
import { prepareEmail } from './api.ts';
import { expect, test } from './fixtures.ts';

/** @param texts  contents of text blocks, which are named by their number */
const emailOf = (texts: readonly string[]): string => `<mjml>
  <mj-body>
    <mj-section>
      <mj-column>
${texts.map((text, index) => `        <mj-text css-class="text-${index}">${text}</mj-text>`).join('\n')}
        <mj-text><a href="{{ links.unsubscribe }}">Unsubscribe</a></mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;

const textsOf = (page: Page): Locator => page.getByRole('treeitem', { name: /^(?:Text|Heading): / });

/** Opens a text, of which all is selected. */
async function editText(page: Page, index: number): Promise<Locator> {
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  // The canvas may be drawn anew between the click and the focus.
  await expect(async () => {
    await textsOf(page).nth(index).click();
    await expect(text).toBeFocused({ timeout: 5_000 });
  }).toPass({ timeout: 40_000 });
  await page.keyboard.press('ControlOrMeta+a');
  return text;
}

/** As the browser does for a paste or a drop, which no test can do with the formats of other programs. */
const give = async (page: Page, type: 'paste' | 'drop', html: string, plain = ''): Promise<void> =>
  await page.evaluate(`(${dispatch})(${editedText}, ${JSON.stringify({ type, html, plain })})`);

const editedText = `document.querySelector('.ProseMirror')`;

const dispatch = `(element, { type, html, plain }) => {
  const data = new DataTransfer();
  if (html !== '') data.setData('text/html', html);
  data.setData('text/plain', plain);
  const { left, top } = element.getBoundingClientRect();
  const init = { bubbles: true, cancelable: true, clientX: left + 1, clientY: top + 8 };
  element.dispatchEvent(
    type === 'paste'
      ? new ClipboardEvent('paste', { ...init, clipboardData: data })
      : new DragEvent('drop', { ...init, dataTransfer: data }),
  );
}`;

/** Of a website; other programs are in the tests of `edit-text.ts`. */
const copied = {
  html: `<meta charset='utf-8'><article style="color: rgb(0, 0, 0); font-weight: 400; white-space: normal;"><header><h1 style="font-weight: 700;">News</h1></header><section><p style="font-weight: 400;">CO<sub>2</sub>: <a href="/local">less</a> <strong style="font-weight: 700;"><em>now</em></strong></p><figure><img src="https://harbor.example/x.jpg" alt="Harbor at night"><figcaption>At night</figcaption></figure><blockquote><p>Great</p></blockquote><svg><text>x</text></svg><ol><li>a</li><li>b</li></ol></section></article>`,
  written:
    '<h1>News</h1><p style="margin:0 0 16px">CO<sub>2</sub>: less <strong><em>now</em></strong></p><p style="margin:0 0 16px">At night</p><blockquote>Great</blockquote><ol><li>a</li><li>b</li></ol>',
};

test('libraries make no policy for markup that the server forbids', async ({ request }) => {
  const header = (await request.get('/')).headers()['content-security-policy']!;
  const allowed = /trusted-types ([^;]+)/.exec(header)![1]!.split(' ');
  const folder = 'apps/web/dist/assets';
  const made = readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/\.createPolicy\(([^,]+),/g)])
    .map(([, name]) => name!);
  expect(made.length).toBeGreaterThan(1);
  // Names in variables are those of trusted-types.ts. The text editor reads what is pasted before ProseMirror would make its policy.
  const names = new Set(made.map((name) => /^["'`](.*)["'`]$/.exec(name)?.[1] ?? 'default'));
  expect([...names].filter((name) => !allowed.includes(name))).toEqual(['ProseMirrorClipboard']);
});

interface Shown {
  letter: string;
  /** In pixels, like y; null behind a merge tag. */
  x: number | null;
  y: number;
  look: string;
}

/** @returns the letters of an element, with what a person sees of them */
const lettersOf = async (page: Page, element: string): Promise<{ shown: Shown[]; height: number }> =>
  await page.evaluate(`(${measure})(${element})`);

const measure = `(element) => {
  const shown = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let first;
  // In the editor, a merge tag is wider than its value.
  let tagLine;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    const chip = parent.closest('[data-liquid]');
    if (chip?.dataset.liquid.startsWith('{%')) {
      range.selectNodeContents(node);
      first ??= range.getBoundingClientRect();
      tagLine = Math.round(range.getBoundingClientRect().top - first.top);
      continue;
    }
    const { fontWeight, fontStyle, fontSize } = getComputedStyle(parent);
    const look = [
      Number(fontWeight) >= 600 && 'bold',
      fontStyle === 'italic' && 'italic',
      parent.closest('a') !== null && 'link',
      parent.closest('u') !== null && 'underlined',
      fontSize,
    ].join();
    for (const [index, letter] of [...(chip ? 'Ada' : node.data)].entries()) {
      if (letter.trim() === '') continue;
      range.selectNodeContents(node);
      if (!chip) {
        range.setStart(node, index);
        range.setEnd(node, index + 1);
      }
      const rect = range.getBoundingClientRect();
      first ??= rect;
      const y = Math.round(rect.top - first.top);
      if (chip) tagLine = y;
      shown.push({ letter, x: tagLine === y ? null : Math.round(rect.left - first.left), y, look });
    }
  }
  return { shown, height: Math.round(element.getBoundingClientRect().height) };
}`;

/** At the keyboard, in the text that is edited. */
const handOf = (page: Page): Hand => ({
  type: (text) => page.keyboard.insertText(text),
  press: (key) => page.keyboard.press(key),
  mark: async (mark) => {
    for (let size = 0; size < 3; size += 1) await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press(`ControlOrMeta+${mark[0]}`);
    await page.keyboard.press('ArrowRight');
  },
  paste: (html) => give(page, 'paste', html),
});

test('a message shows what was written, pasted and dropped as its editor does', async ({
  page,
  context,
  api,
  organization,
}) => {
  // The texts that are written are as many as let each word, key and paste occur; the tests of `edit-text.ts` compare the
  // lines of more of them.
  const [pasted, dropped, ofClipboard, ...written] = [0, 1, 2, 3, 4, 5, 6] as const;
  const texts = [pasted, dropped, ofClipboard, ...written].map((index) => `Text ${index}`);
  const { touchpointId } = await prepareEmail(api, organization.id, { mjml: emailOf(texts) });
  const stored = async () => (await api.get<{ mjml: string }>(`/touchpoints/${touchpointId}/email`)).mjml;
  const contentOf = (source: string, index: number) =>
    new RegExp(`css-class="text-${index}">([^]*?)</mj-text>`).exec(source)?.[1];
  const message = await context.newPage();
  await message.setViewportSize({ width: 640, height: 1400 });
  await page.setViewportSize({ width: 1440, height: 1400 });
  await page.goto(`/o/${organization.id}/touchpoints/${touchpointId}/email`);

  await test.step('pasted and dropped texts keep what an email can have', async () => {
    await editText(page, pasted);
    await give(page, 'paste', copied.html, 'plain words');
    // Of images, which no text can have, it is said that they are left out.
    await expect(page.getByRole('alert')).toContainText('1 image was not pasted (Harbor at night).');
    await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
    // In front of the text.
    await editText(page, dropped);
    await give(page, 'drop', '<b>{{ contact.</b>first_name }}, ');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(
      'navigator.clipboard.write([new ClipboardItem({ "text/html": new Blob(["<p>A <b>b</b></p><p>c</p>"], { type: "text/html" }) })])',
    );
    const edited = await editText(page, ofClipboard);
    await page.keyboard.press('ControlOrMeta+v');
    await expect(edited.getByText('b', { exact: true })).toHaveCSS('font-weight', /700|bolder/);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+x');
    await page.keyboard.press('ControlOrMeta+v');
  });

  const seen = new Map<number, Awaited<ReturnType<typeof lettersOf>>>();
  for (const [again, round] of ['first', 'second'].entries())
    await test.step(`what is written in the ${round} round is shown by the message`, async () => {
      for (const index of written) {
        await editText(page, index);
        // What was written before is continued.
        if (again > 0) for (const key of ['ControlOrMeta+End', 'Enter']) await page.keyboard.press(key);
        await page.keyboard.insertText(`${round}${index}`);
        await writeAtRandom(handOf(page), createRandom(index + again * written.length));
        seen.set(index, await lettersOf(page, editedText));
        await page.keyboard.press('Escape');
      }
      // Without the pause after which it is saved anyway.
      await page.keyboard.press('ControlOrMeta+s');
      await expect.poll(stored, { intervals: [50] }).toContain(`${round}${written.at(-1)}`);
      const source = await stored();
      // A busy server has no time for a preview.
      await expect(async () => {
        const path = `/touchpoints/emails/preview/${touchpointId}`;
        await message.setContent((await api.post<{ html: string }>(path, {})).html);
        expect(await message.locator('.text-0').count(), source).toBe(1);
      }).toPass({ timeout: 60_000 });
      for (const [index, expected] of seen) {
        const { shown, height } = await lettersOf(message, `document.querySelector('.text-${index} > div')`);
        const ofText = contentOf(source, index);
        expect(
          shown.map(({ letter, look }) => `${letter} ${look}`),
          ofText,
        ).toEqual(expected.shown.map(({ letter, look }) => `${letter} ${look}`));
        for (const [at, { x, y }] of expected.shown.entries()) {
          const { letter, x: left, y: top } = shown[at]!;
          const place = `letter ${at}, ${letter}, of ${ofText}`;
          expect(Math.abs(top - y), place).toBeLessThan(3);
          if (x !== null) expect(Math.abs((left ?? 0) - x), place).toBeLessThan(4);
        }
        expect(Math.abs(height - expected.height), `height of ${ofText}`).toBeLessThan(4);
      }
      expect(contentOf(source, pasted)).toBe(copied.written);
      expect(contentOf(source, dropped)).toBe('<b>{{ contact.first_name }}</b>,Text 1');
      expect(contentOf(source, ofClipboard)).toMatch(
        /^<p style="margin:0 0 16px">A <(b|strong)>b<\/\1><\/p><p style="margin:0">c<\/p>$/,
      );
      await page.reload();
      await expect(textsOf(page)).toHaveCount(texts.length + 1);
    });
});
