import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from './run-command.ts';

test('the result tells how a command ended', async () => {
  assert.equal((await run('')).problem, undefined);
  assert.equal((await run('process.exit(3)')).problem, 'ended with 3');
  assert.equal((await run("process.kill(process.pid, 'SIGKILL')")).problem, 'ended with SIGKILL');
  assert.match((await runCommand('no-such-program', [], {})).problem ?? '', /did not start/);
});

test('slow commands are stopped', async () => {
  const { problem } = await run('setInterval(() => {}, 1000)', 300);
  assert.equal(problem, 'took longer than 0.3 s');
});

test('stopping waits for the command’s cleanup', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'run-command-'));
  t.after(() => rm(folder, { recursive: true }));
  const [started, isPutAway] = [join(folder, 'started'), join(folder, 'away')];
  const code = `
    const { writeFileSync } = require('node:fs');
    const end = () => { writeFileSync(${JSON.stringify(isPutAway)}, ''); process.exit(0); };
    process.on('SIGTERM', () => setTimeout(end, 200));
    setInterval(() => {}, 1000);
    writeFileSync(${JSON.stringify(started)}, '');`;
  // On a busy machine, the process may be stopped before it has started, so this retries with longer timeouts.
  for (let timeoutMs = 2_000; !existsSync(started); timeoutMs *= 3) {
    const { problem } = await run(code, timeoutMs);
    assert.equal(problem, `took longer than ${timeoutMs / 1_000} s`);
  }
  assert.ok(existsSync(isPutAway));
});

function run(code: string, timeoutMs = 20_000): ReturnType<typeof runCommand> {
  return runCommand('node', ['--eval', code], { timeoutMs });
}
