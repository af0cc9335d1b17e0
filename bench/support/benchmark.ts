import { parseArgs } from 'node:util';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../apps/server/src/platform/database/database.ts';
import { derivePasswords, loginsWith } from '../../apps/server/src/platform/database/logins.ts';
import { migrateDatabase } from '../../apps/server/src/platform/database/migrate.ts';
import { startTemporaryPostgres } from '../../scripts/postgres.ts';

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

/** A measured value and the value that it is compared with. */
export interface Metric {
  bench: string;
  value: number;
  unit: string;
  /** In the same unit: the result of the baseline in the same run, or the maximum of the value. */
  ceiling: number;
  /** `value / ceiling`. */
  ratio: number;
}

export function toMetric(bench: string, value: number, unit: string, ceiling: number): Metric {
  const round = (number: number) => Number(number.toPrecision(4));
  return { bench, value: round(value), unit, ceiling: round(ceiling), ratio: round(value / ceiling) };
}

export function median(figures: number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A benchmark, which has the name of its file or of its first metric. */
export interface Bench {
  metrics: string[];
  run: () => Promise<Metric[]>;
}

export const secretKey = 'bench-key-which-protects-nothing-0123456789';

/** Settings of a server that a benchmark asks without pauses. */
export const withoutLimits = {
  RATE_LIMIT_NETWORK: '1000000',
  RATE_LIMIT_PERSON: '1000000',
  RATE_LIMIT_ORGANIZATION: '1000000',
};

export type BenchDatabase = Awaited<ReturnType<typeof openDatabase>>;

/** Starts PostgreSQL with its default settings and all tables; `close`, or the end of this process, removes it. */
export async function openDatabase({ durable = true, connections = 1 } = {}) {
  const postgres = await startTemporaryPostgres({ durable });
  const passwords = derivePasswords(secretKey);
  await migrateDatabase(postgres.url, passwords);
  const options = { name: 'bench', connections, statementTimeoutMs: 900_000, onError: () => undefined };
  const owner = connect(postgres.url, options);
  const logins = loginsWith(postgres.url, passwords);
  return {
    owner,
    logins,
    /** What a server needs of it. */
    forServer: { logins, ownerUrl: postgres.url, dataDir: join(postgres.folder, 'data'), secretKey },
    postgresPid: Number(
      readFileSync(join(postgres.directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
    ),
    close: async () => {
      await owner.destroy();
      await postgres.stop();
    },
  };
}
