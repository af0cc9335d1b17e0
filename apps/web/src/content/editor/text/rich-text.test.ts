import assert from 'node:assert/strict';
import { test } from 'node:test';
import { starterLanguages, templateStarters } from '@reachout/contract/templates.ts';
import { starterMjml } from '../../../../../server/src/content/templates/starters.ts';
import { listBlocks } from '../source/operations.ts';
import { parseSource } from '../source/parse-source.ts';
import { picturesIn, readPasted, readPastedText } from './read-pasted.ts';
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
    '<a href="https://a.example/" rel="as-written">x</a>',
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

const paste = (html: string) => writeText({ type: 'doc', content: readPasted(html) });

test('pasted text keeps its words, and its look where it can', () => {
  for (const [html, written] of [
    [
      '<p style="color:red">One <b>two</b></p><script>x</script><a href="javascript:x">three</a>',
      '<p style="margin:0 0 16px">One <b>two</b></p><p style="margin:0">three</p>',
    ],
    ['<b><p>x</p></b>', '<b>x</b>'],
    [
      '<a data-link="https://a.example/" rel="noopener as-written">x</a><a href="https://b.example/" rel="noopener">y</a>',
      '<a href="https://a.example/" rel="as-written">x</a><a href="https://b.example/">y</a>',
    ],
    ['H<sub>2</sub>O, m<span style="vertical-align:super">2</span>', 'H<sub>2</sub>O, m<sup>2</sup>'],
    [
      '<div>a</div><div>b</div><div><br></div><div>c</div>',
      '<p style="margin:0 0 16px">a<br />b</p><p style="margin:0">c</p>',
    ],
    ['<table><tr><th>a<td>b<td><tr><td>c<td>d</table>', '<strong>a</strong> b<br />c d'],
    [
      '<table><tr><td><h2>a</h2><p>b</p></td><td>c</td></tr></table>',
      '<h2>a</h2><p style="margin:0 0 16px">b</p><p style="margin:0">c</p>',
    ],
    [
      '<ul><li>a</li><ul><li>b</li></ul><li><p>c</p></ul>',
      '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>',
    ],
    [
      '<li>a<blockquote>b<p>c',
      '<ul><li>a<blockquote><p style="margin:0 0 16px">b</p><p style="margin:0">c</p></blockquote></li></ul>',
    ],
    [
      '<a href="https://a.example/"><div>a</div><u>b</u></a>',
      '<a href="https://a.example/">a</a><br /><a href="https://a.example/"><u>b</u></a>',
    ],
    ['<pre>a  b\nc</pre>', 'a&nbsp; b<br />c'],
    ['a\n  b <img src="https://a.example/x.png" alt="Boat"> c<p hidden style="display: none">d</p>', 'a b c'],
    ['<style>.x{font-weight:700}</style><span class="x">a</span>b', '<strong>a</strong>b'],
    [
      '<i>{{ contact.</i><b>first_name</b> | default: "a &amp; b" }}',
      '<b><i>{{ contact.first_name | default: "a & b" }}</i></b>',
    ],
    ['&lt;b&gt; {{ a', '&lt;b&gt; &#123;{ a'],
    // Copied from this editor.
    [
      '<div data-paragraph="" data-pm-slice="1 1 []">a  b <a data-link="{{ links.unsubscribe }}">c</a></div><div data-paragraph=""></div><div data-paragraph="">d</div>',
      '<p style="margin:0 0 16px">a&nbsp; b <a href="{{ links.unsubscribe }}">c</a></p><p style="margin:0 0 16px">&nbsp;</p><p style="margin:0">d</p>',
    ],
    [
      '<p style="mso-list:l0 level1 lfo1"><b><span style="mso-list:Ignore">a)<i>&nbsp;</i></span></b>One<p style="mso-list:l0 level2 lfo1"><span style="mso-list:Ignore">o </span>Two',
      '<ol><li>One<ul><li>Two</li></ul></li></ol>',
    ],
  ] as const)
    assert.equal(paste(html), written, html);
  assert.deepEqual(picturesIn('<p><img alt="Boat"></p><img><img width="1" alt="x"><img alt="😀">'), [
    'Boat',
    '',
  ]);
});

