import { spawnSync } from 'node:child_process';
import { runCommand } from '../../scripts/run-command.ts';
import { globalSetup, globalTeardown } from '../../scripts/test-setup.ts';

// npm run test:proxy
//
// Tests docs/Caddyfile with Caddy, which is installed first, and our server, on this machine. See docs/domains.md.

const problem = installCaddy() ?? (await runTests());
if (problem !== undefined) console.error(`The tests of the proxy ${problem}.`);
process.exitCode = problem === undefined ? 0 : 1;

/** On Debian as root, installs it if it is missing. @returns the problem, if any */
function installCaddy(): string | undefined {
  const isInstalled = () => spawnSync('caddy', ['version']).status === 0;
  if (isInstalled()) return undefined;
  if (process.getuid?.() === 0) {
    // In this runlevel, Debian does not start the services of what it installs.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    for (const args of [
      ['update', '--quiet'],
      ['install', '--yes', '--no-install-recommends', 'caddy'],
    ])
      spawnSync('apt-get', args, { env, stdio: ['ignore', 'inherit', 'inherit'], timeout: 600_000 });
  }
  return isInstalled() ? undefined : 'need the Debian package caddy';
}

async function runTests(): Promise<string | undefined> {
  try {
    await globalSetup();
    const env = { NODE_ENV: 'test' };
    const args = ['--test', 'tests/real-proxy/caddy.test.ts'];
    return (await runCommand('node', args, { env, timeoutMs: 5 * 60_000 })).problem;
  } finally {
    await globalTeardown();
  }
}
