import assert from 'node:assert/strict';
import test from 'node:test';
import { Context } from 'liquidjs';
import { createLiquidEngine } from './liquid-engine.ts';
import { sanitizeRichText } from './rich-text.ts';
import { renderNodes } from './template-part.ts';

const cases: Record<string, [html: string, safe: string][]> = {
  'rich text keeps what pasted text keeps': [
    ['Plain & simple, 2 < 3', 'Plain &amp; simple, 2 &lt; 3'],
    ['<p>One <b>bold</b> <i>word</i></p>', 'One <b>bold</b> <i>word</i>'],
    ['<p>One</p>\n<p>Two</p>', '<p style="margin:0 0 16px">One</p><p style="margin:0">Two</p>'],
    ['<h2>A</h2>b<h6>C</h6>', '<h2>A</h2><p style="margin:0 0 16px">b</p><h4>C</h4>'],
    ['<ul><li>a</li><li><p>b</p></li></ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['<blockquote><p>q</p></blockquote>', '<blockquote>q</blockquote>'],
    ['<p style="color:red">a <span style="text-decoration: underline;">b</span></p>', 'a <u>b</u>'],
    ['<a href="mailto:a@b.example">m</a>', '<a href="mailto:a@b.example">m</a>'],
    [
      '<a href=" HTTPS://x.example/?a=1&amp;b=2" target=_blank>l</a>',
      '<a href="HTTPS://x.example/?a=1&amp;b=2">l</a>',
    ],
    ['<div>a</div><div>b<br>c</div>', 'a<br />b<br />c'],
    ['<table><tr><th>1</th><td>2</td></tr><tr><td>3</td></tr></table>', '<strong>1</strong> 2<br />3'],
    ['<p><br></p><p>&nbsp;</p><ul><li></li></ul>', ''],
  ],
  'rich text has no element that acts or loads': [
    ['a<script>alert(1)</script><style>p{}</style><svg><a href="https://x.example">s</a></svg>b', 'ab'],
    ['<p onclick="x()" id=a class=b>a</p>', 'a'],
    ['<form action="https://x.example"><input name=q><button>go</button></form>', 'go'],
    ['<img src=x onerror=alert(1)><img src="http://x.example/1.png"><img src="data:image/png,x">', ''],
    [
      '<img src="https://x.example/1.png" alt="&quot;>" width="900" onload=x>',
      '<img src="https://x.example/1.png" alt="&#34;&gt;" width="600" style="max-width:100%;height:auto;border:0" />',
    ],
    [
      '<img src="https://x.example/1.png" width=1 height=1><img style="display:none" src="https://x.example/">',
      '',
    ],
    ['<span style="display: none">a</span>b', 'b'],
    ...[
      'javascript:x()',
      'JaVa\tScRiPt:x()',
      'java\nscript:x()',
      ' \u0001javascript:x()',
      '&#106;avascript:x()',
      'javascript&colon;x()',
      'data:text/html,x',
      'vbscript:x',
      '//x.example',
      '/path',
      'https://',
      'file:///etc',
    ].map((href): [string, string] => [`<a href="${href}">word</a>`, 'word']),
  ],
  'rich text ends nothing around it': [
    ['</td></tr></table></div></body></html>a', 'a'],
    ['<td><table><tr>a', 'a'],
    ['<b>a<p>b', '<p style="margin:0 0 16px"><b>a</b></p><p style="margin:0"><b>b</b></p>'],
    ['<b><p>a</b>b</p>c', '<p style="margin:0 0 16px"><b>a</b>b</p><p style="margin:0">c</p>'],
    ['<ul><li>a<li>b<ol><li>c', '<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>'],
    ['<li>a</li><li>b</li>c', '<ul><li>a</li><li>b</li></ul><p style="margin:0">c</p>'],
    ['<ul>a<ul><li>b</ul></ul>', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
    ['a<a href="https://x.example', 'a'],
    ['a <p title="x>b', 'a'],
    ['a<!-- b', 'a'],
    ['a<!--[if mso]><table><![endif]-->b<![if !mso]>c<![endif]>', 'abc'],
    ['a<![CDATA[<b>]]>b', 'ab'],
    ['a<script>b', 'a'],
    [
      '<a href="https://x.example/&quot;&gt;&#39;<">a</a>',
      '<a href="https://x.example/&#34;&gt;&#39;&lt;">a</a>',
    ],
    ['a\0b&#0;&#x1;', 'ab\ufffd'],
    ['{{ contact.email }}{% raw %}', '{{ contact.email }}{% raw %}'],
  ],
};
for (const [rule, values] of Object.entries(cases))
  test(rule, () => {
    for (const [html, safe] of values) {
      assert.equal(sanitizeRichText(html), safe, html);
      assert.equal(sanitizeRichText(safe), safe, html);
    }
  });

const wordsOf = (html: string) => html.replaceAll(/<[^>]*>| /g, '');

test('rich text is balanced, whatever is within what', () => {
  const pieces =
    '<b>|</b>|<p>|</p>|<ul>|<ol>|<li>|</ul>|</li>|<h1>|</h1>|<td>|</table>|<a href="https://x.example">|</a>|<i>|</i>|<div>|</div>|<blockquote>|</blockquote>|x|y |<br>'.split(
      '|',
    );
  let seed = 1;
  const next = () => (seed = (seed * 16_807) % 2_147_483_647);
  for (let round = 0; round < 2_000; round += 1) {
    const html = Array.from({ length: 30 }, () => pieces[next() % pieces.length]).join('');
    const safe = sanitizeRichText(html);
    const open: string[] = [];
    for (const [, end, name = ''] of safe.matchAll(/<(\/?)(\w+)[^>]*?(?<!\/)>/g)) {
      if (end === '') open.push(name);
      else assert.equal(open.pop(), name, `${html}\n${safe}`);
      assert.ok(
        !/p p|a a|h1 h1|p ul|(?:^| )(?:ul|ol) (?!li)/.test(open.slice(-2).join(' ')),
        `${html}\n${safe}`,
      );
    }
    assert.deepEqual(open, [], `${html}\n${safe}`);
    assert.equal(wordsOf(safe), wordsOf(html), html);
  }
});

function render(output: 'html' | 'plain', source: string, scope: object): string {
  const engine = createLiquidEngine(output, 1_500);
  return renderNodes(engine, engine.parse(source), new Context(scope, engine.liquid.options, { sync: true }));
}

test('the filter prints HTML, or readable text outside of it (R4.7)', () => {
  const body =
    '<h2>News</h2><p>Hello <b>you</b> &amp; <a href="https://x.example/">more</a></p><ul><li>a</li><li>b</li></ul>';
  const source = '[{{ item.body | rich_text }}]';
  assert.match(
    render('html', source, { item: { body } }),
    /^\[<h2>News<\/h2><p style="[^"]+">Hello <b>you<\/b> &amp; <a href/,
  );
  assert.equal(
    render('plain', source, { item: { body } }),
    '[News\n\nHello you & more <https://x.example/>\n\n * a\n * b]',
  );
  for (const value of [undefined, null, '', '<p></p>'])
    assert.equal(render('html', source, { item: { body: value } }), '[]');
  assert.equal(render('html', '{{ item.body | rich_text }}', { item: { body: 7 } }), '7');
  assert.equal(render('html', '{{ item.body | default: "none" | rich_text }}', { item: {} }), 'none');
});

test('rich text of a megabyte takes bounded time and memory', () => {
  for (const piece of [
    '<b>',
    '<p>x',
    '<ul><li>',
    '<li>',
    '</b>',
    '&',
    '<',
    '<!--',
    '<a href="',
    '<i><p>',
    '<td>',
  ]) {
    const html = '<b><p>'.repeat(50) + piece.repeat(1_000_000 / piece.length);
    let result = '';
    try {
      result = sanitizeRichText(html);
    } catch (error) {
      assert.match(String(error), /more than 1000000 characters/);
    }
    assert.ok(result.length <= 1_000_000);
    assert.throws(
      () => render('html', '{{ item.html | rich_text }}', { item: { html } }),
      /memory alloc limit/,
    );
  }
  // What a link adds to each paragraph in it counts.
  const link = `<a href="https://x.example/${'x'.repeat(7_000)}">`;
  assert.throws(() => sanitizeRichText(link + '<p>x'.repeat(10_000)), /more than 1000000 characters/);
});
