import assert from 'node:assert/strict';
import asyncHooks from 'node:async_hooks';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { findLeftOpen, listOpenHandles } from '../apps/server/src/testing/open-handles.ts';
import { root } from './run-command.ts';
import { readTreeCpuMs } from './tree-cpu.ts';

// Runs test files one after the other in this process, as scripts/test-queue.ts names them: loading the server takes 0.7 s of CPU
// time, which most files need. Reporters are those of the command line.

// The test runner follows every promise to the test that has made it, which takes a quarter of the CPU time of tests. Without that,
// it still knows which suite a test is declared in, but no longer which test an error belongs to that nobody has caught.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
const { after, mock, suite, test } = await import('node:test');

const require = createRequire(import.meta.url);

/** Sent after each file. */
export interface EndedFile {
  file: string;
  /** CPU time of this process and its children; undefined where the system does not tell. */
  cpuMs: number | undefined;
  /** Of this process. */
  memoryBytes: number;
}

const cpuMs = () => readTreeCpuMs(process.pid);

/** The work of the process itself is the same before and after a file. */
let queue = Promise.resolve();
process.on('message', (file: string) => {
  queue = queue.then(() => runFile(file));
});

async function runFile(file: string): Promise<void> {
  const before = listOpenHandles();
  const cpuBefore = cpuMs();
  const ended = Promise.withResolvers<void>();
  const uncaught: unknown[] = [];
  const collect = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtException', collect).on('unhandledRejection', collect);
  // A suite takes the hooks and tests of a file that is loaded within it, without waiting.
  void suite(relative(root, join(root, file)), () => {
    try {
      require(join(root, file));
    } catch (error) {
      void test('loads', () => {
        throw error;
      });
    }
    // Runs after the hooks of the file.
    after(async () => {
      mock.reset();
      const left = await findLeftOpen(before);
      process.off('uncaughtException', collect).off('unhandledRejection', collect);
      ended.resolve();
      assert.equal(left.length, 0, `${file} leaves open: ${left.join('; ')}`);
      assert.deepEqual(uncaught, [], `${file} does not catch errors`);
    });
  });
  await ended.promise;
  const used = cpuMs();
  process.send!({
    file,
    cpuMs: used === undefined || cpuBefore === undefined ? undefined : used - cpuBefore,
    memoryBytes: process.memoryUsage.rss(),
  } satisfies EndedFile);
}
