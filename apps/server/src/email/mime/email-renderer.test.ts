import assert from 'node:assert/strict';
import test from 'node:test';
import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import type { EmailLink, EmailSnapshot } from '../email-content.ts';
import { createEmailRenderer, type EmailRendererOptions, type Recipient } from './email-renderer.ts';
import { createLinkTargets } from '../links/link-targets.ts';
import { formatListId } from './headers.ts';
import { renderPage } from '../templates/render-page.ts';
import { RenderError } from '../liquid/render-error.ts';
import { deriveTextTemplate } from '../liquid/text-template.ts';
import { createLiquidEngine } from '../liquid/liquid-engine.ts';
import { createTokenSigner } from '../links/tokens.ts';

const signer = createTokenSigner(Buffer.alloc(32, 3));
const date = new Date('2026-11-20T10:15:00Z');
const options: EmailRendererOptions = {
  publicUrl: 'https://t.brand.example',
  signer,
  sendNumber: 99,
  messageIdBase: '1f0f7b0e-4a30-4d0a-9c55-0b4f7c2d9e11',
  bounceDomain: 'bounce.brand.example',
  headers: { feedbackId: 'c1:o1:email:reachout', listId: '"Brand" <b1.brand.example>' },
};

function buildSnapshot(changes: Partial<EmailSnapshot> = {}): EmailSnapshot {
  return {
    version: 1,
    content_hash: 'x',
    from_name: 'Brand',
    from_email: 'news@brand.example',
    reply_to: null,
    subject: 'News',
    preheader: '',
    html: '<html><body><p>Hello</p><a href="{{ links.unsubscribe }}">Out</a>{{ links.pixel }}</body></html>',
    text: 'Hello\n{{ links.unsubscribe }}',
    links: [],
    contact_fields: null,
    context: {},
    ...changes,
  };
}

function buildRecipient(
  variables: Record<string, unknown> = {},
  changes: Partial<Recipient> = {},
): Recipient {
  return { seq: 7, contactId: 'c', address: 'ada@example.com', variables, ...changes };
}

function build(snapshot: Partial<EmailSnapshot>, variables: Record<string, unknown> = {}) {
  return createEmailRenderer(buildSnapshot(snapshot), options).build(buildRecipient(variables), date);
}

test('recipients unsubscribe by mail where it is read', () => {
  const token = signer.sign({ sendNumber: 99, seq: 7 }).unsubscribe;
  const fieldsWith = (takesReturnedMail: boolean) => {
    const renderer = createEmailRenderer(buildSnapshot(), { ...options, takesReturnedMail });
    const { message, bodyOffset } = renderer.build(buildRecipient(), date);
    return message.toString('latin1', 0, bodyOffset).match(/^List-Unsubscribe:.*\r\n(?: .*\r\n)*/gm);
  };
  const url = `<https://t.brand.example/u/${token}>`;
  assert.deepEqual(fieldsWith(false), [`List-Unsubscribe: ${url}\r\n`]);
  assert.deepEqual(fieldsWith(true), [
    `List-Unsubscribe: ${url},\r\n <mailto:u+${token}@bounce.brand.example>\r\n`,
  ]);
});

