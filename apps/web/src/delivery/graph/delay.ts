/** Units in which a delay can be chosen. */
export const delayUnits = ['minute', 'hour', 'day', 'week'] as const;

const letters = {
  date: { Y: 'year', M: 'month', W: 'week', D: 'day' },
  time: { H: 'hour', M: 'minute', S: 'second' },
} as const;

type DateUnit = (typeof letters.date)[keyof typeof letters.date];
type TimeUnit = (typeof letters.time)[keyof typeof letters.time];

interface Part {
  count: number;
  unit: DateUnit | TimeUnit;
}

/** @param delay  ISO 8601. @returns its parts; none for no delay */
export const partsOfDelay = (delay: string): Part[] => partsOf(delay).filter(({ count }) => count > 0);

function partsOf(delay: string): Part[] {
  const [date = '', time = ''] = delay.slice(1).split('T');
  const read = (text: string, units: Readonly<Record<string, Part['unit']>>) =>
    [...text.matchAll(/(\d+)([A-Z])/g)].map(([, count, letter]) => ({
      count: Number(count),
      unit: units[letter!]!,
    }));
  return [...read(date, letters.date), ...read(time, letters.time)];
}

/** @returns the number and unit of a delay; the unit of one of several parts is the delay itself */
export function readDelay(delay: string): { count: number | ''; unit: string } {
  const [first, ...more] = partsOf(delay);
  if (first === undefined || delay === 'PT0S') return { count: 0, unit: 'day' };
  return more.length === 0 ? first : { count: '', unit: delay };
}

/** @returns ISO 8601 */
export function writeDelay(count: number, unit: string): string {
  for (const [letter, name] of Object.entries(letters.date)) if (name === unit) return `P${count}${letter}`;
  for (const [letter, name] of Object.entries(letters.time)) if (name === unit) return `PT${count}${letter}`;
  return unit;
}
