import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockTexts } from '@reachout/contract/rules/block-texts.ts';
import { findSamples } from '../../../../server/src/content/templates/find-samples.ts';
import { editor as de } from '#web/i18n/de/editor.ts';
import { editor as en } from '#web/i18n/en/editor.ts';
import { offeredBlocks, writeBlock } from './blocks.ts';
import { parseSource } from './source/parse-source.ts';

/** Names of real networks, whose links are samples. */
const names = ['Instagram', 'LinkedIn', 'YouTube'];

test('what a new block leaves to its author is asked about before a send', () => {
  const parsed = parseSource('<mjml><mj-body></mj-body></mjml>');
  for (const [language, texts] of Object.entries({ en, de }))
    for (const block of offeredBlocks) {
      const t = ((key: string) => texts.sample[key.replace('sample.', '') as 'text']) as unknown;
      const written = writeBlock(block, parsed, t as Parameters<typeof writeBlock>[2]);
      // Without all that can stay, and without what a send asks about, no words and no empty place are left.
      const { label } = blockTexts[language as 'en'];
      const kept = new RegExp([...Object.values(label), ...names].join('|'), 'g');
      const left = written
        .replaceAll(/\{[{%][^}]*\}+/g, '')
        .replaceAll(kept, '')
        .replaceAll(/<(?!!)[^>]*>/g, '')
        .trim();
      const problems = findSamples(written).map(({ code }) => code);
      const message = `${block} in ${language}: ${written}`;
      assert.equal(problems.includes('sample_text'), /\p{L}/u.test(left), message);
      assert.equal(problems.includes('sample_link'), /href="(?!\{\{)/.test(written), message);
      assert.equal(problems.includes('sample_image'), written.includes('src=""'), message);
    }
});
