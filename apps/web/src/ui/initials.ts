import { graphemesOf } from '@reachout/contract/rules/cut-text.ts';

/** @returns the initials of the first and the last word, or the first two letters of a single word */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const parts = words.length > 1 ? [words[0], words.at(-1)] : words;
  return parts
    .flatMap((word = '') => graphemesOf(word.slice(0, 200)).slice(0, words.length > 1 ? 1 : 2))
    .join('')
    .toLocaleUpperCase();
}
