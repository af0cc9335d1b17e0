import assert from 'node:assert/strict';
import test from 'node:test';
import { cleanReplyText, SmtpReplyParser } from './smtp-reply.ts';

test('a reply is parsed whole from any fragments', () => {
  const text = '250-first\r\n250-SIZE 10\r\n250 last\r\n550 5.1.1 no\nsuch'.replace('\nsuch', '\r\n');
  for (let cut = 0; cut <= text.length; cut++) {
    const parser = new SmtpReplyParser();
    const replies = [
      ...parser.push(Buffer.from(text.slice(0, cut))),
      ...parser.push(Buffer.from(text.slice(cut))),
    ];
    assert.deepEqual(
      replies.map(({ code, lines }) => [code, lines]),
      [
        [250, ['first', 'SIZE 10', 'last']],
        [550, ['5.1.1 no']],
      ],
    );
    assert.equal(parser.isMidReply, false);
  }
});

test('invalid or endless replies are rejected after valid ones', () => {
  const problemOf = (...texts: string[]) => {
    const parser = new SmtpReplyParser();
    const codes = texts.flatMap((text) => parser.push(Buffer.from(text)).map(({ code }) => code));
    return { codes, problem: parser.problem };
  };
  assert.match(problemOf('HTTP/1.1 400 Bad Request\r\n').problem ?? '', /^Not an SMTP reply: HTTP/);
  assert.match(problemOf('999 x\r\n').problem ?? '', /^Not an SMTP reply/);
  assert.deepEqual(problemOf('250 ok\r\nwhat?\r\n250 ok\r\n', '250 ok\r\n').codes, [250]);
  const endless = Array.from({ length: 100 }, () => `250-${'x'.repeat(1000)}\r\n`);
  assert.equal(problemOf(...endless).problem, 'The server sent an endless reply.');
});

test('reply texts are truncated and contain no controls (TPL-6)', () => {
  assert.equal(cleanReplyText('a\u001b[31m\u0000b\u009bü\r\nc'), 'a [31m b c');
  assert.equal(cleanReplyText('x'.repeat(1000)).length, 500);
});
