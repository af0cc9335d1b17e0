import { globSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';
import { findAffectedTests } from './affected-tests.ts';
import { buildTracker } from './build-tracker.ts';
import { buildWeb } from './build-web.ts';
import { findOrInstallChromium } from './chromium.ts';
import { root, runCommand } from './run-command.ts';
import { chooseShard, orderByCost, readShard, runQueue, type RanFile } from './test-queue.ts';
import type { Outcome } from './test-reporter.ts';
import { globalSetup, globalTeardown, readPostgresCpuMs } from './test-setup.ts';
import { readTreeCpuMs } from './tree-cpu.ts';

// npm test [-- --changed] [-- --shard 1/2] [-- unit | server | e2e | part of a file's path ...]
//
// Runs node:test and then Playwright on one PostgreSQL, each with a time limit, lists the slowest files and the CPU time, and
// ends with one line of totals: "12 passed, 0 failed". The exit code is 1 if anything failed or did not run. --changed only runs
// the files that changes since the branch left main can affect; --shard only one part of the files, for several machines.

const groups = ['unit', 'server', 'e2e'] as const;
type Group = (typeof groups)[number];

const nodeTestsTimeoutMs = 25 * 60_000;
const browserTestsTimeoutMs = 25 * 60_000;

const environment = {
  NODE_ENV: 'test',
  // Otherwise each process of test files would compile the whole server again.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
};

/** Playwright runs the tests of one file concurrently, in shared processes. */
interface FileTime {
  file: string;
  durationMs: number;
  cpuMs?: number | undefined;
}
const fileTimes: FileTime[] = [];
const slowestCount = 10;

/** CPU time of the phases and of PostgreSQL, in the order in which they ended. */
const cpuTimes: { what: string; cpuMs: number }[] = [];

/** Durations of the last runs on this machine, in milliseconds by file. */
const costFile = join(root, 'node_modules', '.cache', 'test-costs.json');
/** Estimates for a file that has not run here yet: a long file has many tests, and some take long for their size. */
const costPerByte = 0.2;
const costPerByteInBrowser = 2;
const takesLong =
  /\/(permission-matrix|start|send\.routes|access-scope|demo|supervise-worker|directus-import|kill|malicious-backend|compile-email|bounded-work)\.test\.ts$|\/screens\.spec\.ts$/;
const longCost = 60_000;

/** The problem that both runners report if tests failed. */
const exitedWithOne = 'ended with 1';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interruption.abort());

const reports = await mkdtemp(join(tmpdir(), 'reachout-reports-'));
/** Each worker of Playwright adds a line with the CPU time of its browser's children. */
const browserCpuFile = join(reports, 'browser-cpu');
try {
  process.exitCode = summarize(await runAll(process.argv.slice(2))) ? 0 : 1;
} finally {
  await rm(reports, { recursive: true, force: true });
}

