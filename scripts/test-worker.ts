import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import { after, mock, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { findLeftOpen, listOpenHandles } from './open-handles.ts';
import { root } from './run-command.ts';
import { readTreeCpuMs } from './tree-cpu.ts';

// Runs test files one after the other in this process, as scripts/test-queue.ts names them: loading the server takes 0.7 s of CPU
// time, which most files need. Reporters are those of the command line.

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
  // A suite takes the hooks and tests of the file that is loaded within it.
  void suite(relative(root, join(root, file)), async () => {
    try {
      await import(pathToFileURL(join(root, file)).href);
    } catch (error) {
      void test('loads', () => {
        throw error;
      });
    }
    // Runs after the hooks of the file.
    after(async () => {
      mock.reset();
      const left = await findLeftOpen(before);
      ended.resolve();
      assert.equal(left.length, 0, `${file} leaves open: ${left.join('; ')}`);
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
