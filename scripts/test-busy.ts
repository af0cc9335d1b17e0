import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { runCommand } from './run-command.ts';

// npm run test:busy [-- times] [arguments of npm test ...]
//
// Runs the tests again and again, ten times unless told otherwise, while every core of the machine is kept busy. What
// fails here depends on how fast the machine is. The exit code is 1 when a run failed.

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
