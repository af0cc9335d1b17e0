import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '../../scripts/git.ts';
import { root } from '../../scripts/run-command.ts';
import { median, say, type Metric } from './benchmark.ts';

/** A figure of this checkout, compared with the same one of another commit. */
export interface Comparison {
  bench: string;
  unit: string;
  /** Medians. */
  here: number;
  there: number;
  /**
   * Medians of `Metric.ratio`, here to there: each run has its own ceiling, so that a machine that slows down changes both.
   * For times and memory, more than 1 is worse; for rates, less than 1.
   */
  ratio: number;
}

/**
 * Runs benchmarks in turns, in this checkout and in one of another commit, which gets its own packages.
 * @param args  arguments of `npm run bench` without those about the comparison
 * @throws Error for an unknown commit, and for a benchmark that fails or that one of both lacks
 */
export async function compareCommits(
  commit: string,
  { args, repeats }: { args: readonly string[]; repeats: number },
): Promise<Comparison[]> {
  const id = git(root, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`)?.trim();
  if (id === undefined) throw new Error(`There is no commit ${commit}.`);
  const folder = mkdtempSync(join(tmpdir(), 'reachout-against-'));
  const other = join(folder, 'checkout');
  // Temporary files of the benchmarks, whose PostgreSQL may run as another user.
  const files = join(folder, 'files');
  mkdirSync(files);
  for (const path of [folder, files]) chmodSync(path, 0o711);
  // Also when the run is interrupted, which ends the process. A benchmark needs its checkout until its PostgreSQL has stopped.
  process.once('exit', () => {
    for (let triesLeft = 100; triesLeft > 0 && readdirSync(files).length > 0; triesLeft -= 1) sleep(100);
    git(root, 'worktree', 'remove', '--force', other);
    rmSync(folder, { recursive: true, force: true });
  });
  if (git(root, 'worktree', 'add', '--detach', other, id) === undefined)
    throw new Error(`${commit} could not be checked out.`);
  const here: Metric[] = [];
  const there: Metric[] = [];
  for (let turn = 1; turn <= repeats; turn += 1) {
    say(`Turn ${turn} of ${repeats}: ${id.slice(0, 9)}, then this checkout`);
    there.push(...(await runBench(other, args, files)));
    here.push(...(await runBench(root, args, files)));
  }
  return compare(here, there);
}

function compare(here: readonly Metric[], there: readonly Metric[]): Comparison[] {
  const others = Map.groupBy(there, ({ bench }) => bench);
  return [...Map.groupBy(here, ({ bench }) => bench)].flatMap(([bench, metrics]) => {
    const before = others.get(bench);
    if (before === undefined) {
      say(`The other commit has no figure ${bench}.`);
      return [];
    }
    const middle = (of: readonly Metric[], key: 'value' | 'ratio') => median(of.map((metric) => metric[key]));
    return {
      bench,
      unit: metrics[0]!.unit,
      here: middle(metrics, 'value'),
      there: middle(before, 'value'),
      ratio: Number((middle(metrics, 'ratio') / middle(before, 'ratio')).toPrecision(3)),
    };
  });
}

const cell = new Int32Array(new SharedArrayBuffer(4));
const sleep = (ms: number) => Atomics.wait(cell, 0, 0, ms);

async function runBench(checkout: string, args: readonly string[], files: string): Promise<Metric[]> {
  // The first run of another checkout installs its packages, and says so on stdout.
  const child = spawn('node', ['scripts/bootstrap.mjs', 'bench/run.ts', ...args, '--json'], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: files },
  });
  process.prependOnceListener('exit', () => child.kill());
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`The benchmark ended with ${String(code)} in ${checkout}.`);
  const lines = output.split('\n').filter((line) => line.startsWith('{"bench"'));
  return lines.map((line) => JSON.parse(line) as Metric);
}
