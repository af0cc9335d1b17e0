import { globSync } from 'node:fs';
import { join } from 'node:path';
import { compareCommits } from './support/compare-commits.ts';
import {
  argsToCompare,
  commitToCompare,
  isJson,
  readNumber,
  say,
  wantedNames,
  type Bench,
} from './support/benchmark.ts';

// npm run bench [-- NAME ...] [--json] [--sink smtp-sink] [--contacts N] [--repeats N] [--hold SECONDS] [--wait SECONDS]
//   [--sends N] [--rows N] [--against COMMIT [--turns N]]
//
// Each other file in this folder exports `run` and the names of its `metrics`, or several such `benches`. NAME is one of the
// metrics, or the name of a file with `run`. With --json, stdout has one line per metric,
// {"bench","value","unit","ceiling","ratio"}, and nothing else. With --against, benchmarks run in turns with those of another
// commit, three times by default: {"bench","unit","here","there","ratio"}.

const files = globSync('*.ts', { cwd: import.meta.dirname, exclude: ['run.ts'] }).toSorted();
const modules = await Promise.all(
  files.map(async (file) => {
    const module = (await import(join(import.meta.dirname, file))) as Bench & { benches?: Bench[] };
    const name = file.replace(/\.ts$/, '').replaceAll('-', '_');
    return module.benches?.map((bench) => ({ ...bench, name: bench.metrics[0]! })) ?? [{ ...module, name }];
  }),
);
const benches = modules.flat();
const wanted = benches.filter(
  ({ name, metrics }) =>
    wantedNames.length === 0 || wantedNames.some((word) => word === name || metrics.includes(word)),
);
if (wanted.length === 0) throw new Error(`There is no bench ${wantedNames.join(', ')}.`);

// Benchmarks stop their processes on exit, even when they are interrupted.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
// bootstrap.mjs was killed.
process.once('disconnect', () => process.exit(1));

if (commitToCompare !== undefined) {
  const repeats = readNumber('turns', 3);
  for (const comparison of await compareCommits(commitToCompare, { args: argsToCompare, repeats })) {
    const { bench, unit, here, there, ratio } = comparison;
    if (isJson) console.log(JSON.stringify(comparison));
    else console.log(`${bench}: ${here} ${unit}, at ${commitToCompare} ${there}, ratio ${ratio}`);
  }
  process.exit(0);
}

for (const { name, run } of wanted) {
  say(`\n${name}`);
  for (const metric of await run()) {
    const { bench, value, unit, ceiling, ratio } = metric;
    if (isJson) console.log(JSON.stringify({ bench, value, unit, ceiling, ratio }));
    else console.log(`${bench}: ${value} ${unit}, ceiling ${ceiling}, ratio ${ratio}`);
  }
}
// Idle threads that compile templates would keep this process running.
process.exit(0);
