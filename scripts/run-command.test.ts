import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from './run-command.ts';

test('tells how a command ended', async () => {
  assert.equal((await run('')).problem, undefined);
  assert.equal((await run('process.exit(3)')).problem, 'ended with 3');
  assert.equal((await run("process.kill(process.pid, 'SIGKILL')")).problem, 'ended with SIGKILL');
  assert.match((await runCommand('no-such-program', [], {})).problem ?? '', /did not start/);
});

test('stops a command that takes too long', async () => {
  const { problem } = await run('setInterval(() => {}, 1000)', 300);
  assert.equal(problem, 'took longer than 0.3 s');
});

test('waits for a stopped command that puts things away', async () => {
  const code =
    "process.on('SIGTERM', () => setTimeout(() => process.exit(0), 200)); setInterval(() => {}, 1000)";
  const { problem, durationMs } = await run(code, 2_000);
  assert.equal(problem, 'took longer than 2 s');
  assert.ok(durationMs >= 2_200, `${durationMs} ms`);
});

function run(code: string, timeoutMs = 20_000): ReturnType<typeof runCommand> {
  return runCommand('node', ['--eval', code], { timeoutMs });
}
