// Installs the packages of a fresh clone, then runs a script on the Node.js that the lock file pins:
//   node scripts/bootstrap.mjs scripts/start.ts [arguments]
// The only file that must run on any Node.js from 18: plain JavaScript without dependencies.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');
const [script, ...args] = process.argv.slice(2);

if (script === undefined) fail('Which script? Usage: node scripts/bootstrap.mjs scripts/start.ts');
if (!isInstalled()) await install();
run(findNode());

/**
 * Compares the lock file with npm's own record of what it installed, which npm writes last. Unlike a stamp file of
 * our own, this also detects a manual `npm install`, and does not install everything again after it.
 */
function isInstalled() {
  try {
    const wanted = readPackages('package-lock.json');
    const installed = readPackages(join('node_modules', '.package-lock.json'));
    return Object.entries(wanted).every(([path, { version, optional }]) => {
      if (path === '') return true;
      // Optional packages of other platforms are never installed.
      return installed[path] === undefined ? optional === true : installed[path].version === version;
    });
  } catch {
    return false;
  }
}

function readPackages(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8')).packages;
}

async function install() {
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  // Development packages are needed to build the web app, so NODE_ENV=production must not leave them out.
  // An older system Node.js makes npm warn about engines, which means nothing here.
  const options = ['ci', '--include=dev', '--include=optional', '--loglevel=error', '--progress=false'];
  const paths = listPackages();
  console.log(`Installing ${paths.length} packages with npm, among them Node.js, PostgreSQL and Vite`);
  const startedAt = Date.now();
  const report = setInterval(() => {
    const done = paths.filter((path) => existsSync(join(root, path, 'package.json'))).length;
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    console.log(`  ${done} of ${paths.length} after ${seconds} s`);
  }, 5_000);
  const child = spawn(npm[0], [...npm.slice(1), ...options], { cwd: root, stdio: 'inherit' });
  child.on('error', (error) => fail(`npm could not be started: ${error.message}`));
  const code = await new Promise((resolve) => child.on('exit', resolve));
  clearInterval(report);
  if (code !== 0) process.exit(code ?? 1);
}

/** Lists the paths of the packages for this platform, without workspaces, which are links. */
function listPackages() {
  const isFor = (list, name) => list === undefined || list.includes(name);
  const libc = process.report?.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  return Object.entries(readPackages('package-lock.json'))
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .filter(([, { os, cpu }]) => isFor(os, process.platform) && isFor(cpu, process.arch))
    .filter(([, packed]) => isFor(packed.libc, libc))
    .map(([path]) => path);
}

/** Finds the pinned Node.js or, on a platform without a package for it, the running one if it is new enough. */
function findNode() {
  const pinned = join(bin, 'node');
  if (existsSync(pinned)) return pinned;
  const needed = readFileSync(join(root, '.node-version'), 'utf8').trim();
  const isNewEnough = Number.parseInt(process.versions.node, 10) >= Number.parseInt(needed, 10);
  if (!isNewEnough)
    fail(`Install Node.js ${needed}: it is not packaged for ${process.platform}-${process.arch}.`);
  return process.execPath;
}

function run(node) {
  const env = {
    ...process.env,
    PATH: [bin, process.env.PATH].filter(Boolean).join(delimiter),
    // Caches compiled TypeScript: every process starts faster and needs no memory for a compiler.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(root, 'node_modules', '.cache', 'compiled'),
  };
  // The IPC channel closes when this process ends for any reason, which the script notices (start.ts).
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const child = spawn(node, [...workerFlags(), join(root, script), ...args], { cwd: root, stdio, env });
  child.channel?.unref();
  child.on('error', (error) => fail(`${node} does not run on this machine: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // npm runs this script in a shell that does not forward signals, so the child is stopped when the parent changes.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
  watch.unref();
}

/** A worker-only process gets the same memory limits as one that the server starts (supervise-worker.ts). */
function workerFlags() {
  const limits = join(root, 'apps/server/src/platform/worker-memory.json');
  return process.env.ROLES === 'worker' ? JSON.parse(readFileSync(limits, 'utf8')) : [];
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