test("a message equals nodemailer's message of the same parts", async () => {
  const snapshot = buildSnapshot({
    from_name: 'Bücher & „Co“',
    reply_to: 'hello@brand.example',
    subject: 'Grüße an {{ contact.first_name }} 𝄞 und noch viel mehr Text, der eine zweite Zeile braucht',
    html: '<p>Liebe {{ contact.first_name }},</p>\n<p>.\n..\nFrom us  with   blanks \n= 100 %</p>',
    text: 'Liebe {{ contact.first_name }},\n.\n..\nFrom us  with   blanks \n= 100 %\n',
  });
  const built = createEmailRenderer(snapshot, options).build(
    buildRecipient({ first_name: 'Jürgen <b>' }),
    date,
  );
  const unsubscribe = signer.sign({ sendNumber: 99, seq: 7 }).unsubscribe;
  const reference = await createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  }).sendMail({
    from: { name: 'Bücher & „Co“', address: 'news@brand.example' },
    replyTo: 'hello@brand.example',
    to: 'ada@example.com',
    subject: 'Grüße an Jürgen <b> 𝄞 und noch viel mehr Text, der eine zweite Zeile braucht',
    date,
    messageId: built.messageId,
    html: '<p>Liebe Jürgen &lt;b&gt;,</p>\n<p>.\n..\nFrom us  with   blanks \n= 100 %</p>',
    text: 'Liebe Jürgen <b>,\n.\n..\nFrom us  with   blanks \n= 100 %\n',
    headers: {
      Precedence: 'bulk',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      'Feedback-ID': 'c1:o1:email:reachout',
      // Nodemailer would encode the whole value, including the brackets.
      'List-Id': { prepared: true, value: '"Brand" <b1.brand.example>' },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'List-Unsubscribe': `<https://t.brand.example/u/${unsubscribe}>`,
    },
  });
  const ours = await simpleParser(built.message);
  const theirs = await simpleParser(reference.message);
  for (const key of ['subject', 'messageId', 'html', 'text'] as const)
    assert.deepEqual(ours[key], theirs[key], key);
  assert.deepEqual(ours.date, theirs.date);
  assert.deepEqual(ours.from?.value, theirs.from?.value);
  assert.deepEqual(ours.to, theirs.to);
  assert.deepEqual(ours.replyTo?.value, theirs.replyTo?.value);
  assert.deepEqual(ours.headers.get('list'), theirs.headers.get('list'));
  for (const key of ['feedback-id', 'precedence', 'x-auto-response-suppress']) {
    assert.deepEqual(ours.headers.get(key), theirs.headers.get(key), key);
  }
});

test('a message is valid SMTP and in relaxed form (R3.3, EML-4)', () => {
  const nasty = '.\r\n.\r\nx\r.\ry\n.\nFrom z  \t \n\u0000'.repeat(3);
  const { message, bodyOffset } = build(
    {
      text: `${nasty}{{ contact.x }}`,
      html: `<pre>${nasty}{{ contact.x }}{% if contact.x %}${nasty}{% endif %}</pre>`,
    },
    { x: nasty },
  );
  const text = message.toString('latin1');
  assert.ok(text.endsWith('\r\n'));
  assert.doesNotMatch(text.replaceAll('\r\n', ''), /[\r\n]/);
  assert.doesNotMatch(text, /^\./m);
  assert.doesNotMatch(text, /[^\r\n\u0020-\u007e]/);
  for (const line of text.split('\r\n')) assert.ok(line.length <= 998);
  const body = text.slice(bodyOffset);
  assert.ok(body.startsWith('--=_part'));
  assert.equal(
    body
      .replaceAll(/[\t ]+(?=\r\n)/g, '')
      .replaceAll(/[\t ]+/g, ' ')
      .replace(/(?:\r\n)*$/, '\r\n'),
    body,
  );
  assert.equal(text.slice(bodyOffset - 4, bodyOffset), '\r\n\r\n');
});

test('filled-in values equal Liquid output', async () => {
  const templates = [
    'A{{ contact.a }}B{{ contact.a | default: "d" }}C{{ contact.none | default: "<d>" }}D{{ contact.none }}E',
    '{% assign x = contact.a | upcase %}{{ x }} {% capture y %}[{{ x }}]{% endcapture %}{{ y }}',
    '{% for i in contact.list %}{{ i }},{{ forloop.index }} {% else %}none{% endfor %}',
    '{% if contact.a == "q" %}x {{ contact.a }}{% elsif contact.n > 2 %} y <b> {% if contact.a %}in{% endif %} {% else %}z{% endif %}.',
    'a {%- if contact.n -%} b {%- endif -%} c {{- contact.a -}} d',
    '{{ contact.n }} {{ contact.t }} {{ contact.f | default: "F" }} {{ contact.zero | default: 1 }} {{ contact.list }} {{ contact.list.size }}',
    '{% assign contact = brand %}{{ contact.name }}',
    '{% for contact in brands %}{{ contact.name }}{% endfor %}',
    '{{ contact.size }}|{{ contact.first }}|{{ contact["a"] }}|{{ brand.name }}|{{ contact.empty | default: "e" }}',
    String.raw`{{ contact.none | default: "a\"b\n" }}`,
    '{% unless contact.none %}u{% endunless %}{% case contact.a %}{% when "x" %}X{% else %}O{% endcase %}',
    '{% increment contact %}{{ contact.a }}',
  ];
  const variables = { a: 'Jö <&"\'> 𝄞', n: 3, t: true, f: false, zero: 0, list: ['p', 'q'], empty: '' };
  const context = { brand: { name: 'Brand' }, brands: [{ name: 'one' }, { name: 'two' }] };
  for (const template of templates) {
    // A new scope each time, since `increment` changes it.
    const [html, text] = (['html', 'plain'] as const).map((output) => {
      const scope = { ...context, contact: variables, links: {} };
      return String(createLiquidEngine(output, 1000).liquid.parseAndRenderSync(template, scope));
    });
    const mail = await simpleParser(
      build({ html: `<${template}>`, text: `<${template}>`, context }, variables).message,
    );
    assert.equal(mail.html, `<${html}>`, template);
    assert.equal(mail.text, `<${text}>`, template);
  }
});

