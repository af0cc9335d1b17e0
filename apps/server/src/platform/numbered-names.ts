import { cutText } from '@reachout/contract/rules/cut-text.ts';

const tries = 50;

/**
 * Yields a name, then the name with numbers appended, where names must be unique: “Copy of News”, “Copy of News 2”, …
 * @param limit  maximum length in Unicode characters; the name is truncated to fit the number
 */
export function* numberedNames(name: string, limit: number): Generator<string> {
  yield name;
  for (let number = 2; number <= tries; number += 1) {
    const suffix = ` ${number}`;
    yield cutText(name, limit - suffix.length, 'code_point').trimEnd() + suffix;
  }
}
