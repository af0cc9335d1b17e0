import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { templateName } from './template-name.ts';

describe('name of a template', () => {
  const examples: [title: string, name: string][] = [
    ['Spring Sale', 'spring-sale'],
    ['  Spring   Sale  ', 'spring-sale'],
    ['Spring_-_Sale', 'spring-sale'],
    ['--Spring--', 'spring'],
    ['50% off! (today)', '50-off-today'],
    ['Grüße an Zoë', 'grüße-an-zoë'],
    ['!!!', ''],
  ];
  for (const [title, name] of examples) {
    it(`of “${title}” is “${name}”`, () => assert.equal(templateName(title), name));
  }
});