test('an object prints its content as text', async () => {
  const part = '{{ contact.data }}|{{ contact.list }}';
  const data = { city: 'Graz', n: [1] };
  const mail = await simpleParser(
    build({ subject: part, html: `<p>${part}</p>`, text: part }, { data, list: ['a', { b: 1 }] }).message,
  );
  const json = '{"city":"Graz","n":[1]}|a{"b":1}';
  assert.equal(mail.subject, json);
  assert.equal(mail.text, json);
  assert.equal(mail.html, `<p>${json.replaceAll('"', '&#34;')}</p>`);
});

const links: EmailLink[] = [
  { url: 'https://shop.example/?a=1&b=2', personal: false },
  { url: 'https://shop.example/{{ contact.id | url_encode }}', personal: true },
  { url: '{{ contact.url }}', personal: true },
];
const linked = {
  links,
  html: '<a href="{{ links.click_0 }}">0</a>{% if contact.id %}<a href="{{ links.click_1 }}">1</a>{% endif %}{% for i in contact.list %}<a href="{{ links.click_2 }}">2</a>{% endfor %}<a href="{{ links.preferences }}">p</a><a href="{{ links.view_in_browser }}">v</a><a href="{{ links.unsubscribe }}">u</a>{{ links.pixel }}',
  text: '{{ links.click_0 }} {{ links.unsubscribe }}',
};

test('every address contains the token of its purpose', async () => {
  const variables = { id: 'x y', url: 'https://z.example/', list: [1] };
  // Every length once, so that the link number occurs at each position of a line end.
  for (let length = 1; length < 80; length++) {
    const publicUrl = `https://t.example/${'p'.repeat(length)}`;
    const renderer = createEmailRenderer(buildSnapshot(linked), { ...options, publicUrl });
    const { message, bodyOffset } = renderer.build(buildRecipient(variables), date);
    const lines = message.subarray(bodyOffset).toString().split('\r\n');
    assert.ok(lines.every((line) => line.length <= 76));
    const mail = await simpleParser(message);
    const ref = { sendNumber: 99, seq: 7 };
    const { click, unsubscribe, view, open } = signer.sign(ref);
    assert.equal(
      mail.html,
      `<a href="${publicUrl}/t/c/${click}.0">0</a><a href="${publicUrl}/t/c/${click}.1">1</a>` +
        `<a href="${publicUrl}/t/c/${click}.2">2</a><a href="${publicUrl}/p/${unsubscribe}">p</a>` +
        `<a href="${publicUrl}/v/${view}">v</a><a href="${publicUrl}/u/${unsubscribe}">u</a>` +
        `<img src="${publicUrl}/t/o/${open}" width="1" height="1" alt="">`,
    );
    assert.equal(mail.text, `${publicUrl}/t/c/${click}.0 ${publicUrl}/u/${unsubscribe}`);
  }
});