async function runAll(args: string[]): Promise<Outcome[]> {
  const { values: options, positionals: words } = parseArgs({
    args,
    options: { changed: { type: 'boolean', default: false }, shard: { type: 'string' } },
    allowPositionals: true,
  });
  const shard = options.shard === undefined ? { number: 1, count: 1 } : readShard(options.shard);
  if (shard === undefined) return [failed('--shard takes a number and a count, such as 1/2')];
  const matching = findTestFiles().filter(
    (file) => words.length === 0 || words.some((word) => matches(file, word)),
  );
  if (matching.length === 0) return [failed(`No test file matches ${words.join(' ')}`)];
  const affected = options.changed ? chooseAffected(matching) : matching;
  const files = chooseShard(affected, shard, estimateCost);
  // Builds once for all tests, and outside the time limit of a test.
  const needsPages = files.some((file) => groupOf(file) === 'e2e' || file === 'scripts/start.test.ts');
  try {
    if (needsPages || files.some((file) => file.includes('tracker'))) await buildTracker();
    if (needsPages) await buildWeb();
  } catch (error) {
    return [failed(error instanceof Error ? error.message : String(error))];
  }
  const browserFiles = files.filter((file) => groupOf(file) === 'e2e');
  const nodeFiles = files.filter((file) => groupOf(file) !== 'e2e');
  // Only browser tests, the server's tests and those of the operator's commands use a database.
  const needsDatabase = files.some((file) => /^(apps\/server|scripts|e2e)\//.test(file));
  try {
    if (needsDatabase) await withCpuTime('Migrated template', globalSetup);
    const outcomes =
      nodeFiles.length > 0 ? await withCpuTime('node:test', () => runNodeTests(nodeFiles)) : [];
    if (browserFiles.length === 0 || interruption.signal.aborted) return outcomes;
    const browserOutcomes = await withCpuTime('Playwright and the server', () =>
      runBrowserTests(browserFiles),
    );
    cpuTimes.push({ what: 'Renderers and other processes of Chromium', cpuMs: await readBrowserCpuMs() });
    return [...outcomes, ...browserOutcomes];
  } finally {
    const cpuMs = await readPostgresCpuMs();
    if (cpuMs !== undefined) cpuTimes.push({ what: 'PostgreSQL', cpuMs });
    await globalTeardown();
  }
}

/** Measures the CPU time of this process and all that it starts, without PostgreSQL, which is not its child, and without the children of browsers. */
async function withCpuTime<T>(what: string, work: () => Promise<T>): Promise<T> {
  const before = readTreeCpuMs(process.pid);
  try {
    return await work();
  } finally {
    const now = readTreeCpuMs(process.pid);
    if (before !== undefined && now !== undefined) cpuTimes.push({ what, cpuMs: now - before });
  }
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
  // One more process than cores: tests often wait for PostgreSQL.
  const processes = availableParallelism() + 1;
  const costs = JSON.parse(await readFile(costFile, 'utf8').catch(() => '{}')) as Record<string, number>;
  const ordered = orderByCost(files, (file) => costs[file] ?? estimateCost(file));
  const ran: RanFile[] = [];
  const onEnd = (file: RanFile) => {
    ran.push(file);
    if (file.output.trim() !== '') console.log(file.output.trimEnd());
    if (file.problem !== undefined) console.log(`✖ ${file.file} ${file.problem}`);
  };
  const late = AbortSignal.timeout(nodeTestsTimeoutMs);
  await runQueue(ordered, {
    args: [
      `--test-reporter=${join(root, 'scripts', 'test-reporter.ts')}`,
      '--test-reporter-destination=stdout',
    ],
    environmentOf: (number) => ({ ...process.env, ...environment, TEST_REPORT: reportOf(number) }),
    processes,
    spareProcesses: 4,
    // Tests that are run once in full take up to an hour.
    fileLimitMs: process.env['REACHOUT_FULL'] === '1' ? 3_600_000 : 400_000,
    signal: AbortSignal.any([interruption.signal, late]),
    onEnd,
  });
  fileTimes.push(...ran);
  const newCosts = Object.fromEntries(ran.map(({ file, durationMs }) => [file, Math.round(durationMs)]));
  await mkdir(dirname(costFile), { recursive: true });
  await writeFile(costFile, JSON.stringify({ ...costs, ...newCosts }));
  const outcomes = (await readReports()).map((line) => JSON.parse(line) as Outcome);
  const withTests = new Set(outcomes.map(({ name }) => name.split(' › ')[0]));
  const problems = ran.flatMap(({ file, problem }) =>
    problem === undefined
      ? withTests.has(file)
        ? []
        : [`${file} ran no test`]
      : [`${file} broke off: ${problem}`],
  );
  const isOver = late.aborted ? [`node:test took longer than ${nodeTestsTimeoutMs / 1_000} s`] : [];
  const missing = files.length - ran.length;
  const isIncomplete = missing > 0 ? [`node:test did not run ${missing} files`] : [];
  return [...outcomes, ...[...problems, ...isOver, ...isIncomplete].map(failed)];
}

/** The same on every machine, unlike what files took there: the shards of several machines are all files together. */
function estimateCost(file: string): number {
  const perByte = groupOf(file) === 'e2e' ? costPerByteInBrowser : costPerByte;
  return statSync(join(root, file)).size * perByte + (takesLong.test(file) ? longCost : 0);
}

function reportOf(number: number): string {
  return join(reports, `node-${number}.jsonl`);
}

async function readReports(): Promise<string[]> {
  const paths = globSync('node-*.jsonl', { cwd: reports }).map((name) => join(reports, name));
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  // A process that was killed may have written half a line.
  return texts.flatMap((text) => text.split('\n')).filter((line) => line.endsWith('}'));
}

async function runBrowserTests(files: string[]): Promise<Outcome[]> {
  let chromium: string;
  try {
    chromium = await findOrInstallChromium();
  } catch (error) {
    return [failed(`Browser tests: ${error instanceof Error ? error.message : String(error)}`)];
  }
  const report = join(reports, 'playwright.json');
  const env = {
    ...environment,
    CHROMIUM_PATH: chromium,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    BROWSER_CPU_FILE: browserCpuFile,
  };
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

async function readBrowserCpuMs(): Promise<number> {
  const lines = await readFile(browserCpuFile, 'utf8').catch(() => '');
  return lines.split('\n').reduce((sum, line) => sum + Number(line), 0);
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
  const seconds = (ms: number | undefined) =>
    (ms === undefined ? '' : `${(ms / 1_000).toFixed(1)} s`).padStart(9);
  console.log(`\nSlowest files, with CPU time:`);
  for (const { file, durationMs, cpuMs } of slowest)
    console.log(`${seconds(durationMs)}${seconds(cpuMs)}  ${file}`);
  console.log(`\nCPU time:`);
  for (const { what, cpuMs } of cpuTimes) console.log(`${seconds(cpuMs)}  ${what}`);
  if (skipped.length > 0) console.log(`\nSkipped:\n${skipped.map((name) => `  ${name}`).join('\n')}`);
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((name) => `  ${name}`).join('\n')}`);
  console.log(`\n${namesOf('passed').length} passed, ${failures.length} failed`);
  return failures.length === 0;
}
