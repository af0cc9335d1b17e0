import type { Range } from './liquid.ts';

/** @returns where each line is, as the code editor and the server count lines */
export function lineRanges(source: string): Range[] {
  let at = 0;
  return source.split('\n').map((line) => {
    const start = at;
    at += line.length + 1;
    return { start, end: start + line.length };
  });
}