test('untracked messages have plain links and no pixel (R11.3)', async () => {
  const renderer = createEmailRenderer(buildSnapshot(linked), options);
  const variables = { id: 'x y', url: 'https://z.example/', list: [1] };
  const mail = await simpleParser(
    renderer.build(buildRecipient(variables, { tracked: false }), date).message,
  );
  assert.match(
    String(mail.html),
    /^<a href="https:\/\/shop\.example\/\?a=1&amp;b=2">0<\/a><a href="https:\/\/shop\.example\/x\+y">1/,
  );
  assert.doesNotMatch(String(mail.html), /\/t\/[co]\/|<img/);
  assert.doesNotMatch(String(mail.text), /\/t\/c\//);
});

test('the browser page has plain links and no pixel', () => {
  const token = signer.sign({ sendNumber: 99, seq: 7 }).unsubscribe;
  const messageLinks = {
    unsubscribe: `https://t.brand.example/u/${token}`,
    preferences: `https://t.brand.example/p/${token}`,
    view_in_browser: '',
  };
  const contact = { url: 'javascript:alert(1)', list: [1] };
  const html = renderPage(buildSnapshot(linked), contact, messageLinks);
  assert.doesNotMatch(html, /\/t\/|<img|javascript/);
  assert.match(html, /href="https:\/\/shop\.example\/\?a=1&amp;b=2"/);
  assert.ok(html.includes(messageLinks.unsubscribe));
});

test('clicks only lead to addresses fixed at send (LNK-1)', () => {
  const targets = createLinkTargets(buildSnapshot(linked));
  assert.equal(targets.target({}, 0), 'https://shop.example/?a=1&b=2');
  assert.equal(
    targets.target({ id: '../../@evil.example' }, 1),
    'https://shop.example/..%2F..%2F%40evil.example',
  );
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'mailto:a@b.example',
    '',
    'x',
    null,
  ]) {
    assert.equal(targets.target({ url }, 2), undefined);
  }
  assert.equal(
    targets.target({ url: 'https://a.example/\r\nSet-Cookie: x' }, 2),
    'https://a.example/Set-Cookie:%20x',
  );
  for (const linkNo of [-1, 3, 1.5, Number.NaN]) assert.equal(targets.target({}, linkNo), undefined);
});

const ordinaryHead =
  /^(?:(?:From|List-Id|Feedback-ID|List-Unsubscribe(?:-Post)?|MIME-Version|Content-Type|Precedence|X-Auto-Response-Suppress|To|Subject|Date|Message-ID): [\u0020-\u007e]*\r\n(?: [\u0020-\u007e]+\r\n)*)+(?:\r\n)?$/;

test('control characters are removed from subject and sender', async () => {
  for (const [value, shown] of [
    ['Acme\nGmbH', 'Acme GmbH'],
    ['Acme \r\n\t GmbH\n', 'Acme GmbH'],
    ['Acme\u2028GmbH', 'Acme GmbH'],
    ['Acme\u2029GmbH', 'Acme GmbH'],
    ['Acme\u0085GmbH', 'Acme GmbH'],
    ['Acme\u000b\u000cGmbH', 'Acme GmbH'],
    ['Ac\u0000m\u001be \u007fGm\u200bbH\ufeff', 'Acme GmbH'],
    ['\u202eAcme\u202c GmbH', 'Acme GmbH'],
    // Typography, emoji of several characters, and joiners that a script needs.
    ['Acme\u00a0GmbH', 'Acme\u00a0GmbH'],
    ['\u{1f469}\u200d\u{1f4bb} \u0645\u06cc\u200c', '\u{1f469}\u200d\u{1f4bb} \u0645\u06cc\u200c'],
  ] as const) {
    const snapshot = { subject: 'News for {{ contact.company }}', from_name: value };
    const mail = await simpleParser(build(snapshot, { company: value }).message);
    assert.equal(mail.subject, `News for ${shown}`, JSON.stringify(value));
    assert.equal(mail.from?.value[0]?.name, shown, JSON.stringify(value));
    assert.doesNotThrow(() => formatListId(value, 'b1.brand.example'));
  }
});

