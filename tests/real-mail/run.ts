import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { root, runCommand } from '../../scripts/run-command.ts';
import { listMissing } from './programs.ts';

// npm run test:mail [-- part of a file's path ...]
//
// Verifies our signatures, our checks of domains and what we read of returned mail with BIND, OpenDKIM, SpamAssassin and Postfix, all on
// this machine. See docs/real-mail.md.

const testsTimeoutMs = 10 * 60_000;

const wanted = process.argv.slice(2);
const tests = globSync('tests/real-mail/*.test.ts', { cwd: root })
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .toSorted();

const problem = installMissing() ?? (await runTests());
if (problem !== undefined) console.error(`The tests of real mail ${problem}.`);
process.exitCode = problem === undefined ? 0 : 1;

/** On Debian as root, installs the programs that are missing. @returns the problem, if any */
function installMissing(): string | undefined {
  const missing = listMissing();
  if (missing.length === 0) return undefined;
  if (process.getuid?.() === 0) {
    // In this runlevel, Debian does not start the services of what it installs.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    // A single broken package source makes the update fail, but must not prevent the installation.
    for (const args of [
      ['update', '--quiet'],
      ['install', '--yes', '--no-install-recommends', ...missing],
    ])
      spawnSync('apt-get', args, { env, stdio: ['ignore', 'inherit', 'inherit'], timeout: 600_000 });
  }
  const left = listMissing();
  return left.length === 0 ? undefined : `need the Debian packages ${left.join(', ')}`;
}

async function runTests(): Promise<string | undefined> {
  if (tests.length === 0) return `have no file with ${wanted.join(' ')}`;
  const env = { NODE_ENV: 'test' };
  return (
    await runCommand('node', ['--test', '--test-concurrency=1', ...tests], { env, timeoutMs: testsTimeoutMs })
  ).problem;
}
