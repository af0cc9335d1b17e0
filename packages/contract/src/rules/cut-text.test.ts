import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cutText, graphemesOf, shortenText } from './cut-text.ts';

/** Each is one character for people: emoji, flag, joined family, skin tone, keycap, letter with marks, conjunct, Hangul. */
const characters = ['a', '😀', '🇩🇪', '👩‍👩‍👧‍👦', '👍🏽', '1️⃣', 'e\u0301', 'क्षि', '각', '\r\n'];

suite('cutting texts', () => {
  test('no cut tears a character apart', () => {
    const texts = characters.flatMap((one) => [
      `${'a'.repeat(44)}${one}`,
      one.repeat(60),
      `x${one.repeat(60)}`,
      characters.join(one),
    ]);
    for (const text of texts) {
      const whole = graphemesOf(text);
      const starts = whole.map((_, index) => whole.slice(0, index + 1).join(''));
      for (let max = whole[0]!.length; max <= text.length + 1; max += 1) {
        assert.equal(
          cutText(text, max),
          starts.findLast(({ length }) => length <= max),
        );
        assert.equal(
          cutText(text, max, 'code_point'),
          starts.findLast((start) => Array.from(start).length <= max) ?? cutText(text, max, 'code_point'),
        );
        assert.ok(shortenText(text, max).length <= max);
      }
    }
  });

  test('a character that is longer than the limit keeps whole code points', () => {
    for (const text of ['👩‍👩‍👧‍👦', `a${'\u0301'.repeat(300)}`, '😀'])
      for (let max = 0; max <= text.length; max += 1) {
        const cut = cutText(text, max);
        assert.ok(text.startsWith(cut) && cut.length <= max && cut.length >= max - 1 && cut.isWellFormed());
      }
  });
});
