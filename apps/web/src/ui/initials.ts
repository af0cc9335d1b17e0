/** @returns the initials of the first and the last word, or the first two letters of a single word */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [name.slice(0, 2)];
  return letters
    .map((word) => (word ?? '').slice(0, words.length > 1 ? 1 : 2))
    .join('')
    .toLocaleUpperCase();
}
