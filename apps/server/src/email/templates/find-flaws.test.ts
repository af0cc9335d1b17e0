import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { findFlaws } from './find-flaws.ts';

const brand = { color: '#006b5b', tint: '#ddf6f0' };
const flawsOf = (body: string, head = '') =>
  findFlaws(`<mjml><mj-head>${head}</mj-head><mj-body>\n${body}</mj-body></mjml>`, brand).map(
    ({ code, line }) => `${code} ${line}`,
  );

suite('flaws of a source', () => {
  test('text needs a contrast of 4.5, large text of 3', () => {
    const text = (attributes: string, content = 'Hello') => `<mj-text ${attributes}>${content}</mj-text>`;
    assert.deepEqual(flawsOf(text('color="#999"')), ['contrast_low 2']);
    assert.deepEqual(flawsOf(text('color="#767676"')), []);
    assert.deepEqual(flawsOf(text('color="#949494" font-size="24px"')), []);
    assert.deepEqual(flawsOf(text('', '<span style="color:#bbb">Hello</span>')), ['contrast_low 2']);
    assert.deepEqual(flawsOf(`<mj-section background-color="#222">${text('')}</mj-section>`), [
      'contrast_low 2',
    ]);
    assert.deepEqual(
      flawsOf(`<mj-section background-color="#222">${text('color="white"')}</mj-section>`),
      [],
    );
    assert.deepEqual(flawsOf(text('color="#ccc"', ' ')), []);
  });

  test('defaults of the document count, colors unknown until rendered do not', () => {
    const head =
      '<mj-attributes><mj-text color="#ccc" /><mj-class name="dark" color="#111" /></mj-attributes>';
    assert.deepEqual(flawsOf('<mj-text>Hello</mj-text>', head), ['contrast_low 2']);
    assert.deepEqual(flawsOf('<mj-text mj-class="dark">Hello</mj-text>', head), []);
    assert.deepEqual(flawsOf('<mj-text color="{{ item.color }}">Hello</mj-text>', head), []);
    assert.deepEqual(flawsOf('<mj-text color="hsl(0 0% 50%)">Hello</mj-text>', head), []);
    const onBrand = (color: string) =>
      flawsOf(
        `<mj-section background-color="{{ brand.color }}"><mj-text color="${color}">Hello</mj-text></mj-section>`,
      );
    assert.deepEqual([onBrand('#fff'), onBrand('#000')], [[], ['contrast_low 2']]);
  });

  test('images need alternative text, which may be empty', () => {
    assert.deepEqual(flawsOf('<mj-image src="https://a.example/x.png" />'), ['image_alt_missing 2']);
    assert.deepEqual(flawsOf('<mj-image src="https://a.example/x.png" alt="" />'), []);
    assert.deepEqual(flawsOf('<mj-text>\n<img src="https://a.example/x.png"></mj-text>'), [
      'image_alt_missing 3',
    ]);
  });

  test('a condition needs content', () => {
    assert.deepEqual(flawsOf('{% if contact.vip %}\n {% endif %}'), ['condition_empty 2']);
    assert.deepEqual(flawsOf('{% if contact.vip %}x{% endif %}'), []);
    assert.deepEqual(flawsOf('{% if contact.vip %}{{ contact.vip }}{% endif %}'), []);
  });

  test('at most 20 flaws are reported', () => {
    assert.equal(flawsOf('<mj-image src="x" />\n'.repeat(20_000)).length, 20);
  });
});
