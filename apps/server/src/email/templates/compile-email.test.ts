import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import { compileEmail } from './compile-email.ts';
import { findTemplateProcesses, measureTemplateCpu } from '../../testing/template-processes.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import type { CompileProblemCode, EmailContent, EmailSnapshot } from '../email-content.ts';

const unsubscribe = '<mj-text><a href="{{ links.unsubscribe }}">Unsubscribe</a></mj-text>';

function inColumn(mjml: string): string {
  return `<mjml><mj-body><mj-section><mj-column>${mjml}</mj-column></mj-section></mj-body></mjml>`;
}

function buildContent(changes: Partial<EmailContent> = {}): EmailContent {
  return {
    subject: 'News',
    preheader: '',
    from_name: 'Brand',
    from_email: 'news@brand.example',
    reply_to: null,
    mjml: inColumn(`<mj-text>Hello</mj-text>${unsubscribe}`),
    ...changes,
  };
}

async function compile(changes: Partial<EmailContent>, context = {}): Promise<EmailSnapshot> {
  const result = await compileEmail(buildContent(changes), context, 'tests');
  assert.ok(result.ok, JSON.stringify(result));
  return result.snapshot;
}

async function problemsOf(changes: Partial<EmailContent>, context = {}) {
  const result = await compileEmail(buildContent(changes), context, 'tests');
  return result.ok ? result.warnings : result.problems;
}

async function codesOf(changes: Partial<EmailContent>): Promise<CompileProblemCode[]> {
  return (await problemsOf(changes)).map(({ code }) => code);
}

test('Liquid is preserved in MJML texts, attributes and elements', async () => {
  const { html } = await compile({
    mjml: `<mjml><mj-body>
      {% if contact.age < 18 and contact.name != "<x>" %}<mj-section><mj-column>
      {% for order in contact.orders %}<mj-text>{{ order | default: "a > b" }}</mj-text>{% endfor %}
      </mj-column></mj-section>{% endif %}
      <mj-section><mj-column><mj-image alt="{{ contact.name | default: 'x' }}" src="https://i.example/{{ contact.id }}.png" />
      ${unsubscribe}</mj-column></mj-section></mj-body></mjml>`,
  });
  for (const part of [
    '{% if contact.age < 18 and contact.name != "<x>" %}',
    '{% for order in contact.orders %}',
    '{{ order | default: "a > b" }}',
    '{% endfor %}',
    '{% endif %}',
    `alt="{{ contact.name | default: 'x' }}"`,
    'src="https://i.example/{{ contact.id }}.png"',
  ]) {
    assert.ok(html.includes(part), part);
  }
  assert.ok(
    html.indexOf('{% if') < html.indexOf('{% for') && html.indexOf('{% endfor') < html.indexOf('{% endif'),
  );
});

test('shared values are rendered once without becoming Liquid', async () => {
  const snapshot = await compile(
    {
      mjml: inColumn(
        `<mj-text>{{ brand.name }}</mj-text>{% for p in item.products %}<mj-text><a href="{{ p.url }}">{{ p.name }}</a></mj-text>{% endfor %}
        <mj-text>{% assign x = brand.name %}{{ x }} {{ contact.a }} {{ 'now' | date: '%Y' }}</mj-text>${unsubscribe}`,
      ),
    },
    {
      brand: { name: 'B & {{ contact.secret }} {% include "x" %}' },
      item: {
        products: [
          { url: 'https://p.example/1', name: 'One' },
          { url: 'https://p.example/{{ contact.x }}', name: '<Two>' },
        ],
      },
    },
  );
  assert.ok(snapshot.html.includes('B &amp; &#123;&#123; contact.secret }} &#123;% include &#34;x&#34; %}'));
  assert.ok(snapshot.html.includes('&lt;Two&gt;'));
  assert.ok(
    snapshot.html.includes("{% assign x = brand.name %}{{ x }} {{ contact.a }} {{ 'now' | date: '%Y' }}"),
  );
  assert.deepEqual(snapshot.links, [
    { url: 'https://p.example/1', personal: false },
    { url: 'https://p.example/{{ contact.x }}', personal: false },
  ]);
  assert.deepEqual(snapshot.contact_fields, ['a']);
});