test('personal links become tracked, untracked or inert (R4.2)', async () => {
  const snapshot = buildSnapshot({
    links: [{ url: '{{ contact.website }}', personal: true }],
    html: '<a href="{{ links.click_0 }}">x</a>{% for i in (1..1) %}<a href="{{ links.click_0 }}">y</a>{% endfor %}',
    text: deriveTextTemplate('<a href="{{ links.click_0 }}">x</a>', () => true),
  });
  const renderer = createEmailRenderer(snapshot, options);
  const targets = createLinkTargets(snapshot);
  const tracked = `https://t.brand.example/t/c/${signer.sign({ sendNumber: 99, seq: 7 }).click}.0`;
  for (const [website, destination] of [
    ['https://x.example/a?b=1#c', 'https://x.example/a?b=1#c'],
    ['www.x.example', 'https://www.x.example/'],
    [' x.example/a\n', 'https://x.example/a'],
    ['bücher.example', 'https://xn--bcher-kva.example/'],
    ['X.EXAMPLE:8080?a', 'https://x.example:8080/?a'],
    ['https://https://x.example', 'https://x.example/'],
    ['mailto:a@x.example', 'mailto:a@x.example'],
    ['tel:+49 30 123', 'tel:+49%2030%20123'],
    ['sms:+4930?body=">', 'sms:+4930?body=%22%3E'],
    ...[
      undefined,
      null,
      '',
      ' ',
      '-',
      'n/a',
      'none',
      'keine',
      '12.50',
      '//x.example',
      'http//x.example',
      'https://n/a',
      'https://',
      'mailto:',
      'a@x.example',
      'x.example, y.example',
      'javascript:alert(1)',
      'javascript://x.example/%0aalert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
    ].map((value) => [value, undefined] as const),
  ] as const) {
    const isWeb = destination?.startsWith('https://') === true;
    assert.equal(targets.target({ website }, 0), isWeb ? destination : undefined, String(website));
    const mail = await simpleParser(renderer.build(buildRecipient({ website }), date).message);
    const address = isWeb ? tracked : (destination ?? '#');
    assert.equal(mail.html, `<a href="${address}">x</a><a href="${address}">y</a>`, String(website));
    assert.equal(mail.text, destination === undefined ? 'x' : `x <${address}>`, String(website));
  }
});

test('contact values cannot inject headers, recipients or parts (EML-1)', async () => {
  const breaks = ['\r\n', '\n', '\r', '\u0000', '\u2028', '\u0085', '\u001b'];
  for (const lineBreak of breaks) {
    for (const header of ['Bcc: evil@example.com', 'X-Evil: 1', ' folded', '\r\n<script>']) {
      const value = `a${lineBreak}${header}`;
      for (const { message, bodyOffset } of [
        build({ subject: '{{ contact.name }}' }, { name: value }),
        build({ from_name: value }),
      ])
        // Each line of a header starts with one of the names, or continues the line before.
        assert.match(message.toString('latin1', 0, bodyOffset), ordinaryHead, JSON.stringify(value));
      for (const address of [
        `a@b.example${lineBreak}${header}`,
        `a@b.example, evil@example.com`,
        `<a@b.example>`,
      ]) {
        const renderer = createEmailRenderer(buildSnapshot(), options);
        assert.throws(() => renderer.build(buildRecipient({}, { address }), date), {
          code: 'invalid_address',
        });
      }
      assert.throws(() =>
        createEmailRenderer(buildSnapshot(), { ...options, headers: { ...options.headers, listId: value } }),
      );
      assert.throws(() =>
        createEmailRenderer(buildSnapshot(), { ...options, publicUrl: `https://t.example/${value}` }),
      );
      assert.throws(() => createEmailRenderer(buildSnapshot({ from_email: `a@b.example${value}` }), options));
    }
  }
  const value =
    '--=_part\r\nContent-Type: text/html\r\n\r\n<b>evil</b>\r\n--=_part--\r\n.\r\nMAIL FROM:<x@y.example>';
  const mail = await simpleParser(
    build({ html: '<p>{{ contact.v }}</p>', text: '{{ contact.v }}' }, { v: value }).message,
  );
  assert.equal(mail.text, value.replaceAll('\r\n', '\n'));
  assert.equal(mail.attachments.length, 0);
  assert.equal([...mail.headers.keys()].includes('bcc'), false);
  assert.deepEqual(mail.headerLines.map(({ key }) => key).toSorted(), [
    'content-type',
    'date',
    'feedback-id',
    'from',
    'list-id',
    'list-unsubscribe',
    'list-unsubscribe-post',
    'message-id',
    'mime-version',
    'precedence',
    'subject',
    'to',
    'x-auto-response-suppress',
  ]);
});

