import { readdirSync, readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { prepareEmail, type Api } from './api.ts';
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

const openEmail = async (page: Page, api: Api, organizationId: string, texts: readonly string[]) => {
  const { touchpointId } = await prepareEmail(api, organizationId, { mjml: emailOf(texts) });
  await page.setViewportSize({ width: 1440, height: 1400 });
  await page.goto(`/o/${organizationId}/touchpoints/${touchpointId}/email`);
  const stored = async () => (await api.get<{ mjml: string }>(`/touchpoints/${touchpointId}/email`)).mjml;
  return {
    touchpointId,
    stored,
    /** The stored content of a text. */
    text: async (index: number) =>
      new RegExp(`css-class="text-${index}">([^]*?)</mj-text>`).exec(await stored())?.[1],
  };
};

const editText = async (page: Page, words: string): Promise<Locator> => {
  await page.getByRole('treeitem', { name: `Text: ${words}`, exact: true }).click();
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  await expect(text).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  return text;
};

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

/** What other programs put into the clipboard, and what is stored of it. */
const copies: Record<string, { html: string; written: string }> = {
  'Google Docs': {
    html: `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-8f"><h2 dir="ltr" style="line-height:1.38;margin-top:18pt;"><span style="font-size:16pt;font-weight:400;white-space:pre-wrap;">Harbor</span></h2><p dir="ltr" style="line-height:1.38;"><span style="font-size:11pt;font-weight:400;white-space:pre-wrap;">We </span><span style="font-weight:700;white-space:pre-wrap;">moved</span><span style="font-weight:400;font-style:italic;white-space:pre-wrap;"> at  last</span><span style="font-weight:400;white-space:pre-wrap;"> to </span><a href="https://harbor.example/?a=1&amp;b=2" style="text-decoration:none;"><span style="color:#1155cc;text-decoration:underline;white-space:pre-wrap;">the pier</span></a></p><br /><ul style="margin-top:0;padding-inline-start:48px;"><li dir="ltr" style="list-style-type:disc;" aria-level="1"><p dir="ltr" role="presentation"><span style="white-space:pre-wrap;">Boats</span></p></li><ul><li aria-level="2"><p role="presentation"><span>Small</span></p></li></ul></ul></b><br class="Apple-interchange-newline">`,
    written:
      '<h2>Harbor</h2>We <strong>moved</strong><em> at&nbsp; last</em> to <a href="https://harbor.example/?a=1&b=2">the pier</a><ul><li>Boats<ul><li>Small</li></ul></li></ul>',
  },
  'Google Sheets': {
    html: `<google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" dir="ltr" border="1" data-sheets-root="1"><colgroup><col width="100"/><col width="100"/></colgroup><tbody><tr style="height:21px;"><td style="font-weight:bold;">Boat</td><td style="font-weight:bold;">Price</td></tr><tr style="height:21px;"><td>Anna</td><td data-sheets-value="{&quot;1&quot;:3,&quot;3&quot;:49.9}">49.90</td></tr></tbody></table>`,
    written: '<strong>Boat</strong> <strong>Price</strong><br />Anna 49.90',
  },
  Word: {
    html: `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><!--[if gte mso 9]><xml><w:WordDocument></w:WordDocument></xml><![endif]--><style><!-- p.MsoNormal {margin:0cm; font-size:12.0pt;} @list l0:level1 {mso-level-number-format:bullet;} --></style></head><body lang=EN-US><!--StartFragment--><p class=MsoNormal>Dear <b>all</b>,<o:p></o:p></p>\n<p class=MsoNormal><o:p>&nbsp;</o:p></p>\n<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>One<o:p></o:p></p>\n<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><!--[if !supportLists]--><span style='mso-list:Ignore'>o<span>&nbsp;&nbsp; </span></span><!--[endif]-->Two<o:p></o:p></p>\n<p class=MsoListParagraphCxSpLast style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp; </span></span><i>Three</i><o:p></o:p></p><!--EndFragment--></body></html>`,
    written: 'Dear <b>all</b>,<ul><li>One<ul><li>Two</li></ul></li></ul><ol><li><i>Three</i></li></ol>',
  },
  Gmail: {
    html: `<meta charset='utf-8'><div dir="ltr">Hello <b>you</b>,<div><br></div><div>see <a href="https://harbor.example/" target="_blank" data-saferedirecturl="https://www.google.com/url?q=x">this</a> <img alt="⛵" class="an1" src="https://fonts.gstatic.com/x.png"></div><div>soon</div></div>`,
    written:
      '<p style="margin:0 0 16px">Hello <b>you</b>,</p><p style="margin:0">see <a href="https://harbor.example/">this</a> ⛵<br />soon</p>',
  },
  'a website': {
    html: `<meta charset='utf-8'><article style="color: rgb(0, 0, 0); font-weight: 400; white-space: normal;"><header><h1 style="font-weight: 700;">News</h1></header><section><p style="font-weight: 400;">CO<sub>2</sub>: <a href="/local">less</a> <strong style="font-weight: 700;"><em>now</em></strong></p><figure><img src="https://harbor.example/x.jpg" alt="Harbor at night"><figcaption>At night</figcaption></figure><blockquote><p>Great</p></blockquote><svg><text>x</text></svg><ol><li>a</li><li>b</li></ol></section></article>`,
    written:
      '<h1>News</h1><p style="margin:0 0 16px">CO<sub>2</sub>: less <strong><em>now</em></strong></p><p style="margin:0 0 16px">At night</p><blockquote>Great</blockquote><ol><li>a</li><li>b</li></ol>',
  },
};

test('pasted and dropped texts keep what an email can have', async ({ page, context, api, organization }) => {
  const names = Object.keys(copies);
  const { text } = await openEmail(page, api, organization.id, [...names, 'Other text', 'Last text']);
  for (const [index, name] of names.entries()) {
    await editText(page, name);
    await give(page, 'paste', copies[name]!.html, 'plain words');
    await expect.poll(() => text(index), name).toBe(copies[name]!.written);
  }
  // Of images, which no text can have, it is said that they are left out.
  await expect(page.getByRole('alert')).toContainText('1 image was not pasted (Harbor at night).');
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();

  const [other, last] = [names.length, names.length + 1];
  // In front of the text.
  await editText(page, 'Other text');
  await give(page, 'drop', '<b>{{ contact.</b>first_name }}, ');
  await expect.poll(() => text(other)).toBe('<b>{{ contact.first_name }}</b>,Other text');
  // With the clipboard of the browser.
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(
    'navigator.clipboard.write([new ClipboardItem({ "text/html": new Blob(["<p>A <b>b</b></p><p>c</p>"], { type: "text/html" }) })])',
  );
  const edited = await editText(page, 'Last text');
  await page.keyboard.press('ControlOrMeta+v');
  await expect(edited.getByText('b', { exact: true })).toHaveCSS('font-weight', /700|bolder/);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+x');
  await page.keyboard.press('ControlOrMeta+v');
  await expect
    .poll(() => text(last))
    .toMatch(/^<p style="margin:0 0 16px">A <(b|strong)>b<\/\1><\/p><p style="margin:0">c<\/p>$/);
});

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

/** Numbers from 0 to 1 that are the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const words = [
  'boat',
  'pier',
  '{{ contact.first_name }}',
  'sail',
  '5\u00a0kg',
  // Needs no end, which later steps could write over.
  '{% assign tide = 1 %}low',
];
const pastes = [
  '<p>a <i>b</i></p><p>c</p>',
  '<div>d</div><div>e  f</div>',
  '<ul><li>g</li><li>h</li></ul>',
  'k<br>',
];

/** Writes a text as a person does, whose hand is led by random numbers. */
async function write(page: Page, random: () => number): Promise<void> {
  const choose = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  for (let step = 0; step < 7; step += 1) {
    const what = random();
    if (what < 0.4) await page.keyboard.insertText(`${choose(words)}${choose([' ', ' ', '   ', ''])}`);
    else if (what < 0.7) await page.keyboard.press(choose(['Enter', 'Enter', 'Shift+Enter']));
    else if (what < 0.85) {
      for (let size = 0; size < 3; size += 1) await page.keyboard.press('Shift+ArrowLeft');
      await page.keyboard.press(choose(['ControlOrMeta+b', 'ControlOrMeta+i', 'ControlOrMeta+u']));
      await page.keyboard.press('ArrowRight');
    } else await give(page, 'paste', choose(pastes));
  }
}

test('a message shows what its editor shows', async ({ page, api, organization }) => {
  const count = 8;
  const { touchpointId, stored } = await openEmail(
    page,
    api,
    organization.id,
    Array.from({ length: count }, (_, index) => `Text ${index}`),
  );
  const message = await page.context().newPage();
  await message.setViewportSize({ width: 640, height: 1400 });
  const edited = page.getByRole('textbox', { name: 'Text', exact: true });
  const seen: Awaited<ReturnType<typeof lettersOf>>[] = [];
  const compare = async (marker: string) => {
    await expect.poll(stored).toContain(marker);
    // A busy server has no time for a preview.
    await expect(async () => {
      const { html } = await api.post<{ html: string }>(`/touchpoints/emails/preview/${touchpointId}`, {});
      await message.setContent(html);
      expect(await message.locator('.text-0').count(), await stored()).toBe(1);
    }).toPass({ timeout: 60_000 });
    const source = await stored();
    for (const [index, expected] of seen.entries()) {
      const { shown, height } = await lettersOf(message, `document.querySelector('.text-${index} > div')`);
      const ofText = new RegExp(`css-class="text-${index}">.*`).exec(source)?.[0];
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
  };
  for (const round of ['first', 'second', 'third']) {
    for (let index = 0; index < count; index += 1) {
      // The canvas may be drawn anew between the click and the focus.
      await expect(async () => {
        await page.getByRole('treeitem', { name: /^Text/ }).nth(index).click();
        await expect(edited).toBeFocused({ timeout: 5_000 });
      }).toPass({ timeout: 40_000 });
      if (round === 'first') await page.keyboard.press('ControlOrMeta+a');
      // What was written before is continued.
      else await page.keyboard.press('ControlOrMeta+End');
      if (round !== 'first') await page.keyboard.press('Enter');
      await page.keyboard.insertText(`${round}${index}`);
      await write(page, seeded(index * 7 + round.length));
      seen[index] = await lettersOf(page, editedText);
      await page.keyboard.press('Escape');
    }
    await compare(`${round}${count - 1}`);
    await page.reload();
    await expect(page.getByRole('treeitem', { name: /^Text/ })).toHaveCount(count + 1);
  }
});