test('link destinations are numbered and keep personal Liquid', async () => {
  const result = await compileEmail(
    buildContent({
      mjml: inColumn(
        `<mj-text><a href="https://a.example/?x=1&amp;y=2">1</a> <a href="https://a.example/?x=1&amp;y=2">again</a>
        <a href="https://b.example/&#123;&#123; x }}/{{ contact.id | url_encode }}?a=1&amp;b=2">2</a> <a href='{{ contact.url }}'>3</a>
        <a href="mailto:{{ contact.friend }}">m</a> <a href="tel:+49123">t</a> <a href="#top">#</a> <a name="x">n</a>
        {% for o in contact.orders %}<a href="https://o.example/{{ o }}">o</a>{% endfor %}
        <a href="{{ links.preferences }}">p</a></mj-text>${unsubscribe}`,
      ),
    }),
    {},
    'tests',
  );
  assert.ok(result.ok);
  const { html, links, text } = result.snapshot;
  assert.deepEqual(links, [
    { url: 'https://a.example/?x=1&y=2', personal: false },
    { url: 'https://b.example/%7B%7B x }}/{{ contact.id | url_encode }}?a=1&b=2', personal: true },
    { url: '{{ contact.url }}', personal: true },
  ]);
  assert.equal(html.split('href="{{ links.click_0 }}"').length, 3);
  assert.ok(html.includes("href='{{ links.click_2 }}'"));
  for (const kept of [
    'mailto:{{ contact.friend }}',
    'tel:+49123',
    '#top',
    '{{ links.preferences }}',
    'https://o.example/{{ o }}',
  ]) {
    assert.ok(html.includes(`href="${kept}"`), kept);
  }
  assert.ok(text.includes('{{ links.click_0 }}') && text.includes('{{ links.unsubscribe }}'));
  assertColumn(result.warnings, 'code', ['link_not_tracked']);
});

test('the review names links whose address is signed', async () => {
  const judge = async (href: string) =>
    (await problemsOf({ mjml: inColumn(`<mj-button href="${href}">x</mj-button>${unsubscribe}`) })).map(
      ({ code, severity }) => `${code} ${severity}`,
    );
  for (const query of ['X-Amz-Signature=1', 'a={{ contact.code }}&amp;sig={{ contact.sig }}'])
    assert.deepEqual(await judge(`https://shop.example/?${query}`), ['link_signed warning'], query);
  assert.deepEqual(await judge('https://shop.example/?s=shoes&amp;token=1'), []);
});

