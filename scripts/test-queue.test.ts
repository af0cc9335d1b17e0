import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { root } from './run-command.ts';
import { chooseShard, orderByCost, readShard, runQueue, type RanFile } from './test-queue.ts';
import { readBrowserChildrenCpuMs, readTreeCpuMs } from './tree-cpu.ts';

const files = {
  'good.test.mjs': `import { test } from 'node:test'; test('good', () => {});`,
  'bad.test.mjs': `import { test } from 'node:test'; test('bad', () => { throw new Error('no'); });`,
  'broken.test.mjs': `import './missing.mjs';`,
  'open.test.mjs': `
    import { createServer } from 'node:net';
    import { spawn } from 'node:child_process';
    import { test } from 'node:test';
    test('leaves', (t, done) => {
      setInterval(() => {}, 1_000);
      spawn('sleep', ['100']);
      createServer().listen(0, '127.0.0.1', done);
    });`,
  'last.test.mjs': `import { test } from 'node:test'; test('last', () => {});`,
  'ending.test.mjs': `import { test } from 'node:test'; test('ends', () => process.kill(process.pid, 'SIGKILL'));`,
  'endless.test.mjs': `import { test } from 'node:test'; test('endless', () => new Promise(() => setInterval(() => {}, 1_000)));`,
};

