import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { brandColors, brandShades, type BrandShades } from './brand-colors.ts';
import { contrast, linearChannels } from './contrast.ts';

const themes = ['light', 'dark'] as const;
/** Backgrounds of brand colors: body, canvas, cards, hovered rows, and the white and black of emails. */
const backgrounds = {
  light: ['#ffffff', '#f9fafc', '#f1f4f7', '#f4f5f7'],
  dark: ['#191e27', '#12161d', '#242b34', '#323842', '#000000'],
};
const words = { light: '#141a23', dark: '#e5e8ec' };

suite('brand colors', () => {
  for (const theme of themes) {
    const each = (check: (color: string, shades: BrandShades) => void) => {
      for (const color of brandColors) check(`${color}, ${theme}`, brandShades[color][theme]);
    };

    test(`text contrast is 4.5:1 (WCAG 2.2, 1.4.3), ${theme}`, () =>
      each((color, { fill, on_fill, text, tint }) => {
        for (const [front, back] of [
          [on_fill, fill],
          [text, tint],
          [words[theme], tint],
          ...backgrounds[theme].map((background) => [text, background]),
        ])
          assert.ok(contrast(front!, back!) >= 4.5, `${color}: ${front} on ${back}`);
      }));

    test(`edge contrast is 3:1 (WCAG 2.2, 1.4.11), ${theme}`, () =>
      each((color, { fill }) => {
        for (const background of backgrounds[theme])
          assert.ok(contrast(fill, background) >= 3, `${color}: ${fill} beside ${background}`);
      }));

    test(`colors differ from each other, ${theme}`, () =>
      each((color, { fill }) => {
        for (const other of brandColors) {
          const distance = distanceOf(fill, brandShades[other][theme].fill);
          assert.ok(color.startsWith(`${other},`) || distance > 0.075, `${color} and ${other}: ${distance}`);
        }
      }));
  }
});

/** Distance in OKLab (https://bottosson.github.io/posts/oklab/). */
function distanceOf(one: string, other: string): number {
  const lab = (hex: string) => {
    const [r, g, b] = linearChannels(hex);
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
  };
  const [from, to] = [lab(one), lab(other)];
  return Math.hypot(...from.map((value, axis) => value - to[axis]!));
}