test('a link that stays as written is marked in the snapshot, not in the message', async () => {
  const address = 'https://shop.example/';
  const { html, text, links } = await compile(
    {
      mjml: inColumn(`<mj-text><a href="${address}">a</a> <a rel=as-written href="${address}?sig=1">b</a>
<a href='${address}' class="c" rel='nofollow As-Written'>c</a> <a rel="as-written"href="mailto:d@x.example">d</a>
<a rel="as-written" href="{{ links.preferences }}">e</a> <a rel="as-written-by-me" href="${address}">f</a>
{{ item.body | rich_text }}</mj-text>
<mj-button rel="as-written" href="${address}{{ contact.code }}">g</mj-button>
<mj-image rel="as-written" href="${address}h" src="https://i.example/a.png" alt="" />
<mj-social><mj-social-element rel="as-written" href="${address}i">i</mj-social-element></mj-social>
<mj-navbar><mj-navbar-link rel="as-written" href="${address}j">j</mj-navbar-link></mj-navbar>${unsubscribe}`),
    },
    { item: { body: `<p><a href="${address}item" rel="noopener as-written">k</a></p>` } },
  );
  assert.deepEqual(
    links.map(({ url, as_written }) => [url, as_written === true]),
    [
      [address, false],
      [`${address}?sig=1`, true],
      [address, true],
      [`${address}item`, true],
      [`${address}{{ contact.code }}`, true],
      ...['h', 'i', 'j'].map((name) => [address + name, true]),
    ],
  );
  assert.deepEqual(html.match(/rel="[^"]*"|rel='[^']*'/g), ["rel='nofollow'", 'rel="as-written-by-me"']);
  assert.doesNotMatch(html, /rel="?as-written"?[ >]/);
  assert.match(html, /<a {2}href="{{ links.click_1 }}">b<\/a>/);
  assert.match(html, /<a href="mailto:d@x.example">d<\/a>/);
  assert.match(text, /b <{{ links.click_1 }}>/);
});

test('links to programs are untracked and malformed links rejected', async () => {
  const told = async (href: string) =>
    (
      await problemsOf({
        mjml: inColumn(`<mj-text>x</mj-text>\n<mj-button href="${href}">x</mj-button>${unsubscribe}`),
      })
    ).map(({ code, severity, line }) => `${code} ${severity} ${line}`);
  for (const href of [
    'sms:+49123?body=x',
    'webcal://x.example/a.ics',
    'whatsapp://send?text=x',
    'facetime:a@b.example',
    'geo:52.5,13.4',
    'skype:a?call',
    'zoommtg://zoom.example/join',
    'sms:{{ contact.phone }}',
  ]) {
    assert.deepEqual(await told(href), ['link_not_on_web warning 2'], href);
    const { html, links } = await compile({
      mjml: inColumn(`<mj-button href="${href}">x</mj-button>${unsubscribe}`),
    });
    assert.ok(html.includes(`href="${href}"`) && links.length === 0, href);
  }
  for (const href of [
    'mailto:a@b.example',
    'tel:+49123',
    '#top',
    'https://x.example',
    'http://localhost:3000/x',
    'https://intranet/',
    'https://[2001:db8::1]/',
  ])
    assert.deepEqual(await told(href), [], href);
  assert.deepEqual(await told('HTTP://x.example'), ['link_not_https warning 2']);
  for (const href of [
    'https://https://x.example',
    'https://http://x.example',
    'http://https//x.example',
    'http//x.example',
    'https:/x.example',
    'https:///x.example',
    'https//x.example',
    'htps://x.example',
    'hhttps://x.example',
    'https://x.example https://y.example',
    'https://x,example',
    'x.example:8080',
    'localhost:3000',
    'https://https://{{ contact.a }}',
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'sms:',
  ])
    assert.deepEqual(await told(href), ['link_not_allowed error 2'], href);
});

test('unsafe links, scripts and forms are rejected (TPL-4)', async () => {
  for (const href of [
    'javascript:alert(1)',
    ' JaVaScRiPt:x',
    'java&#115;cript:x',
    'java&#10;script:x',
    'data:text/html,x',
    'www.example.com',
    '/x',
    '//x.example',
    'javascript:{{ contact.x }}',
    'ftp://x.example',
    'https://',
  ]) {
    assert.deepEqual(
      await codesOf({ mjml: inColumn(`<mj-text><a href="${href}">x</a></mj-text>${unsubscribe}`) }),
      ['link_not_allowed'],
      href,
    );
  }
  const looped = `<mj-text>{% for u in contact.urls %}<a href="{{ u }}">x</a>{% endfor %}</mj-text>${unsubscribe}`;
  assert.deepEqual(await codesOf({ mjml: inColumn(looped) }), ['link_not_allowed']);
  for (const html of [
    '<script>x</script>',
    '<form></form>',
    '<iframe></iframe>',
    '<b onclick="x">x</b>',
    '<base href="https://x.example">',
  ]) {
    assert.deepEqual(
      await codesOf({ mjml: inColumn(`<mj-raw>${html}</mj-raw>${unsubscribe}`) }),
      ['element_not_allowed'],
      html,
    );
  }
  for (const raw of [
    '{{ contact.bio | raw }}',
    '{% assign a = contact.bio %}{% assign b = a | upcase %}{{ b | raw }}',
    '{% for line in contact.lines %}{{ line | raw }}{% endfor %}',
    '{% echo contact.bio | raw %}',
    '{% for i in (1..2) %}{% cycle contact.bio | raw, "x" %}{% endfor %}',
    // Roots in brackets: the variables that they read are only known when the message is rendered.
    '{% assign k = "contact" %}{{ [k].bio | raw }}',
    '{{ [brand.key].bio | raw }}',
    '{{ [["k"]].bio | raw }}',
    '{{ "x" | append: [brand.key].bio | raw }}',
    '{% for k in brand.keys %}{% assign a = [k].bio %}{{ a | raw }}{% endfor %}',
    '{% for line in [brand.key].lines %}{{ line | raw }}{% endfor %}',
    '{% liquid\n assign k = "contact"\n echo [k].bio | raw %}',
    // Expressions within strings.
    '{{ item.list | group_by_exp: "x", "contact.bio" | map: "name" | raw }}',
    '{% assign g = item.list | group_by_exp: "x", "contact.bio" %}{{ g[0].name | raw }}',
    '{% capture y %}{{ contact.bio }}{% endcapture %}{{ y | url_decode | raw }}',
    '{% capture y %}{{ contact.bio }}{% endcapture %}{% assign z = y %}{{ z | base64_decode | raw }}',
    '{% capture y %}{{ contact.bio }}{% endcapture %}{% assign z = y | split: "," %}{{ z[0] | raw }}',
    '{% capture y %}{{ contact.bio }}{% endcapture %}{% capture z %}{{ y | raw }}{% endcapture %}{% echo z | url_decode | raw %}',
    '{% if contact.a %}{% capture c %}{{ contact.bio | raw }}{% endcapture %}{{ c | raw }}{% endif %}',
  ]) {
    const codes = await codesOf({ mjml: inColumn(`<mj-text>${raw}</mj-text>${unsubscribe}`) });
    assert.deepEqual(codes, ['unescaped_contact_value'], raw);
  }
  const own = `<mj-text>{% if contact.a %}{% for p in item.list %}{{ p.body | raw }}{{ contact.bio }}{{ item["[k]"] | append: "[k]" | raw }}{% endfor %}{% capture y %}{{ contact.bio }}{% endcapture %}{% assign z = y %}{{ y | raw }}{{ z | raw }}{% endif %}</mj-text>${unsubscribe}`;
  assert.deepEqual(await codesOf({ mjml: inColumn(own) }), []);
});

test('rich text stands where its elements can, and comes last', async () => {
  for (const source of [
    '<mj-text>{{ contact.bio | rich_text | upcase }}</mj-text>',
    '<mj-text>{{ item.body | rich_text | default: "none" }}</mj-text>',
    '<mj-text>{% assign a = item.body | rich_text %}{{ a }}</mj-text>',
    '<mj-text>{% if item.a %}{% echo item.body | rich_text %}{% endif %}</mj-text>',
    '<mj-image src="https://x.example/1.png" alt="{{ contact.bio | rich_text }}" />',
    `<mj-text><b title='a {% if contact.a %}{{ contact.bio|rich_text }}{% endif %}'>b</b></mj-text>`,
    '<mj-raw><b {{ item.body | rich_text }}>b</b></mj-raw>',
    '<mj-raw><!--[if mso]><b title="{{ contact.bio | rich_text }}">b</b><![endif]--></mj-raw>',
  ])
    assert.deepEqual(
      await codesOf({ mjml: inColumn(`${source}${unsubscribe}`) }),
      ['rich_text_misplaced'],
      source,
    );
  const captured =
    '{% capture y %}{{ contact.bio | rich_text }}{% endcapture %}<b title="{{ y | raw }}">b</b>';
  assert.deepEqual(await codesOf({ mjml: inColumn(`<mj-text>${captured}</mj-text>${unsubscribe}`) }), [
    'unescaped_contact_value',
  ]);
  const own =
    '{{ item.body | default: "none" | rich_text }}{% if contact.a %}{{ contact.bio | rich_text }}{% endif %}';
  assert.deepEqual(await codesOf({ mjml: inColumn(`<mj-text>${own}</mj-text>${unsubscribe}`) }), []);
});

test('an email needs a visible unsubscribe link (R9.4)', async () => {
  const without = [
    '<mj-text>Hello</mj-text>',
    '<mj-text>{{ links.unsubscribe }}</mj-text>',
    '<mj-raw><!-- <a href="{{ links.unsubscribe }}">x</a> --></mj-raw>',
    '<mj-raw>{% comment %}<a href="{{ links.unsubscribe }}">x</a>{% endcomment %}</mj-raw>',
    '<mj-raw>{% if contact.a %}{% comment %}<a href="{{ links.unsubscribe }}">x</a>{% endcomment %}{% endif %}</mj-raw>',
    '<mj-text><a href="https://x.example/{{ links.unsubscribe }}">x</a></mj-text>',
  ];
  for (const mjml of without) {
    const result = await compileEmail(buildContent({ mjml: inColumn(mjml) }), {}, 'tests');
    assert.ok(!result.ok && result.problems.some(({ code }) => code === 'unsubscribe_link_missing'), mjml);
  }
  const conditional = inColumn(`{% if contact.x %}${unsubscribe}{% endif %}`);
  assert.deepEqual(await codesOf({ mjml: conditional }), ['unsubscribe_link_conditional']);
});

test('the text part keeps Liquid without hidden content (R4.3)', async () => {
  const snapshot = await compile({
    preheader: 'Secret {{ contact.a }} & <more>',
    mjml: inColumn(
      `<mj-text><h1>Hello {{ contact.a | default: "<you>" }}</h1> 1 &lt; 2 &#123;&#123; no }}</mj-text>${unsubscribe}`,
    ),
  });
  assert.equal(snapshot.text.includes('Secret'), false);
  assert.ok(snapshot.text.includes('Hello {{ contact.a | default: "<you>" }}'));
  assert.ok(snapshot.text.includes('1 < 2 {{ "{" }}{ no }}'));
  assert.ok(snapshot.html.includes('>Secret {{ contact.a }} &amp; &lt;more&gt;</div>'));
  const picture = await compile({
    mjml: inColumn(`<mj-raw><a href="{{ links.unsubscribe }}"></a></mj-raw>`),
    subject: 'Only a picture',
  });
  assert.notEqual(picture.text.trim(), '');
});

test('contact_fields lists the fields that templates read', async () => {
  const fields = async (text: string, subject = 'x') =>
    (await compile({ subject, mjml: inColumn(`<mj-text>${text}</mj-text>${unsubscribe}`) })).contact_fields;
  assert.deepEqual(await fields('{{ contact.b.c }} {% if contact["d e"] %}x{% endif %}', '{{ contact.a }}'), [
    'a',
    'b',
    'd e',
  ]);
  assert.deepEqual(await fields('x'), []);
  assert.equal(await fields('{{ contact[contact.key] }}'), null);
  assert.equal(await fields('{% for f in contact %}{{ f }}{% endfor %}'), null);
  assert.equal(await fields('{% assign c = contact %}{{ c.x }}'), null);
});

test('the content hash depends on sent content only', async () => {
  const base = (await compile({})).content_hash;
  assert.equal((await compile({})).content_hash, base);
  for (const change of [
    { subject: 'Other' },
    { from_name: 'Other' },
    { preheader: 'x' },
    { reply_to: 'a@b.example' },
  ]) {
    assert.notEqual((await compile(change)).content_hash, base);
  }
  assert.notEqual((await compile({}, { brand: { name: 'x' } })).content_hash, base);
});

test('problems name their field and line', async () => {
  const broken = await problemsOf({
    subject: 'x {{ contact.a | nonsense }}',
    mjml: '<mjml>\n<mj-body>\n{% if %}\n</mj-body></mjml>',
  });
  assert.partialDeepStrictEqual(broken, [
    { code: 'liquid_invalid', severity: 'error', field: 'subject', line: 1 },
    { code: 'liquid_invalid', severity: 'error', field: 'mjml', line: 3 },
  ]);
  assert.deepEqual(await codesOf({ mjml: 'no mjml' }), ['mjml_invalid']);
  assert.partialDeepStrictEqual(await problemsOf({ mjml: inColumn(`\n<mj-nonsense />${unsubscribe}`) }), [
    { code: 'mjml_invalid', severity: 'warning', line: 2 },
  ]);
  for (const subject of ['  ', '\u2028', '\u200b'])
    assert.deepEqual(await codesOf({ subject }), ['subject_empty']);
  assert.equal((await compile({ from_name: 'A\u2028B\u0085' })).from_name, 'A B');
  for (const sender of [
    { from_name: 'a@b' },
    { from_email: 'a@b' },
    { from_email: 'a@b.example, c@d.example' },
    { reply_to: 'x' },
  ]) {
    assert.deepEqual(await codesOf(sender), ['sender_invalid']);
  }
  const large = inColumn(`<mj-text>${'word '.repeat(25_000)}</mj-text>${unsubscribe}`);
  assert.deepEqual(await codesOf({ mjml: large }), ['html_large']);
  assert.deepEqual(await codesOf({ mjml: large.replace('word', 'word '.repeat(80_000)) }), [
    'html_too_large',
  ]);
});

const headed = (mjml: string) =>
  `<mjml>\n<mj-head>${mjml}</mj-head>${inColumn(`<mj-text>B</mj-text>${unsubscribe}`).slice('<mjml>'.length)}`;
const vip = (mjml: string) => `{% if contact.vip %}${mjml}{% endif %}`;
const element =
  '<mj-accordion-element><mj-accordion-title>in</mj-accordion-title><mj-accordion-text>in</mj-accordion-text></mj-accordion-element>';

test('a condition between elements encloses them (R4.1)', async () => {
  const cases = [
    inColumn(`<mj-accordion>${vip(element)}</mj-accordion>${unsubscribe}`),
    inColumn(
      `<mj-accordion>${element.replace(/<mj-accordion-text>.*<\/mj-accordion-text>/, vip)}</mj-accordion>${unsubscribe}`,
    ),
    inColumn(
      `<mj-navbar>${vip('<mj-navbar-link href="https://a.example">in</mj-navbar-link>')}</mj-navbar>${unsubscribe}`,
    ),
    inColumn(
      `<mj-social>${vip('<mj-social-element name="x">in</mj-social-element>')}</mj-social>${unsubscribe}`,
    ),
    inColumn(
      `<mj-social mode="vertical">${vip('<mj-social-element name="x">in</mj-social-element>')}</mj-social>${unsubscribe}`,
    ),
    inColumn(`<mj-table>${vip('<tr><td>in</td></tr>')}</mj-table>${unsubscribe}`),
    `<mjml><mj-body><mj-wrapper>${vip('<mj-section><mj-column><mj-text>in</mj-text></mj-column></mj-section>')}<mj-section><mj-group>${vip('<mj-column><mj-text>in</mj-text></mj-column>')}<mj-column>${unsubscribe}</mj-column></mj-group></mj-section></mj-wrapper></mj-body></mjml>`,
    `<mjml><mj-body><mj-hero>${vip('<mj-text>in</mj-text>')}${unsubscribe}</mj-hero></mj-body></mjml>`,
    headed(vip('<mj-style>.in { color: red }</mj-style>')),
    headed(vip('<mj-raw><meta name="in"></mj-raw>')),
    headed(`{% assign color = contact.color %}<mj-style>.in { color: {{ color }} }</mj-style>`),
    // A note, and what is commented out, encloses nothing that could be missing.
    `{% comment %} note {% endcomment %}${inColumn(`{% # note %}<!-- ${vip('<mj-text>out</mj-text>')} -->{% comment %} out {{ contact.a }}{% endcomment %}${unsubscribe}`)}`,
  ];
  for (const mjml of cases) {
    const result = await compileEmail(buildContent({ mjml }), {}, 'tests');
    assert.ok(result.ok && result.warnings.length === 0, `${mjml} ${JSON.stringify(result)}`);
    const { html } = result.snapshot;
    const opens = html.indexOf('{% if');
    if (opens >= 0) assert.match(html.slice(opens, html.lastIndexOf('{% endif')), /\bin\b/, mjml);
    else assert.doesNotMatch(html, /\b(?:out|note)\b/);
  }
});

test('dropped MJML is reported with its line (R4.1)', async () => {
  const column = (mjml: string) => inColumn(`\n${mjml}${unsubscribe}`);
  const tag = ['liquid_misplaced error 2'];
  const text = ['mjml_dropped warning 2'];
  const cases: [string, string[]][] = [
    [column(`<mj-carousel>${vip('<mj-carousel-image src="https://i.example/1.png" />')}</mj-carousel>`), tag],
    [headed(vip('<mj-attributes><mj-all color="red" /></mj-attributes>')), tag],
    [headed(`<mj-attributes>${vip('<mj-all color="red" />')}</mj-attributes>`), tag],
    [headed(vip('<mj-style inline="inline">.a { color: red }</mj-style>')), tag],
    [headed(vip('<mj-font name="F" href="https://f.example/f.css" />')), tag],
    [headed(vip('<mj-breakpoint width="300px" />')), tag],
    [headed(vip('<mj-raw><meta name="a"></mj-raw><mj-style>.a { color: red }</mj-style>')), tag],
    [`\n{% assign a = 1 %}${inColumn(unsubscribe)}`, tag],
    [`<mjml>\n${vip('<!-- A -->')}${inColumn(unsubscribe).slice('<mjml>'.length)}`, tag],
    [column(`<mj-button ${vip('background-color="gold"')}>B</mj-button>`), tag],
    [column(`<!-- {% if contact.vip %} --><mj-text>A</mj-text><!-- {% endif %} -->`), tag],
    [column('<mj-include path="./footer.mjml" />'), ['mjml_include error 2']],
    [column('<mj-button>A</mj-button>and text'), text],
    [column('{{ contact.a }}'), text],
    [column('<mj-image alt="" src="https://i.example/1.png">A</mj-image>'), text],
    [`<mjml><mj-body>\nHello ${inColumn(unsubscribe).slice('<mjml><mj-body>'.length)}`, text],
    [
      column('').replace('</mj-body>', '</mj-body><mj-body>\n<mj-raw>A</mj-raw></mj-body>'),
      ['mjml_dropped warning 3'],
    ],
    [column('{% liquid\n assign a = 1\n%}\nand text'), ['mjml_dropped warning 5']],
    [inColumn(`${unsubscribe}\n<mj-text>Hello {{ contact.a }}`), ['mjml_unclosed error 2']],
    [inColumn(`${unsubscribe}\n<MJ-TEXT>Hello</MJ-TEXT>`), ['mjml_unclosed error 2']],
    [
      headed(`<mj-style inline="inline">.a { color: red; } /* @page */
        @media (max-width: 600px) { .a { color: blue } }
        a:hover { color: red; background: url("https://i.example/@2x:hover.png") }
        .b { color: red</mj-style>`),
      ['css_dropped warning 3', 'css_dropped warning 4', 'css_dropped warning 5'],
    ],
  ];
  for (const [mjml, expected] of cases) {
    const problems = (await problemsOf({ mjml })).filter(({ code }) => code !== 'mjml_invalid');
    assert.deepEqual(
      problems.map(({ code, severity, line }) => `${code} ${severity} ${line}`),
      expected,
      `${mjml} ${JSON.stringify(problems)}`,
    );
  }
});

test('the first 100 problems are returned, errors first', async () => {
  const images = '<mj-image alt="" src="http://x.example/x.png" />'.repeat(150);
  const problems = await problemsOf({ mjml: inColumn(images) });
  assert.equal(problems.length, 100);
  assert.deepEqual([problems[0]?.severity, problems[1]?.severity], ['error', 'warning']);
});

test('templates cannot read files or escape their data (TPL-1)', async () => {
  for (const tag of [
    "{% include 'package.json' %}",
    "{% render '../package.json' %}",
    "{% layout '/etc/passwd' %}",
    '{% block x %}{% endblock %}',
  ]) {
    assert.deepEqual(
      await codesOf({ mjml: inColumn(`<mj-text>${tag}</mj-text>${unsubscribe}`) }),
      ['liquid_invalid'],
      tag,
    );
  }
  const probes = [
    'brand.constructor',
    'brand.__proto__',
    'brand.toString',
    'process.env.PATH',
    'env',
    'globalThis',
    'brand.name.constructor.constructor',
  ];
  const { html } = await compile(
    {
      mjml: inColumn(
        `<mj-text>${probes.map((probe) => `[{{ ${probe} }}]`).join('')}</mj-text>${unsubscribe}`,
      ),
    },
    { brand: { name: 'x' } },
  );
  assert.ok(html.includes('[]'.repeat(probes.length)));
});

test('includes never read files (TPL-3)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-'));
  writeFileSync(join(folder, 'marker.mjml'), '<mj-text>marker-7c1</mj-text>');
  writeFileSync(join(folder, 'marker.css'), '.marker-7c1 { color: red }');
  const includes = [
    `<mj-include path="${folder}/marker.mjml" />`,
    `<mj-include path="file://${folder}/marker.mjml" />`,
    `<mj-include path="../../../../../../../..${folder}/marker.mjml" />`,
    `<mj-include path="./package.json" type="html" />`,
    `<mj-include path="${folder}/marker.css" type="css" />`,
    `<mj-include path="${folder}/marker.css" type="css" css-inline="inline" />`,
  ];
  for (const include of includes) {
    const inHead = `<mjml><mj-head>${include}</mj-head>${inColumn(unsubscribe).slice('<mjml>'.length)}`;
    for (const mjml of [inColumn(include + unsubscribe), inHead]) {
      const result = await compileEmail(buildContent({ mjml }), {}, 'tests');
      assert.doesNotMatch(JSON.stringify(result), /marker-7c1|"workspaces/, include);
    }
  }
});