suite('test queue', { timeout: 120_000 }, () => {
  let folder: string;
  let ran: Map<string, RanFile>;
  let outcomes: Map<string, string>;

  before(async () => {
    folder = await mkdtemp(join(root, 'node_modules', '.cache', 'queue-'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const ended: RanFile[] = [];
    const report = (number: number) => join(folder, `${number}.jsonl`);
    let processes = 0;
    await runQueue(
      Object.keys(files).map((name) => relative(root, join(folder, name))),
      {
        args: [
          `--test-reporter=${join(root, 'scripts', 'test-reporter.ts')}`,
          '--test-reporter-destination=stdout',
        ],
        environmentOf: (number) => {
          processes = Math.max(processes, number);
          return { ...process.env, TEST_REPORT: report(number) };
        },
        processes: 1,
        spareProcesses: 0,
        // Longer than a process waits for what a file leaves open, and than a busy machine takes for a file.
        fileLimitMs: 15_000,
        signal: new AbortController().signal,
        onEnd: (file) => void ended.push(file),
      },
    );
    const nameOf = (path: string) => path.split('/').at(-1)!;
    ran = new Map(ended.map((file) => [nameOf(file.file), file]));
    outcomes = new Map();
    for (let number = 1; number <= processes; number += 1) {
      // A process that was killed may not have written it.
      const text = await readFile(report(number), 'utf8').catch(() => '');
      for (const line of text.split('\n').filter((each) => each !== '')) {
        const { name, result } = JSON.parse(line) as { name: string; result: string };
        outcomes.set(nameOf(name), result);
      }
    }
  });
  after(() => rm(folder, { recursive: true }));

  test('every file runs, despite killed and slow ones', () => {
    assert.deepEqual([...ran.keys()].toSorted(), Object.keys(files).toSorted());
    assert.match(ran.get('ending.test.mjs')?.problem ?? '', /ended with SIGKILL/);
    assert.match(ran.get('endless.test.mjs')?.problem ?? '', /took longer than 15 s/);
    for (const name of ['good.test.mjs', 'bad.test.mjs', 'last.test.mjs'])
      assert.equal(ran.get(name)?.problem, undefined);
  });

  test('each result names its file', () => {
    assert.equal(outcomes.get('good.test.mjs › good'), 'passed');
    assert.equal(outcomes.get('bad.test.mjs › bad'), 'failed');
    assert.equal(outcomes.get('broken.test.mjs › loads'), 'failed');
    assert.equal(outcomes.get('last.test.mjs › last'), 'passed');
  });

  test('open handles fail their file', () => {
    assert.equal(outcomes.get('open.test.mjs › leaves'), 'passed');
    assert.equal(outcomes.get('open.test.mjs'), 'failed');
    assert.equal(outcomes.get('last.test.mjs'), undefined);
  });
});

suite('spare processes', { timeout: 60_000 }, () => {
  /**
   * Runs the files `one` and `two`, which each begin with a mark, and wait until there are some.
   * @returns the number of processes
   */
  async function run(isIdle: boolean, marks: readonly string[]): Promise<number> {
    const folder = await mkdtemp(join(root, 'node_modules', '.cache', 'queue-'));
    const names = ['one', 'two'];
    for (const name of names)
      await writeFile(
        join(folder, `${name}.test.mjs`),
        `
        import { existsSync, writeFileSync } from 'node:fs';
        import { test } from 'node:test';
        test('waits', async () => {
          const mark = (name) => ${JSON.stringify(folder)} + '/' + name;
          writeFileSync(mark('${name}'), '');
          while (!${JSON.stringify(marks)}.every((name) => existsSync(mark(name))))
            await new Promise((resolve) => setTimeout(resolve, 20));
        });`,
      );
    let processes = 0;
    const problems: string[] = [];
    await runQueue(
      names.map((name) => relative(root, join(folder, `${name}.test.mjs`))),
      {
        args: ['--test-reporter=dot', '--test-reporter-destination=stderr'],
        environmentOf: (number) => {
          processes = number;
          return process.env;
        },
        processes: 1,
        spareProcesses: 1,
        isIdle: () => {
          writeFileSync(join(folder, 'asked'), '');
          return isIdle;
        },
        fileLimitMs: 15_000,
        signal: new AbortController().signal,
        onEnd: ({ problem }) => problem === undefined || problems.push(problem),
      },
    );
    await rm(folder, { recursive: true });
    assert.deepEqual(problems, []);
    return processes;
  }

  test('run a file beside another that waits', async () => {
    assert.equal(await run(true, ['one', 'two']), 2);
  });

  test('do not start while the processors are busy', async () => {
    assert.equal(await run(false, ['asked']), 1);
  });
});

test('the longest files start first', () => {
  const costs: Record<string, number> = { a: 1, b: 30, c: 2 };
  assert.deepEqual(
    orderByCost(['a', 'b', 'c'], (file) => costs[file]!),
    ['b', 'c', 'a'],
  );
});

test('the shards are all files, each once, of about the same length', () => {
  const costs: Record<string, number> = { a: 1, b: 30, c: 2, d: 29, e: 3 };
  const choose = (text: string) => chooseShard(Object.keys(costs), readShard(text)!, (file) => costs[file]!);
  assert.deepEqual(choose('1/2'), ['b', 'c', 'a']);
  assert.deepEqual(choose('2/2'), ['d', 'e']);
  assert.deepEqual(choose('1/1').toSorted(), Object.keys(costs));
  assert.deepEqual(choose('7/9'), []);
  for (const text of ['0/2', '3/2', '1', '1/0', '-1/2', 'a/b']) assert.equal(readShard(text), undefined);
});

test('CPU time includes child processes', { skip: process.platform !== 'linux' }, () => {
  const first = readTreeCpuMs(process.pid)!;
  const until = performance.now() + 50;
  while (performance.now() < until);
  assert.ok(readTreeCpuMs(process.pid)! >= first);
  assert.equal(readTreeCpuMs(2 ** 30), undefined);
});

test(
  'CPU time of the children of browsers is read apart',
  { skip: process.platform !== 'linux' },
  async () => {
    const work = 'while (process.cpuUsage().user < 100_000) for (let i = 0; i < 1e6; i += 1); console.log()';
    const start = (...args: string[]) =>
      spawn(process.execPath, ['-e', `${work}; setInterval(() => {}, 1_000)`, '--', ...args]);
    const children = [start('--type=renderer'), start('renderer')];
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
    const [ofBrowsers, all] = [readBrowserChildrenCpuMs(process.pid), readTreeCpuMs(process.pid)!];
    for (const child of children) {
      child.kill();
      await once(child, 'exit');
    }
    assert.ok(ofBrowsers >= 90 && ofBrowsers <= all - 90, `${ofBrowsers} of ${all} ms`);
  },
);
