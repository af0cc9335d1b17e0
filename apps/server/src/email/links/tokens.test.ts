import assert from 'node:assert/strict';
import { createHash, hash } from 'node:crypto';
import test from 'node:test';
import { createTokenSigner, tokenPurposes, type DeliveryRef, type TokenPurpose } from './tokens.ts';
import { assertColumn } from '../../testing/assert-column.ts';

const secret = Buffer.alloc(32, 7);
const signer = createTokenSigner(secret);
const ref = { sendNumber: 123_456, seq: 42 };
const sign = (purpose: TokenPurpose, of: DeliveryRef = ref, by = signer) =>
  purpose === 'visit' ? by.signVisit(of) : by.sign(of)[purpose];

test('a token identifies its delivery across the whole range', () => {
  for (const purpose of tokenPurposes) {
    for (const each of [
      { sendNumber: 1, seq: 1 },
      ref,
      { sendNumber: Number.MAX_SAFE_INTEGER, seq: 0x7fff_ffff },
    ]) {
      assert.deepEqual(signer.verify(purpose, sign(purpose, each)), each);
    }
  }
});

test('a token is bound to purpose and secret (TOK-1, LNK-1)', () => {
  const stranger = createTokenSigner(Buffer.alloc(32, 8));
  for (const purpose of tokenPurposes) {
    const token = sign(purpose);
    assert.equal(stranger.verify(purpose, token), undefined);
    for (const other of tokenPurposes) {
      if (other !== purpose) assert.equal(signer.verify(other, token), undefined, `${purpose} as ${other}`);
    }
  }
});

test('links remain valid after a secret change (LNK-4)', () => {
  const next = Buffer.alloc(32, 9);
  const rotated = createTokenSigner(next, [Buffer.alloc(32, 8), secret]);
  for (const purpose of tokenPurposes) {
    const before = sign(purpose);
    assert.deepEqual(rotated.verify(purpose, before), ref);
    assert.deepEqual(rotated.verify(purpose, sign(purpose, ref, rotated)), ref);
    assert.equal(createTokenSigner(next).verify(purpose, before), undefined);
    assert.deepEqual(createTokenSigner(next).verify(purpose, sign(purpose, ref, rotated)), ref);
  }
});

test('modified tokens are rejected (TOK-1, LNK-1)', () => {
  for (const purpose of tokenPurposes) {
    const token = sign(purpose);
    for (let index = 0; index < token.length; index++) {
      for (let bit = 0; bit < 7; bit++) {
        const flipped = String.fromCharCode(token.charCodeAt(index) ^ (1 << bit));
        // These are deliberately case-insensitive.
        const isSame = flipped.toLowerCase() === token[index] && token === token.toLowerCase();
        if (isSame && /return_path|unsubscribe/.test(purpose)) continue;
        assert.equal(
          signer.verify(purpose, token.slice(0, index) + flipped + token.slice(index + 1)),
          undefined,
        );
      }
      assert.equal(signer.verify(purpose, token.slice(0, index) + token.slice(index + 1)), undefined);
    }
    for (const wrong of [
      '',
      '0',
      `${token}a`,
      `0${token}`,
      token.slice(0, -1),
      '--',
      `1-1-${'a'.repeat(22)}`,
    ]) {
      assert.equal(signer.verify(purpose, wrong), undefined);
    }
  }
});

test('MACs are separate SHAKE256 parts of 128 bits', () => {
  const name = `${ref.sendNumber.toString(36)}-${ref.seq.toString(36)}`;
  const text = createHash('shake256', { outputLength: 105 })
    .update(hash('sha256', secret, 'buffer'))
    .update(name)
    .digest('base64url');
  const macs = tokenPurposes.map((purpose) => sign(purpose).slice(name.length + 1));
  // 6 bits per character, and at least 5 in case-insensitive tokens.
  assertColumn(macs, 'length', [22, 22, 22, 26, 26, 22]);
  const folded = text.slice(66, 118).toLowerCase().replaceAll('-', '0').replaceAll('_', '1');
  assert.equal(macs.join(''), text.slice(0, 66) + folded + text.slice(118, 140));
});

test('a return path is case-insensitive and fits local parts', () => {
  const largest = { sendNumber: Number.MAX_SAFE_INTEGER, seq: 0x7fff_ffff };
  for (const purpose of ['return_path', 'unsubscribe'] as const) {
    const token = signer.sign(largest)[purpose];
    assert.match(token, /^[a-z\d]+-[a-z\d]+-[a-z\d]+$/);
    assert.ok(`b.${token}`.length <= 64);
    assert.deepEqual(signer.verify(purpose, token.toUpperCase()), largest);
  }
});

test('a reference out of range throws an error', () => {
  for (const [sendNumber, seq] of [
    [0, 1],
    [1, 0],
    [1, 2 ** 31],
    [2 ** 53, 1],
    [1.5, 1],
    [-1, 1],
  ] as const) {
    assert.throws(() => signer.sign({ sendNumber, seq }), RangeError);
    assert.throws(() => signer.signVisit({ sendNumber, seq }), RangeError);
  }
  assert.throws(() => createTokenSigner(Buffer.alloc(31)), RangeError);
});
