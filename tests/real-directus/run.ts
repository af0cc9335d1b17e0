import { randomBytes } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../apps/server/src/testing/find-free-port.ts';
import { root, runCommand } from '../../scripts/run-command.ts';
import { globalSetup, globalTeardown } from '../../scripts/test-setup.ts';
import { makeServiceUser } from './make-service-user.ts';
import { startDirectus, type RunningDirectus } from './start-directus.ts';

// npm run test:directus [-- part of a file's path ...]
//
// Installs a real Directus, starts it with our extension, and runs the tests that need one: those of this folder, and the
// conformance suites of the content API and of the port, which npm test runs with the built-in backend.
// See docs/real-directus.md.

const installTimeoutMs = 15 * 60_000;
const testsTimeoutMs = 15 * 60_000;
const conformance = [
  'apps/server/src/content/rest-api/conformance.test.ts',
  'apps/server/src/content/backend/content-backend.test.ts',
];

const directory = 'tests/real-directus';
const wanted = process.argv.slice(2);
const tests = [...globSync(`${directory}/*.test.ts`, { cwd: root }), ...conformance]
  .filter((file) => existsSync(join(root, file)))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));

let directus: RunningDirectus | undefined;
let problem: string | undefined;
try {
  problem = (await install()) ?? (await runTests());
} finally {
  await directus?.stop();
  await globalTeardown();
}
if (problem !== undefined) console.error(`The tests of Directus ${problem}.`);
process.exitCode = problem === undefined ? 0 : 1;

/** Installs Directus, unless npm's record of installed packages matches the lock file. @returns the problem, if any */
async function install(): Promise<string | undefined> {
  if (isInstalled()) return undefined;
  const npm = process.env['npm_execpath'];
  if (npm === undefined) return 'have to be started with: npm run test:directus';
  console.log(`Installing Directus into ${directory}/node_modules: more than 700 MB`);
  const args = [npm, 'ci', '--loglevel=error', '--progress=false'];
  const installed = await runCommand('node', args, { cwd: directory, timeoutMs: installTimeoutMs });
  return installed.problem && `cannot run, because npm ${installed.problem}`;
}

function isInstalled(): boolean {
  const read = (path: string) =>
    (JSON.parse(readFileSync(join(root, directory, path), 'utf8')) as { packages: Record<string, Entry> })
      .packages;
  try {
    const installed = read('node_modules/.package-lock.json');
    return Object.entries(read('package-lock.json')).every(
      ([path, { version, optional }]) =>
        path === '' || optional === true || installed[path]?.version === version,
    );
  } catch {
    return false;
  }
}

interface Entry {
  version?: string;
  optional?: boolean;
}

/**
 * Runs the tests one at a time, since they share a Directus. The platform that the extension calls runs in the extension's
 * test, at this port and with this key.
 */
async function runTests(): Promise<string | undefined> {
  await globalSetup();
  const port = String(await findFreePort());
  const token = `reachout_${randomBytes(32).toString('base64url')}`;
  console.log('Starting Directus');
  directus = await startDirectus(process.env['TEST_PG_URL']!, { url: `http://127.0.0.1:${port}`, token });
  const service = await makeServiceUser(directus.url, directus.adminToken);
  const env = {
    NODE_ENV: 'test',
    CONTENT_BACKEND_URL: directus.url,
    CONTENT_BACKEND_ADMIN_TOKEN: directus.adminToken,
    CONTENT_BACKEND_TOKEN: service.token,
    CONTENT_BACKEND_POLICY: service.policy,
    CONTENT_BACKEND_SHARE_ROLE: service.role,
    DIRECTUS_URL: directus.url,
    DIRECTUS_ADMIN_TOKEN: directus.adminToken,
    PLATFORM_PORT: port,
    PLATFORM_TOKEN: token,
  };
  const ended = await runCommand('node', ['--test', '--test-concurrency=1', ...tests], {
    env,
    timeoutMs: testsTimeoutMs,
  });
  return ended.problem;
}
