import assert from 'node:assert/strict';
import test from 'node:test';
import { createRandom } from '../../platform/random.ts';
import { encodeBody } from './body-encoder.ts';
import { lineLimit, quotedPrintable } from './quoted-printable.ts';

/** Decodes according to RFC 2045 section 6.7. */
function decode(encoded: string): string {
  const joined = encoded.replaceAll('=\r\n', '');
  const bytes = joined.replaceAll(/=([\dA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}

const alphabet = [
  'a',
  'F',
  'From ',
  '.',
  '..',
  '=',
  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  '\r',
  'ü',
  '€',
  '𝄞',
  '\u0000',
  '\u007f',
  '\ud800',
  'x'.repeat(40),
  'word ',
];

test('encoded text decodes unchanged and needs no canonicalization', () => {
  const random = createRandom(1);
  for (let round = 0; round < 3000; round++) {
    let text = '';
    for (let count = random.below(40); count > 0; count--) {
      text += random.pick(alphabet);
    }
    const softEnd = round % 2 === 0;
    const encoded = encodeBody(quotedPrintable, text, softEnd).toString('latin1');
    assert.equal(decode(encoded), text.toWellFormed().replaceAll(/\r\n|\r|\n/g, '\r\n'));
    assert.match(encoded, /^[\r\n\u0020-\u007e]*$/);
    for (const line of encoded.split('\r\n')) {
      assert.ok(line.length <= lineLimit, line);
      assert.doesNotMatch(line, /^\.|^From |[ \t]$| {2}|[\r\n]/);
    }
    if (softEnd && encoded !== '') assert.ok(encoded.endsWith('\r\n'));
  }
});

test('segments with soft line ends can be joined', () => {
  const parts = ['Hello ', '', '.dot', ' a', '\nFrom here', 'ü'.repeat(30), ''];
  const joined = parts.map((part) => encodeBody(quotedPrintable, part, true).toString('latin1')).join('');
  assert.equal(decode(joined), parts.join('').replace('\n', '\r\n'));
});