test('50 concurrent bombs end in time (TPL-2)', async () => {
  const bombs = [
    '{% for i in (1..99999999) %}{% for j in (1..99999999) %}x{% endfor %}{% endfor %}',
    '{% if true %}'.repeat(20_000) + '{% endif %}'.repeat(20_000),
    `{% assign a = 'xxxxxxxx' %}${'{% assign a = a | append: a %}'.repeat(40)}{{ a }}`,
    `{% assign a = 'x' %}${"{% assign a = a | replace: 'x', 'xxxxxxxxxx' %}".repeat(12)}{{ a }}`,
    "{{ 'now' | date: '%99999999d' }}",
  ];
  const started = performance.now();
  const results = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const result = await compileEmail(
        // Each of them once: one takes half a second.
        buildContent({ mjml: inColumn(`<mj-text>${bombs[index] ?? bombs[0]!}</mj-text>${unsubscribe}`) }),
        {},
        `organization ${index % 5}`,
      ).catch((error: unknown) => {
        // It timed out waiting for the previous ones.
        assert.ok(error instanceof LimitExceeded);
      });
      if (result === undefined) return 'busy';
      return result.ok ? 'ok' : result.problems.at(-1)!.code;
    }),
  );
  // All have ended: waiting for a process and its start take at most 20 s, and a task at most 10 s more.
  assert.ok(performance.now() - started < 60_000);
  for (const code of results)
    assert.match(code, /^(?:render_failed|liquid_invalid|too_slow|too_much_memory|busy)$/);
  await compile({});
});

