import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { json: { type: 'boolean' }, contacts: { type: 'string' }, repeats: { type: 'string' } },
});

/** Metrics as JSON lines on stdout, and nothing else there. */
export const isJson = values['json'] === true;

/** Names of benches or of their metrics; none: all. */
export const wantedNames: string[] = positionals;

/** @throws Error unless the option is a positive whole number */
export function readNumber(name: 'contacts' | 'repeats', fallback: number): number {
  const value = values[name] === undefined ? fallback : Number(values[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a positive whole number.`);
  return value;
}

/** For people: one line beside the metrics. */
export function say(line: string): void {
  if (isJson) console.error(line);
  else console.log(line);
}