test('subjects of any length and script decode unchanged', async () => {
  for (const name of [
    'x',
    'word '.repeat(60).trim(),
    'ü'.repeat(300),
    '日本語'.repeat(60),
    '=?utf-8?q?x?=',
    'y'.repeat(400),
    '"<@>',
    '𝄞'.repeat(50),
  ]) {
    const { message, bodyOffset } = build({ subject: '{{ contact.name }}' }, { name });
    for (const line of message.subarray(0, bodyOffset).toString().split('\r\n'))
      assert.ok(line.length <= 78 || line.startsWith('List-'), line);
    assert.equal((await simpleParser(message)).subject, name);
  }
});

test('a repeated message has the same identity (JOB-2)', () => {
  const buildWith = (changes: Partial<EmailRendererOptions>, seq = 7) =>
    createEmailRenderer(buildSnapshot(), { ...options, ...changes }).build(buildRecipient({}, { seq }), date);
  const first = buildWith({});
  assert.deepEqual(first, buildWith({}));
  assert.match(first.envelopeFrom, /^b\.2r-7-[a-z\d]{26}@bounce\.brand\.example$/);
  assert.equal(buildWith({ signer: createTokenSigner(Buffer.alloc(32, 4)) }).messageId, first.messageId);
  assert.notEqual(buildWith({}, 8).messageId, first.messageId);
  const another = { messageIdBase: '2a3b6f6e-9d0c-4c4e-8f55-6f2f9d1f7a02' };
  assert.notEqual(buildWith(another).messageId, first.messageId);
});

test('templates access plain message data only (TPL-1)', () => {
  const probes = [
    'contact.constructor',
    'contact.__proto__',
    'contact.constructor.constructor',
    'contact.toString',
    'contact.hasOwnProperty',
    'contact.name.constructor',
    'contact.list.constructor',
    'contact.list.map',
    'links.constructor',
    'links.__proto__',
    'process',
    'process.env',
    'globalThis',
    'require',
    'brand.constructor.prototype',
    'signer',
    'options',
    'this',
    'self',
  ];
  for (const probe of probes) {
    const snapshot = buildSnapshot({ html: `[{{ ${probe} }}]`, context: { brand: {} } });
    const messageLinks = { unsubscribe: '', preferences: '', view_in_browser: '' };
    assert.equal(renderPage(snapshot, { name: 'n', list: ['a'] }, messageLinks), '[]', probe);
  }
  for (const tag of [
    "{% include 'x' %}",
    "{% render '/etc/passwd' %}",
    "{% layout 'x' %}",
    '{% block a %}{% endblock %}',
  ]) {
    assert.throws(() => createEmailRenderer(buildSnapshot({ html: tag }), options), /not found/);
  }
});

const doublings = (name: string, count: number) =>
  `{% capture ${name} %}{{ contact.x }}{% endcapture %}` +
  `{% capture ${name} %}{{ ${name} | raw }}{{ ${name} | raw }}{% endcapture %}`.repeat(count);

test('endless or growing messages are stopped (TPL-2)', () => {
  const cpu = process.cpuUsage();
  const bombs: [string, Record<string, unknown>][] = [
    ['{% for i in (1..99999999) %}{% for j in (1..99999999) %}{% endfor %}{% endfor %}', {}],
    [
      '{% for i in contact.n %}{% for j in contact.n %}{% for k in contact.n %}x{% endfor %}{% endfor %}{% endfor %}',
      { n: Array.from({ length: 1000 }, () => 1) },
    ],
    [`{% assign a = contact.x %}${'{% assign a = a | append: a %}'.repeat(40)}{{ a }}`, { x: 'xxxxxxxx' }],
    [
      `{% capture a %}${'{{ contact.x }}'.repeat(9)}{% endcapture %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(30)}{{ a }}`,
      { x: 'x' },
    ],
    // Captured texts that are printed or searched, neither of which Liquid itself counts.
    [`${doublings('a', 24)}{% if a contains 'zz' %}{% endif %}`, { x: 'żżżżżżżżżżżżżżżż' }],
    [
      `${'abcdef'
        .split('')
        .map((name) => doublings(name, 24))
        .join('')}{% if ${'abcdef'
        .split('')
        .map((name) => `${name} contains 'zz'`)
        .join(' or ')} %}{% endif %}`,
      { x: 'żżżżżżżżżżżżżżżż' },
    ],
    [
      `{% assign a = contact.x | append: contact.x %}{% if ${Array.from({ length: 2_000 }, () => "a contains 'yyyz'").join(' or ')} %}{% endif %}`,
      { x: 'y'.repeat(900_000) },
    ],
    ["{{ 'now' | date: contact.x }}", { x: '%99999999d' }],
    ['{{ contact.x | strip_html }}', { x: '<!--'.repeat(300_000) }],
    ['{{ contact.x }}', { x: 'x'.repeat(1_000_001) }],
  ];
  for (const [html, variables] of bombs) {
    assert.throws(
      () => build({ html }, variables),
      (error) => error instanceof RenderError,
      html.slice(0, 60),
    );
    assert.throws(
      () => build({ html: '', text: html }, variables),
      (error) => error instanceof RenderError,
    );
  }
  assert.ok(process.cpuUsage(cpu).user < bombs.length * 2 * 700_000);
});