test('copied HTML of any depth and size leaves the page alive', () => {
  assert.deepEqual(readPasted('<div>'.repeat(100_000)), []);
  assert.deepEqual(readPasted(`<ul><li>${'<b>'.repeat(500)}x`), []);
  assert.deepEqual(readPasted('<td><p>'.repeat(100_000)), []);
  assert.deepEqual(readPasted('<p>x'.repeat(1_000)).length, 1_000);
  assert.equal(readPastedText(`a${'\n'.repeat(100_000)}b\n \n`).length, 2);
  const style = 'mso-list:text-decoration:'.repeat(20_000);
  assert.equal(readPasted(`<p style="${style}">x</p>`).length, 1);
  assert.deepEqual(readPasted('<ul><li>'.repeat(150)).length, 1);
  assert.deepEqual(readPasted(' '.repeat(5_000_000)), []);
  assert.equal(paste('<td>x</td>'.repeat(5_000)).length, 5_000 * 7 - 6);
});

test('pasted plain text keeps its blanks and lines', () => {
  assert.equal(
    writeText({ type: 'doc', content: readPastedText('\nOne\r\n  two   {{ a }}\n \n\n<three>\tx\n') }),
    '<p style="margin:0 0 16px">One<br />&nbsp;&nbsp;two&nbsp;&nbsp; {{ a }}</p><p style="margin:0">&lt;three&gt; x</p>',
  );
  assert.deepEqual(readPastedText('\n \n'), []);
});

test('a mark covers the whole of a typed tag, and none of a condition', () => {
  const [bold, italic] = ['bold', 'italic'].map((type) => ({
    type,
    attrs: { element: type === 'bold' ? 'strong' : 'em', written: {} },
  })) as [object, object];
  const write = (...content: object[]) =>
    writeText({
      type: 'doc',
      content: [{ type: 'paragraph', attrs: { isBare: true, written: {} }, content }],
    });
  const text = (words: string, ...marks: object[]) => ({ type: 'text', text: words, marks });
  assert.equal(
    write(text('Hello {{ contact.'), text('first', bold), text('_name', italic), text(' }}!')),
    'Hello <strong><em>{{ contact.first_name }}</em></strong>!',
  );
  assert.equal(
    write(text('{% if contact.'), text('vip %}A', bold), text('B{% else', italic), text(' %}C{% endif %}')),
    '{% if contact.vip %}<strong>A</strong><em>B</em>{% else %}C{% endif %}',
  );
  assert.equal(
    write(text('{{ contact.'), { type: 'lineBreak' }, text('a }}', bold)),
    '<strong>{{ contact.\na }}</strong>',
  );
  assert.equal(
    write(text('{{ '), { type: 'liquid', attrs: { code: '{{ a }}' } }, text(' }} {{ b }}')),
    '&#123;{ {{ a }} }} {{ b }}',
  );
});

test('empty lines and blanks are written so that they are shown', () => {
  const paragraph = (...content: object[]) => ({
    type: 'paragraph',
    attrs: { isBare: true, written: {} },
    ...(content.length > 0 && { content }),
  });
  const text = (words: string, marks: object[] = []) => ({ type: 'text', text: words, marks });
  const bold = [{ type: 'bold', attrs: { element: 'b', written: {} } }];
  for (const [content, written] of [
    [[paragraph()], ''],
    [
      [paragraph(text('One')), paragraph(), paragraph(text('Two'), { type: 'lineBreak' })],
      '<p style="margin:0 0 16px">One</p><p style="margin:0 0 16px">&nbsp;</p><p style="margin:0">Two<br />&nbsp;</p>',
    ],
    [[paragraph(text('  a   b '), text(' c', bold))], '&nbsp;&nbsp;a&nbsp;&nbsp; b&nbsp;<b> c</b>'],
    [[paragraph(text('a'), { type: 'lineBreak' }, text(' b'))], 'a<br />&nbsp;b'],
  ] as const) {
    assert.equal(writeText({ type: 'doc', content: [...content] }), written);
    assert.equal(again(written), written);
  }
  // What HTML does not show, the editor does not show either.
  assert.equal(again('<p> a <br /> <b>b </b> c<br /></p>'), '<p>a<br /><b>b </b>c</p>');
  assert.equal(again('5\u202fkg'), '5\u202fkg');
});

test('a paragraph that continues a written text keeps its distance', () => {
  const document = readText('<p style="margin:0 0 16px">One</p><p style="margin:0">Two</p>')!;
  document.content!.push({ ...document.content!.at(-1)!, content: [{ type: 'text', text: 'Three' }] });
  assert.equal(
    writeText(document),
    '<p style="margin:0 0 16px">One</p><p style="margin:0 0 16px">Two</p><p style="margin:0">Three</p>',
  );
});
