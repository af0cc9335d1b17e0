import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';
import { findAffectedTests } from './affected-tests.ts';
import { buildWeb } from './build-web.ts';
import { findOrInstallChromium } from './chromium.ts';
import { root, runCommand } from './run-command.ts';
import { dealIntoBatches, writeBatch } from './test-batches.ts';
import type { FileTime, Outcome } from './test-reporter.ts';

// npm test [-- --changed] [-- unit | server | e2e | part of a file's path ...]
//
// Runs node:test and then Playwright, each with a time limit, lists the slowest files, and ends with one line of totals:
// "12 passed, 0 failed". The exit code is 1 if anything failed or did not run. --changed only runs the files that changes
// since the branch left main can affect.

const groups = ['unit', 'server', 'e2e'] as const;
type Group = (typeof groups)[number];

const nodeTestsTimeoutMs = 25 * 60_000;
const browserTestsTimeoutMs = 25 * 60_000;

const environment = {
  NODE_ENV: 'test',
  // Otherwise each process of test files would compile the whole server again.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
};

/** Durations of each file that ran; Playwright runs the tests of one file concurrently. */
const fileTimes: FileTime[] = [];
const slowestCount = 10;

/** The problem that both runners report if tests failed. */
const exitedWithOne = 'ended with 1';

let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (isInterrupted = true));

const reports = await mkdtemp(join(tmpdir(), 'reachout-reports-'));
try {
  process.exitCode = summarize(await runAll(process.argv.slice(2))) ? 0 : 1;
} finally {
  await rm(reports, { recursive: true, force: true });
}

async function runAll(wanted: string[]): Promise<Outcome[]> {
  const words = wanted.filter((word) => word !== '--changed');
  const matching = findTestFiles().filter(
    (file) => words.length === 0 || words.some((word) => matches(file, word)),
  );
  if (matching.length === 0) return [failed(`No test file matches ${words.join(' ')}`)];
  const files = words.length === wanted.length ? matching : chooseAffected(matching);
  // Builds once for all tests, and outside the time limit of a test.
  if (files.some((file) => groupOf(file) === 'e2e' || file === 'scripts/start.test.ts')) {
    try {
      await buildWeb();
    } catch (error) {
      return [failed(`The web app: ${error instanceof Error ? error.message : String(error)}`)];
    }
  }
  const browserFiles = files.filter((file) => groupOf(file) === 'e2e');
  const nodeFiles = files.filter((file) => groupOf(file) !== 'e2e');
  const outcomes = nodeFiles.length > 0 ? await runNodeTests(nodeFiles) : [];
  if (browserFiles.length === 0 || isInterrupted) return outcomes;
  return [...outcomes, ...(await runBrowserTests(browserFiles))];
}

/** Chooses the affected files, and prints them with the reasons. */
function chooseAffected(files: string[]): string[] {
  const { base, changed, reasons } = findAffectedTests(root, files);
  const compared = `${changed.length} changed files since ${base.slice(0, 9)}`;
  console.log(`${reasons.size} of ${files.length} test files can be affected by ${compared}`);
  for (const [file, reason] of reasons) console.log(`  ${file}${reason === file ? '' : `  ← ${reason}`}`);
  return [...reasons.keys()];
}

function findTestFiles(): string[] {
  const patterns = ['{packages,apps}/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'e2e/**/*.spec.ts'];
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] }).toSorted();
}

function matches(file: string, word: string): boolean {
  return groups.some((group) => group === word) ? groupOf(file) === word : file.includes(word);
}

function groupOf(file: string): Group {
  if (file.startsWith('e2e/')) return 'e2e';
  return file.startsWith('apps/server/') ? 'server' : 'unit';
}

