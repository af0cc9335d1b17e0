import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cutTexts } from './event.ts';

suite('texts of an event', () => {
  test('are cut to what the server takes, without half characters', () => {
    const long = 'x'.repeat(3_000);
    const { url, title, event, language } = cutTexts({ url: long, title: long, event: long, language: long });
    assert.deepEqual(
      [url, title, event, language].map((text) => String(text).length),
      [2_048, 1_024, 255, 35],
    );
    assert.deepEqual(cutTexts({ event: `${'x'.repeat(254)}😀` }), { event: 'x'.repeat(254) });
    assert.deepEqual(cutTexts({ event: `${'x'.repeat(253)}😀` }), { event: `${'x'.repeat(253)}😀` });
  });

  test('are null if empty; numbers stay', () => {
    assert.deepEqual(cutTexts({ referrer: '', width: 0, user_id: null }), {
      referrer: null,
      width: 0,
      user_id: null,
    });
  });
});
