import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseMessage } from './mailbox.routes.ts';
import { readSubject } from './message.ts';

const message = (html: string) =>
  Buffer.from(
    `From: Nordwind\r\n <news@nordwind.example>\r\nSubject: =?UTF-8?B?R3LDvMOfZQ==?=\r\nX-Odd: <script>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHello\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n--b--\r\n`,
  );

suite('message details', () => {
  test('headers, text and links are shown in order', async () => {
    const detail = await parseMessage(
      message(
        '<a href="https://a.example/t/c/x.0">First\n <b>one</b></a><a href="https://b.example/"><img src="https://b.example/i.png" alt="Logo"></a><a href="mailto:u@x.example">Stop</a><a href="javascript:alert(1)">Bad</a><a name="x">None</a>',
      ),
    );
    assert.deepEqual(detail.headers.slice(0, 3), [
      { name: 'From', value: 'Nordwind <news@nordwind.example>' },
      { name: 'Subject', value: '=?UTF-8?B?R3LDvMOfZQ==?=' },
      { name: 'X-Odd', value: '<script>' },
    ]);
    assert.equal(detail.text?.trim(), 'Hello');
    assert.deepEqual(detail.links, [
      { text: 'First one', url: 'https://a.example/t/c/x.0' },
      { text: 'Logo', url: 'https://b.example/' },
      { text: 'Stop', url: 'mailto:u@x.example' },
    ]);
    assert.equal(detail.pixel_url, null);
  });

  test('the open pixel is removed from the shown message', async () => {
    const { html, pixel_url } = await parseMessage(
      message(
        '<p>Hello</p><img src="https://b.example/i.png"><img src="https://r.example/t/o/1-1-abc_-9" width="1" height="1" alt=""><p>End</p>',
      ),
    );
    assert.equal(pixel_url, 'https://r.example/t/o/1-1-abc_-9');
    assert.equal(html?.trim(), '<p>Hello</p><img src="https://b.example/i.png"><p>End</p>');
  });

  test('thousands of images are parsed quickly', async () => {
    // Removing each of these from the whole text separately would take minutes.
    const { html } = await parseMessage(message(`<p>ü</p>${'<img src="/t/o/x">'.repeat(40_000)}`));
    assert.equal(html?.trim(), '<p>ü</p>');
  });

  test('a message without HTML has no HTML part', async () => {
    const detail = await parseMessage(Buffer.from('Subject: x\r\n\r\nOnly <b>text</b>\r\n'));
    assert.equal(detail.html, null);
    assert.equal(detail.text?.trim(), 'Only <b>text</b>');
    assert.deepEqual(detail.links, []);
  });
});

suite('subjects', () => {
  const subjects: [string, string][] = [
    ['Subject: Hello\r\n', 'Hello'],
    ['subject:Hello\r\n\tagain\r\nTo: x\r\n', 'Hello\tagain'.replace('\t', ' ')],
    ['To: x\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe_an?=\r\n =?UTF-8?B?IE1pYQ==?=\r\n', 'Grüße an Mia'],
    ['Subject: =?iso-8859-1?Q?caf=E9?= au lait\r\n', 'café au lait'],
    ['Subject: =?nonsense?Q?x?=\r\n', '=?nonsense?Q?x?='],
    ['To: x\r\n', ''],
    ['X: y\r\n\r\nSubject: in the body\r\n', ''],
    ['Subject: =?utf-8?q?a=00=0D=0Ab?=\r\n', 'a b'],
  ];
  for (const [head, subject] of subjects)
    test(`${JSON.stringify(head)} is decoded`, () => {
      assert.equal(readSubject(Buffer.from(`${head}\r\n`)), subject);
    });

  test('a subject is limited to 300 characters', () => {
    assert.equal(readSubject(Buffer.from(`Subject: ${'x'.repeat(400)}\r\n\r\n`)).length, 300);
  });
});
