import { parseArgs } from 'node:util';

/** Numeric options; each benchmark has its own defaults. */
const numbers = ['contacts', 'repeats', 'hold', 'sends', 'rows', 'wait', 'turns'] as const;
type NumberOption = (typeof numbers)[number];

const { values, positionals, tokens } = parseArgs({
  allowPositionals: true,
  strict: false,
  tokens: true,
  options: {
    json: { type: 'boolean' },
    sink: { type: 'string' },
    against: { type: 'string' },
    ...Object.fromEntries(numbers.map((name) => [name, { type: 'string' as const }])),
  },
});

/** Print metrics as JSON lines on stdout, and nothing else. */
export const isJson = values['json'] === true;

/** Name or path of Postfix's `smtp-sink`; undefined for the built-in sink. */
export const sinkProgram = typeof values['sink'] === 'string' ? values['sink'] : undefined;

/** Any name of a commit whose benchmarks are run for comparison. */
export const commitToCompare = typeof values['against'] === 'string' ? values['against'] : undefined;

/** The arguments that both checkouts get. */
export const argsToCompare = tokens.flatMap((token) => {
  if (token.kind === 'positional') return [token.value];
  if (token.kind !== 'option' || ['json', 'against', 'turns'].includes(token.name)) return [];
  return token.value === undefined ? [token.rawName] : [`--${token.name}=${token.value}`];
});

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