async function runNodeTests(files: string[]): Promise<Outcome[]> {
  const report = join(reports, 'node.jsonl');
  // One more process than cores: tests often wait for PostgreSQL, or for the timeouts that they test.
  const processes = availableParallelism() + 1;
  const batches = (['server', 'unit'] as const).flatMap((group) =>
    dealIntoBatches(
      files.filter((file) => groupOf(file) === group),
      processes,
    ),
  );
  const batchFiles = await Promise.all(
    batches.map((batch, index) =>
      writeBatch(
        reports,
        `batch-${String(index + 1).padStart(2, '0')}`,
        batch.map((file) => join(root, file)),
      ),
    ),
  );
  // Only the server's tests and those of the operator's commands use a database.
  const setup = files.some((file) => /^(apps\/server|scripts)\//.test(file))
    ? ['--test-global-setup=scripts/test-setup.ts']
    : [];
  const args = [
    '--test',
    ...setup,
    `--test-concurrency=${processes}`,
    // Applies to each test and each batch.
    '--test-timeout=400000',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/test-reporter.ts',
    `--test-reporter-destination=${report}`,
    ...batchFiles,
  ];
  const { problem } = await runCommand('node', args, {
    timeoutMs: nodeTestsTimeoutMs,
    env: environment,
  });
  const lines = (await readFile(report, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  const entries = lines.map((line) => JSON.parse(line) as Outcome | FileTime);
  const times = entries.filter((entry) => 'durationMs' in entry);
  for (const [file, parts] of Map.groupBy(times, (time) => time.file))
    fileTimes.push({ file, durationMs: parts.reduce((sum, { durationMs }) => sum + durationMs, 0) });
  const empty = files.filter((file) => !times.some((time) => time.file === file));
  return complete('node:test', problem, [
    ...entries.filter((entry) => 'result' in entry),
    ...empty.map((file) => failed(`${file} ran no test`)),
  ]);
}

async function runBrowserTests(files: string[]): Promise<Outcome[]> {
  let chromium: string;
  try {
    chromium = await findOrInstallChromium();
  } catch (error) {
    return [failed(`Browser tests: ${error instanceof Error ? error.message : String(error)}`)];
  }
  const report = join(reports, 'playwright.json');
  const env = { ...environment, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const args = ['test', '--reporter=list,json', ...files];
  const { problem } = await runCommand('playwright', args, {
    timeoutMs: browserTestsTimeoutMs,
    // Playwright only runs its global teardown after SIGINT.
    stopSignal: 'SIGINT',
    env,
  });
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (text === undefined) return [failed(`Playwright ${problem ?? 'wrote no report'}`)];
  const { suites, errors } = JSON.parse(text) as JSONReport;
  fileTimes.push(...suites.map((suite) => ({ file: `e2e/${suite.title}`, durationMs: timeOf(suite) })));
  return complete('Playwright', problem, [
    ...suites.flatMap((suite) => readSuite(suite, [])),
    ...errors.map(({ message }) => failed(`Playwright: ${message?.split('\n')[0] ?? 'unknown error'}`)),
  ]);
}

function readSuite(suite: JSONReportSuite, parents: string[]): Outcome[] {
  const path = [...parents, suite.title];
  const own = suite.specs.flatMap((spec) =>
    spec.tests.map(({ status }): Outcome => {
      const result = status === 'skipped' ? 'skipped' : status === 'unexpected' ? 'failed' : 'passed';
      return { name: `e2e/${[...path, spec.title].join(' › ')}`, result };
    }),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => readSuite(inner, path))];
}

function timeOf({ specs, suites = [] }: JSONReportSuite): number {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
  const own = results.reduce((sum, { duration }) => sum + duration, 0);
  return suites.reduce((sum, suite) => sum + timeOf(suite), own);
}

/** Adds a failure for a runner that crashed, was stopped, or ran nothing, which must not look like success. */
function complete(runner: string, problem: string | undefined, outcomes: Outcome[]): Outcome[] {
  if (problem === undefined) return outcomes.length > 0 ? outcomes : [failed(`${runner} ran no test`)];
  // If tests failed, the exit code adds no information.
  const isExplained = problem === exitedWithOne && outcomes.some(({ result }) => result === 'failed');
  return isExplained ? outcomes : [...outcomes, failed(`${runner} ${problem}`)];
}

function failed(name: string): Outcome {
  return { name, result: 'failed' };
}

function summarize(outcomes: Outcome[]): boolean {
  const namesOf = (result: Outcome['result']): string[] =>
    outcomes.filter((outcome) => outcome.result === result).map(({ name }) => name);
  const failures = namesOf('failed');
  const skipped = namesOf('skipped');
  const slowest = fileTimes
    .toSorted((one, other) => other.durationMs - one.durationMs)
    .slice(0, slowestCount);
  const seconds = (durationMs: number) => (durationMs / 1_000).toFixed(1).padStart(6);
  console.log(`\nSlowest files:`);
  for (const { file, durationMs } of slowest) console.log(`${seconds(durationMs)} s  ${file}`);
  if (skipped.length > 0) console.log(`\nSkipped:\n${skipped.map((name) => `  ${name}`).join('\n')}`);
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((name) => `  ${name}`).join('\n')}`);
  console.log(`\n${namesOf('passed').length} passed, ${failures.length} failed`);
  return failures.length === 0;
}
