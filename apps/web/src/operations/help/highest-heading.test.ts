import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highestHeading } from './highest-heading.ts';

test('the highest heading counts, however it is marked', () => {
  for (const [text, level] of [
    ['# One\n\n## Two', 1],
    ['## Two\n\n### Three', 2],
    ['One\n===\n\nTwo\n---', 1],
    ['Two\n---\n\n### Three', 2],
    ['Two lines\nof one\n=====\n', 1],
    ['> # Quoted\n\n## Two', 1],
    ['- ### In a list\n', 3],
    ['```sh\n# a comment\n```\n\n### Three', 3],
    ['    # code\n\n## Two', 2],
    ['####### no heading\n\n### Three', 3],
    ['#no heading\n\n### Three', 3],
    ['No heading\n\n---\n\nText', 6],
    ['', 6],
  ] as const)
    assert.equal(highestHeading(text), level, text);
});
