import { parseArgs } from 'node:util';

/** What a bench is given in numbers; each has its own defaults. */
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

/** Metrics as JSON lines on stdout, and nothing else there. */
export const isJson = values['json'] === true;

/** Name or path of Postfix's `smtp-sink`; undefined for the sink of the benches. */
export const sinkProgram = typeof values['sink'] === 'string' ? values['sink'] : undefined;

/** Names of benches or of their metrics; none: all. */
export const wantedNames: string[] = positionals;

/** @throws Error unless the option is a positive whole number */
export function readNumber(name: NumberOption, fallback: number): number {
  const value = values[name] === undefined ? fallback : Number(values[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a positive whole number.`);
  return value;
}

/** For people: one line beside the metrics. */
export function say(line: string): void {
  if (isJson) console.error(line);
  else console.log(line);
}