const withSections = (count: number) => `<mjml><mj-body>${'<mj-section/>'.repeat(count)}</mj-body></mjml>`;

test('a slow template is killed after two CPU seconds (TPL-2)', async () => {
  await compile({});
  const usedMs = await measureTemplateCpu(async () =>
    assert.deepEqual(await codesOf({ mjml: withSections(100_000) }), ['too_slow']),
  );
  // It is only polled, by a process that a busy machine may delay as well.
  assert.ok(usedMs < 5_000, `${usedMs} ms`);
  await compile({});
});

test('time without CPU does not count as slow (TPL-2)', async () => {
  await compile({});
  const processes = findTemplateProcesses();
  assert.ok(processes.length > 0);
  for (const pid of processes) signal(pid, 'SIGSTOP');
  const compiled = compile({});
  try {
    // Longer than the time limit of a template.
    await delay(2_500);
  } finally {
    for (const pid of processes) signal(pid, 'SIGCONT');
  }
  await compiled;
});

/** Ignores a missing process, since an idle one may end at any time. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
  }
}

test('excessive memory ends one template process only (TPL-2)', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const doublings = names.map(
    (name) =>
      `{% capture ${name} %}żżżżżżżżżżżżżżżż{% endcapture %}` +
      `{% capture ${name} %}{{ ${name} | raw }}{{ ${name} | raw }}{% endcapture %}`.repeat(24),
  );
  const search = `{% if ${names.map((name) => `${name} contains 'zz'`).join(' or ')} %}{% endif %}`;
  const bomb = `<mj-text>${doublings.join('')}${search}</mj-text>${unsubscribe}`;
  const [code] = await codesOf({ mjml: inColumn(bomb) });
  assert.match(code ?? '', /^(?:render_failed|too_much_memory)$/);
  await compile({});
});

test('bombs of one organization do not delay others (TPL-2)', () =>
  assertOneAtATime([['malicious'], ['malicious']]));

test('a person uses one process across organizations (TPL-2, RATE-1)', () =>
  assertOneAtATime([
    ['one', 'malicious'],
    ['two', 'malicious'],
  ]));

async function assertOneAtATime(
  owners: (readonly [organizationId: string, userId?: string])[],
): Promise<void> {
  // Both processes are started, so that two concurrent templates would begin together.
  await Promise.all(['one', 'two'].map((owner) => compileEmail(buildContent({}), {}, owner)));
  const endings: number[] = [];
  const attack = owners.map((owner) =>
    compileEmail(buildContent({ mjml: withSections(12_000) }), {}, ...owner).then(
      () => endings.push(performance.now()),
      // It timed out waiting for the previous ones.
      (error: unknown) => assert.ok(error instanceof LimitExceeded),
    ),
  );
  await compile({});
  await Promise.all(attack);
  // Each takes at least a second; two concurrent ones would have ended together.
  const gaps = endings.slice(1).map((end, index) => end - endings[index]!);
  assert.ok(
    gaps.every((ms) => ms > 500),
    `${gaps.join()} ms between the ends`,
  );
}
