/** How many countries were counted how often. */
export interface CountryCount {
  /** ISO 3166-1 alpha-2; null if it is not known. */
  country: string | null;
  count: number;
}

export interface CountryClass {
  /** 0 for the lowest counts to 4. */
  level: number;
  from: number;
  to: number;
}

const levels = 5;

/**
 * Divides counts into up to five classes of equally many different counts: most countries often have the lowest one, and would
 * otherwise be in one class with the highest.
 * @param counts  above 0
 * @returns from the lowest to the highest
 */
export function classify(counts: readonly number[]): CountryClass[] {
  const different = [...new Set(counts)].toSorted((one, other) => one - other);
  const classes: CountryClass[] = [];
  for (const [index, count] of different.entries()) {
    const level = Math.ceil(((index + 1) / different.length) * levels) - 1;
    const last = classes.at(-1);
    if (last?.level === level) last.to = count;
    else classes.push({ level, from: count, to: count });
  }
  return classes;
}
