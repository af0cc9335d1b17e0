import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brandColors, brandShades } from '@reachout/contract/rules/brand-colors.ts';

test('styles and contract have the same brand colors', () => {
  const css = readFileSync(join(import.meta.dirname, 'brand-colors.css'), 'utf8');
  const rules = new Map(
    [...css.matchAll(/^(\S.*) \{\n([^}]*)\}/gm)].map(([, selector, body = '']) => [
      selector,
      Object.fromEntries(
        [...body.matchAll(/--brand-([\w-]+): (#\w+);/g)].map(([, key, value]) => [key, value]),
      ),
    ]),
  );
  assert.equal(rules.size, 2 * brandColors.length);
  for (const color of brandColors) {
    const selector = `[data-brand-color='${color}']`;
    for (const [theme, start] of [
      ['light', ''],
      ['dark', ":root[data-mantine-color-scheme='dark'] "],
    ] as const) {
      const { fill, on_fill, text, tint } = brandShades[color][theme];
      assert.deepEqual(rules.get(start + selector), { fill, 'on-fill': on_fill, text, tint }, color + theme);
    }
  }
});