test('messages share a reading of the CPU clock', (t) => {
  const condition = '{% if contact.vip %}Welcome{% else %}Hello{% endif %}';
  const snapshot = { subject: `${condition} you`, html: `<p>${condition}</p>`, text: condition };
  const renderer = createEmailRenderer(buildSnapshot(snapshot), options);
  const clock = t.mock.method(process, 'threadCpuUsage');
  const startedAt = performance.now();
  for (let seq = 1; seq <= 1_000; seq += 1)
    renderer.build(buildRecipient({ vip: seq % 2 === 0 }, { seq }), date);
  const milliseconds = performance.now() - startedAt;
  const readings = clock.mock.callCount();
  assert.ok(readings <= milliseconds / 5 + 1, `${readings} in ${milliseconds} ms`);
});

test('messages and their parts have size limits (TPL-8)', () => {
  const templates = { text: '{{ contact.x }}', html: '<p>{{ contact.x }}</p>' };
  const { message } = build(templates, { x: '\u20ac'.repeat(500_000) });
  assert.ok(message.length > 9_000_000 && message.length < 10_000_000, String(message.length));
  const tooLarge = (x: string) => assert.throws(() => build(templates, { x }), { code: 'too_large' });
  tooLarge('\u20ac'.repeat(600_000));
  assert.ok(build(templates, { x: 'x'.repeat(999_993) }).message.length < 3_000_000);
  tooLarge('x'.repeat(999_994));
});

test('values written in pieces decode unchanged', async () => {
  // Every length once, so that each kind of character occurs at the end of a chunk.
  for (let length = 16_376; length < 16_392; length++) {
    const x = `${'x'.repeat(length)}\u{1d11e}\r\n\u00e9 y`;
    const mail = await simpleParser(build({ text: '{{ contact.x }}' }, { x }).message);
    assert.equal(mail.text, x.replace('\r\n', '\n'));
  }
});

test('a renderer works after a failed message', async () => {
  const renderer = createEmailRenderer(
    buildSnapshot({ html: '{% for i in contact.n %}x{% endfor %}' }),
    options,
  );
  const bad = Array.from({ length: 2_000_000 }, () => 1);
  assert.throws(() => renderer.build(buildRecipient({ n: bad }), date), RenderError);
  assert.equal((await simpleParser(renderer.build(buildRecipient({ n: [1, 2] }), date).message)).html, 'xx');
});

test('large link numbers keep lines short (R3.3)', () => {
  const many = Array.from({ length: 1200 }, () => ({ url: 'https://x.example/', personal: false }));
  for (let length = 1; length < 80; length++) {
    const renderer = createEmailRenderer(
      buildSnapshot({ html: '<a href="{{ links.click_1199 }}">x</a>', links: many }),
      {
        ...options,
        publicUrl: `https://t.example/${'p'.repeat(length)}`,
      },
    );
    const { message, bodyOffset } = renderer.build(buildRecipient(), date);
    for (const line of message.subarray(bodyOffset).toString().split('\r\n'))
      assert.ok(line.length <= 76, line);
  }
});
