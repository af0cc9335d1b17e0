import assert from 'node:assert/strict';
import { test } from 'node:test';
import { starterLanguages, templateStarters } from '@reachout/contract/templates.ts';
import { starterMjml } from '../../../../../server/src/content/templates/starters.ts';
import { compileMjml as compileOnServer } from '../../../../../server/src/email/templates/mjml-html.ts';
import { listBlocks } from '../source/operations.ts';
import { parseSource } from '../source/parse-source.ts';
import { writtenDocuments } from '../source/written-documents.ts';
import { compileMjml } from './compile.ts';
import { blockClass, markSource } from './mark-source.ts';

const texts = { values: { 'brand.color': '#123456' }, nameOf: (path: string) => `<${path}>` };

const documents: [name: string, source: string][] = [
  ...templateStarters.flatMap((starter) =>
    starterLanguages.map((language): [string, string] => [
      `${starter} in ${language}`,
      starterMjml(starter, language),
    ]),
  ),
  ...Object.entries(writtenDocuments),
];
const complete = documents.filter(([, source]) => parseSource(source).body !== undefined);

/** The server collapses blanks; some blocks get random ids. */
const comparable = (html: string) => html.replaceAll(/\s+/g, ' ').replaceAll(/[\da-f]{16}/g, 'id');

test('the canvas compiles a marked source as the server does', async () => {
  let compared = 0;
  for (const [name, source] of complete) {
    const marked = markSource(parseSource(source), texts);
    // Liquid that is not closed stays text here, and is an error on the server.
    if (/\{[{%]/.test(marked)) continue;
    const { html } = await compileMjml(marked);
    assert.equal(comparable(html), comparable((await compileOnServer(marked, false)).html), name);
    compared += 1;
  }
  assert.ok(compared >= 45, String(compared));
});

test('each block that MJML prints leads back to its source', async () => {
  for (const [name, source] of complete) {
    const parsed = parseSource(source);
    const { html } = await compileMjml(markSource(parsed, texts));
    for (const [index, { node }] of listBlocks(parsed).entries()) {
      if (node.kind !== 'element' || !/^mj-(?!nothing|chart|q)/.test(node.name)) continue;
      assert.match(html, new RegExp(`${blockClass}${index}\\b`), `${name}: ${node.name}`);
    }
  }
});

test('merge tags are readable, and nothing of them is markup', async () => {
  const source = starterMjml('newsletter', 'en').replace(
    '<mj-button href',
    `<mj-text color="{{ brand.color }}">{{ contact['<b>'] }}{% if contact.a < 3 %}<a href="{{ item.url | default: "https://example.com/x" }}">x</a>{% endif %}</mj-text><mj-button href`,
  );
  const marked = markSource(parseSource(source), texts);
  assert.ok(!/\{[{%]/.test(marked));
  assert.match(marked, /Hello <span class="rx-chip">&lt;contact.first_name&gt;<\/span>,/);
  assert.match(marked, /color="#123456"/);
  assert.match(marked, /<span class="rx-tag">if contact.a &lt; 3<\/span><a href="https:\/\/example.com\/x">/);
  assert.match(marked, /<mj-image css-class="rx-block-\d+" src="data:image\/svg\+xml,/);
  assert.ok(!marked.includes('<b>'));
});
