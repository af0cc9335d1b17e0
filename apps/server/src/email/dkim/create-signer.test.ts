import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { createRandom } from '../../platform/random.ts';
import { keyRecordOf, makeDkimKey } from '../../testing/dkim-key.ts';
import { verifyWithMailauth } from '../../testing/verify-with-mailauth.ts';
import type { EmailSnapshot } from '../email-content.ts';
import { createTokenSigner } from '../links/tokens.ts';
import { createEmailRenderer } from '../mime/email-renderer.ts';
import { PreparationError, type OutgoingMessage } from '../transports/transport.ts';
import { createSigner } from './create-signer.ts';
import { relaxBody } from './relaxed.ts';
import { verifySignature, type SignatureProblem } from './verify-signature.ts';

const privateKey = makeDkimKey();
const keyRecord = keyRecordOf(privateKey);
const key = { domain: 'brand.example', selector: 'r1', privateKey };
const records = { 'r1._domainkey.brand.example': keyRecord };
const date = new Date('2026-11-20T10:15:00Z');

const sign = async (message: OutgoingMessage) => (await createSigner(key)(message)).message;
const signText = (text: string) =>
  sign({ envelopeFrom: 'a@b.example', envelopeTo: 'c@d.example', message: Buffer.from(text) });

function build(changes: Partial<EmailSnapshot> = {}, variables: Record<string, unknown> = {}) {
  const snapshot: EmailSnapshot = {
    version: 1,
    content_hash: 'x',
    from_name: 'Brand',
    from_email: 'news@brand.example',
    reply_to: null,
    subject: 'News for {{ contact.x }}',
    preheader: '',
    html: '<p>Hello {{ contact.x }}</p><a href="{{ links.unsubscribe }}">Out</a>{{ links.pixel }}',
    text: 'Hello {{ contact.x }}\n{{ links.unsubscribe }}',
    links: [],
    contact_fields: null,
    context: {},
    ...changes,
  };
  const renderer = createEmailRenderer(snapshot, {
    publicUrl: 'https://t.brand.example',
    signer: createTokenSigner(Buffer.alloc(32, 3)),
    sendNumber: 99,
    messageIdBase: '1f0f7b0e-4a30-4d0a-9c55-0b4f7c2d9e11',
    bounceDomain: 'bounce.brand.example',
    headers: { feedbackId: 'c1:o1:email:reachout', listId: '"Brand" <b1.brand.example>' },
  });
  return renderer.build({ seq: 7, contactId: 'c', address: 'ada@example.com', variables }, date);
}

async function assertValid(message: Buffer, what = 'the message'): Promise<void> {
  assert.equal(verifySignature(message, keyRecord), undefined, what);
  assert.deepEqual(await verifyWithMailauth(message, records), ['pass'], what);
}

test('signatures are valid for mailauth and for ourselves (EML-8)', async () => {
  await assertValid(await sign(build()));
  await assertValid(await sign(build({ reply_to: 'hello@brand.example', from_name: 'Bücher & „Co“' })));
  await assertValid(await sign(build({ from_email: 'news@BRAND.example' })));
});

test('a signed message cannot be changed (EML-8)', async () => {
  const signed = (await sign(build({ reply_to: 'hello@brand.example' }))).toString('latin1');
  const replace = (pattern: RegExp | string, by: string) => {
    assert.notEqual(signed.replace(pattern, by), signed);
    return signed.replace(pattern, by);
  };
  const atEnd = (field: string) => replace('\r\n\r\n', `\r\n${field}\r\n\r\n`);
  const added = [
    'From: Other <other@evil.example>',
    'Subject: Other',
    'List-Unsubscribe: <https://evil.example/>',
    'Reply-To: other@evil.example',
    'To: other@example.com',
    'Cc: other@example.com',
    'Sender: other@evil.example',
  ];
  const changed: Record<string, string> = {
    'without List-Unsubscribe-Post': replace(/^List-Unsubscribe-Post: .*\r\n/m, ''),
    'without Reply-To': replace(/^Reply-To: .*\r\n/m, ''),
    'without Date': replace(/^Date: .*\r\n/m, ''),
    'other Feedback-ID': replace('Feedback-ID: c1:', 'Feedback-ID: c2:'),
    'other Subject': replace('Subject: News', 'Subject: Old'),
    'other Message-ID': replace('Message-ID: <7', 'Message-ID: <8'),
    'other List-Id': replace('List-Id: "Brand"', 'List-Id: "Other"'),
    'other Content-Type': replace('boundary="=_part"', 'boundary="=_other"'),
    'other selector': replace('s=r1;', 's=r2;'),
    ...Object.fromEntries(
      added.flatMap((field) => [
        [field, `${field}\r\n${signed}`],
        [`${field} below`, atEnd(field)],
      ]),
    ),
  };
  for (const [what, message] of Object.entries(changed)) {
    const bytes = Buffer.from(message, 'latin1');
    assert.equal(verifySignature(bytes, keyRecord), 'signature_wrong', what);
    const others = { ...records, 'r2._domainkey.brand.example': keyRecord };
    assert.deepEqual(await verifyWithMailauth(bytes, others), ['fail'], what);
  }
  for (const message of [replace('Hello', 'Hallo'), `${signed}More\r\n`, signed.slice(0, -20)]) {
    const bytes = Buffer.from(message, 'latin1');
    assert.equal(verifySignature(bytes, keyRecord), 'body_changed');
    assert.deepEqual(await verifyWithMailauth(bytes, records), ['neutral']);
  }
});

