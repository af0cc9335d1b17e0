import { parseArgs } from 'node:util';

/** Numeric options; each benchmark has its own defaults. */
const numbers = ['contacts', 'repeats', 'hold', 'sends', 'rows', 'wait'] as const;
type NumberOption = (typeof numbers)[number];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    json: { type: 'boolean' },
    sink: { type: 'string' },
    ...Object.fromEntries(numbers.map((name) => [name, { type: 'string' as const }])),
  },
});

/** Print metrics as JSON lines on stdout, and nothing else. */
export const isJson = values['json'] === true;

/** Name or path of Postfix's `smtp-sink`; undefined for the built-in sink. */
export const sinkProgram = typeof values['sink'] === 'string' ? values['sink'] : undefined;

/** Names of benchmarks or metrics; empty for all. */
export const wantedNames: string[] = positionals;

/** @throws Error unless the option is a positive whole number */
export function readNumber(name: NumberOption, fallback: number): number {
  const value = values[name] === undefined ? fallback : Number(values[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a positive whole number.`);
  return value;
}

/** Prints a line for people, which is not a metric. */
export function say(line: string): void {
  if (isJson) console.error(line);
  else console.log(line);
}
