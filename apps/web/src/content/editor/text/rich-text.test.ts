import assert from 'node:assert/strict';
import { test } from 'node:test';
import { starterLanguages, templateStarters } from '@reachout/contract/templates.ts';
import { starterMjml } from '../../../../../server/src/content/templates/starters.ts';
import { listBlocks } from '../source/operations.ts';
import { parseSource } from '../source/parse-source.ts';
import { readPasted, readPastedText } from './read-pasted.ts';
import { readText, writeText } from './rich-text.ts';

const again = (content: string): string | undefined => {
  const document = readText(content);
  return document && writeText(document);
};

test('texts come back as they were written', () => {
  for (const content of [
    'Hello {{ contact.first_name | default: "you" }},',
    '<h1 style="margin:0;color:{{ brand.color }}">News &amp; more</h1>',
    '<p>One</p><p style="margin:0">Two <strong>bold <em>and italic</em></strong><br />line</p>',
    '<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>',
    '<a href="{{ links.unsubscribe }}" style="color:#123456">Unsubscribe</a>{% if brand.imprint_url %} · <a href="{{ brand.imprint_url }}">Imprint</a>{% endif %}',
    '<blockquote style="margin:0"><p>Quote</p></blockquote>',
    '1 &lt; 2&nbsp;&amp; 3',
    '<a href="{{ item.url | default: "https://example.com/?a=1&b=2" }}">x</a>',
    '',
  ])
    assert.equal(again(content), content);
});

test('texts of all starting points can be edited as text', () => {
  for (const starter of templateStarters)
    for (const language of starterLanguages) {
      const source = starterMjml(starter, language);
      for (const { node } of listBlocks(parseSource(source))) {
        if (node.kind !== 'element' || node.name !== 'mj-text') continue;
        const content = source.slice(node.contentStart, node.contentEnd);
        const written = again(content);
        assert.ok(written !== undefined, `${starter}: ${content}`);
        const plain = (text: string) =>
          text
            .replaceAll(/\s+/g, ' ')
            .replaceAll(/> | </g, (found) => found.trim())
            .trim();
        assert.equal(plain(written), plain(content));
      }
    }
});

test('what the text editor would lose is not edited as text', () => {
  for (const content of [
    '<table><tr><td>x</td></tr></table>',
    '<!-- note -->x',
    '<span>a <span>b</span></span>',
    '<img src="x" />',
    '<p {% if a %}class="b"{% endif %}>x</p>',
    '<ul>x</ul>',
    '<br class="only-phone" />',
  ])
    assert.equal(again(content), undefined, content);
});

test('a second paragraph gives the first one its element', () => {
  const document = readText('One')!;
  document.content!.push({ ...document.content![0]!, content: [{ type: 'text', text: 'Two <b>' }] });
  assert.equal(
    writeText(document),
    '<p style="margin:0 0 16px">One</p><p style="margin:0">Two &lt;b&gt;</p>',
  );
});

test('Liquid in a typed text stays Liquid', () => {
  const content = [{ type: 'text', text: 'a < {{ contact.b | default: "<c>" }}' }];
  assert.equal(
    writeText({
      type: 'doc',
      content: [{ type: 'paragraph', attrs: { isBare: true, written: {} }, content }],
    }),
    'a &lt; {{ contact.b | default: "<c>" }}',
  );
});

test('a delimiter that is not closed takes in nothing behind it', () => {
  for (const [typed, written] of [
    ['a {{ b', 'a &#123;{ b'],
    ['{% if', '&#123;% if'],
    ['{', '&#123;'],
    ['{{{ contact.b }}', '{{{ contact.b }}'],
  ] as const) {
    const content = [{ type: 'text', text: typed }];
    const document = {
      type: 'doc',
      content: [{ type: 'paragraph', attrs: { isBare: true, written: {} }, content }],
    };
    assert.equal(writeText(document), written);
    assert.equal(again(written), written);
  }
});

test('tags around paragraphs stay without an element', () => {
  for (const content of [
    '{% if contact.vip %}<p>A</p>{% endif %}',
    '{% if contact.vip %}<p>A</p>{% else %}<p>B</p>{% endif %}<p>C</p>',
  ])
    assert.equal(again(content), content);
});

test('pasted text keeps its words, and its look where it can', () => {
  const pasted = (html: string) => writeText({ type: 'doc', content: readPasted(html) });
  assert.equal(
    pasted('<p style="color:red">One <b>two</b></p><script>x</script><a href="javascript:x">three</a>'),
    '<p>One <b>two</b></p><p style="margin:0">three</p>',
  );
  // The editor pastes the plain text then.
  assert.deepEqual(readPasted('<b><p>x</p></b>'), []);
  assert.equal(
    writeText({ type: 'doc', content: readPastedText('One\ntwo\n\n<three>') }),
    '<p>One<br />two</p><p>&lt;three&gt;</p>',
  );
});