test('what servers may change on the way keeps a signature valid', async () => {
  const signed = (await sign(build())).toString('latin1');
  const relayed = signed
    .replace('Subject: News for', 'SUBJECT:\t News \r\n\tfor')
    .replace('Precedence: bulk\r\n', '')
    .concat('\r\n\r\n');
  await assertValid(Buffer.from(`Received: from a by b\r\nX-Spam: no\r\n${relayed}`, 'latin1'));
});

const head = 'From: a@brand.example\r\nSubject: x\r\n';

test('signatures of odd messages are valid (EML-8)', async () => {
  const words = 'Straße 𝄞 '.repeat(40);
  for (const message of [
    `${head}\r\n`,
    head,
    `${head}\r\n\r\n\r\n\r\n`,
    `${head}\r\nx\r\n\r\n\r\n`,
    `${head}\r\nx`,
    `${head}\r\n x \t \r\n\t\r\n y  z \t\r\n \r\n`,
    `From:\r\n a@brand.example\r\nSubject: a  b\t\r\n\t c \r\n   d\r\nTO :x@y.example\r\n\r\nx\r\n`,
    `From: ä <a@brand.example>\r\nSubject: ${words}\r\n\r\n${words}\r\n`,
    `${head}X-Long: ${'x'.repeat(900)}\r\n\r\n${'y'.repeat(5000)}\r\n`,
    `${head}\r\n.\r\n..\r\n. x\r\n`,
    // Line breaks that the transport would normalize.
    `${head}\r\na\rb\nc\n\rd\r\r\n\n`,
    `From: a@brand.example\nSubject: x\n\nbody\n`,
    `${head}Subject: twice\r\nReceived: by z\r\nDate: no date\r\n\r\nx\r\n`,
    `${head}DKIM-Signature: v=1; a=rsa-sha256; d=other.example; s=x; h=from; bh=; b=\r\n\r\nx\r\n`,
  ]) {
    const signed = await signText(message);
    assert.equal(verifySignature(signed, keyRecord), undefined, message);
    assert.equal((await verifyWithMailauth(signed, records))[0], 'pass', message);
  }
});

test('values of contacts never break a signature', async () => {
  for (const x of [
    'a\rb\nc\r\n.\r\n..\r\nFrom z  \t \n',
    ' \t ',
    'Jürgen  Müller ',
    '𝄞'.repeat(300),
    'w'.repeat(900),
    'a\u0000\u2028b',
    '=?utf-8?q?x?=',
  ])
    await assertValid(await sign(build({}, { x })), JSON.stringify(x));
});

test('built bodies are canonical, and are signed as they are', async () => {
  const random = createRandom(1);
  const pieces = [
    ' ',
    '\t',
    '\r',
    '\n',
    '\r\n',
    '.',
    'F',
    '=',
    'ä',
    '𝄞',
    '\ud800',
    'word',
    '&',
    'x'.repeat(74),
  ];
  for (let count = 0; count < 300; count += 1) {
    const x = Array.from({ length: random.below(40) }, () => random.pick(pieces)).join('');
    const html = `<pre>${x}{{ contact.x }} {{ contact.x }}{% if contact.x %} ${x}{% endif %}{{ links.pixel }}</pre>`;
    const built = build({ html, text: `${x}{{ contact.x }}` }, { x });
    const body = built.message.subarray(built.bodyOffset);
    assert.deepEqual(relaxBody(body), body);
    const { bodyOffset, ...unknown } = built;
    assert.deepEqual(await sign(built), await sign(unknown));
    const { message, bodyOffset: moved = 0 } = await createSigner(key)(built);
    assert.deepEqual(message.subarray(moved), built.message.subarray(bodyOffset));
  }
});

test('a repeat has the same signature, dated like the message', async () => {
  const signed = await sign(build());
  assert.deepEqual(await sign(build()), signed);
  assert.match(signed.toString('latin1'), new RegExp(`^DKIM-Signature: [^]*? t=${date.getTime() / 1000};`));
});

