import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { runCommand } from './run-command.ts';

// npm run test:busy [-- times] [arguments of npm test ...]
//
// Runs the tests repeatedly, ten times by default, while every core of the machine is kept busy. A test that fails here
// depends on the speed of the machine. The exit code is 1 if a run failed.

const [first = '', ...rest] = process.argv.slice(2);
const hasTimes = /^\d+$/.test(first);
const times = hasTimes ? Number(first) : 10;
const words = hasTimes ? rest : process.argv.slice(2);

const busy = Array.from({ length: availableParallelism() }, () => new Worker('for (;;);', { eval: true }));
let failures = 0;
for (let run = 1; run <= times; run += 1) {
  const { problem, durationMs } = await runCommand('node', ['scripts/test.ts', ...words], {});
  if (problem !== undefined) failures += 1;
  console.log(`\nRun ${run} of ${times}: ${problem ?? 'passed'} after ${Math.round(durationMs / 1_000)} s\n`);
  if (problem?.startsWith('was interrupted') === true) break;
}
await Promise.all(busy.map((worker) => worker.terminate()));
console.log(`${failures} of ${times} runs failed`);
process.exitCode = failures === 0 ? 0 : 1;
