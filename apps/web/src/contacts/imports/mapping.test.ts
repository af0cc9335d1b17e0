import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSample } from './file-sample.ts';
import { consentReadingOf, consentsOf, skippedConsents } from './mapping.ts';
import { suggestMapping } from './suggest-mapping.ts';

const fields = ['email', 'first_name', 'unsubscribed'];
const read = async (text: string) => {
  const sample = await readFileSample(new Blob([text]));
  return { sample, fieldOf: suggestMapping(sample.header, sample.columns, fields) };
};

test('a column of consents is imported unless the user decides otherwise', async () => {
  const { sample, fieldOf } = await read(
    'E-Mail;Newsletter\nada@a.example;ja\nbob@b.example;nein\ncleo@c.example;\n',
  );
  assert.deepEqual(fieldOf, { 'E-Mail': 'email', Newsletter: 'unsubscribed' });
  assert.deepEqual(consentReadingOf(sample, { fieldOf, consent: undefined }), {
    yes_means: 'subscribed',
    unclear: 'reject',
  });
  assert.deepEqual(consentsOf(sample, 'Newsletter', 'subscribed'), { optedOut: 1, unclear: 1 });
  assert.deepEqual(skippedConsents(sample, { fieldOf }), []);
  assert.deepEqual(skippedConsents(sample, { fieldOf: { 'E-Mail': 'email' } }), [
    { heading: 'Newsletter', count: 1 },
  ]);
});

test('a column of opt-outs keeps its sense', async () => {
  const { sample, fieldOf } = await read('email,Unsubscribed\nada@a.example,yes\nbob@b.example,no\n');
  assert.equal(fieldOf['Unsubscribed'], 'unsubscribed');
  const reading = consentReadingOf(sample, { fieldOf, consent: undefined });
  assert.equal(reading?.yes_means, 'unsubscribed');
  assert.deepEqual(consentsOf(sample, 'Unsubscribed', 'unsubscribed'), { optedOut: 1, unclear: 0 });
});