test('fields are sealed or covered, and only these', async () => {
  const list = async (message: OutgoingMessage) =>
    /h=([^;]+);/
      .exec((await sign(message)).toString('latin1'))![1]!
      .replaceAll(/\s/g, '')
      .split(':');
  const common = [
    'date',
    'message-id',
    'list-unsubscribe-post',
    'list-id',
    'feedback-id',
    'mime-version',
    'content-type',
  ];
  const twice = (...names: string[]) => names.flatMap((name) => [name, name]);
  assert.deepEqual(await list(build()), [
    ...twice('from'),
    'reply-to',
    ...twice('to'),
    'cc',
    'sender',
    ...twice('subject', 'list-unsubscribe'),
    ...common,
  ]);
  assert.deepEqual(
    (await list(build({ reply_to: 'hello@brand.example' }))).filter((name) => name === 'reply-to'),
    twice('reply-to'),
  );
});

test('lines of the signature have at most 78 columns', async () => {
  for (const domain of ['b.example', `${'long-label.'.repeat(6)}example`]) {
    const signer = createSigner({ ...key, domain, selector: 'selector-2026' });
    const message = Buffer.from(`From: a@${domain}\r\n${'To: x@y.example\r\n'.repeat(9)}\r\nx\r\n`);
    const signed = await signer({ envelopeFrom: '', envelopeTo: '', message });
    const [signature] = signed.message.toString('latin1').split(/\r\n(?! )/);
    for (const line of signature!.split('\r\n')) assert.ok(line.length <= 78, line);
    assert.equal(verifySignature(signed.message, keyRecord), undefined);
  }
});

test('a key that cannot sign is an error of the send', () => {
  const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
  const unusable = {
    'no key': '',
    'no PEM': 'secret',
    'cut off': privateKey.slice(0, 400),
    'too small': makeDkimKey(1024),
    'other kind': generateKeyPairSync('ed25519').privateKey.export(pkcs8),
    'other use': generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey.export(pkcs8),
  };
  for (const [what, pem] of Object.entries(unusable))
    assert.throws(
      () => createSigner({ ...key, privateKey: pem }),
      (error) => error instanceof PreparationError && error.sendError.code === 'dkim_key_unusable',
      what,
    );
  for (const changes of [{ domain: 'x; d=evil.example' }, { selector: '' }, { selector: 'a\r\nb' }])
    assert.throws(() => createSigner({ ...key, ...changes }), PreparationError);
});

test('a message of another domain is not signed', async () => {
  await assert.rejects(sign(build({ from_email: 'news@sub.brand.example' })), PreparationError);
});

test('each problem of a signature or a key record has its name', async () => {
  const message = await sign(build());
  const text = message.toString('latin1');
  const spki = keyRecord.slice(keyRecord.indexOf('p=') + 2);
  const problemOf = (record: string) => verifySignature(message, record);
  assert.equal(verifySignature(build().message, keyRecord), 'signature_missing');
  for (const changed of [
    text.replace('v=1', 'v=2'),
    text.replace('rsa-sha256', 'rsa-sha1'),
    text.replace('relaxed/relaxed', 'simple/simple'),
    text.replace('t=', 'l=10; t='),
    text.replace('h=from:from:', 'h='),
    text.replace('bh=', 'xh='),
    text.replace('d=brand.example', 'd='),
    text.replace(' d=', ' d=other.example; d='),
  ])
    assert.equal(verifySignature(Buffer.from(changed, 'latin1'), keyRecord), 'signature_unusable', changed);
  const accepted = [
    `p=${spki}`,
    `v=DKIM1; h=sha1:sha256; k=rsa; s=email; t=s; n=note; p=${spki};`,
    `v=DKIM1;s=other:*;p=${spki.slice(0, 60)} \t${spki.slice(60)} `,
  ];
  for (const record of accepted) assert.equal(problemOf(record), undefined, record);
  const problems: [SignatureProblem, string[]][] = [
    ['key_revoked', ['v=DKIM1; p=', 'v=DKIM1; p= ;']],
    ['signature_wrong', [keyRecordOf(makeDkimKey())]],
    [
      'key_unusable',
      [
        '',
        'v=DKIM1',
        `v=DKIM2; p=${spki}`,
        `k=rsa; v=DKIM1; p=${spki}`,
        `v=DKIM1; k=ed25519; p=${spki}`,
        `v=DKIM1; h=sha1; p=${spki}`,
        `v=DKIM1; s=web; p=${spki}`,
        `"v=DKIM1; p=${spki}"`,
        `v=DKIM1; p=${spki.slice(0, 60)}" "${spki.slice(60)}`,
        `v=DKIM1; p=${spki.slice(0, 100)}`,
        keyRecordOf(makeDkimKey(768)),
      ],
    ],
  ];
  for (const [problem, cases] of problems)
    for (const record of cases) assert.equal(problemOf(record), problem, record);
});
