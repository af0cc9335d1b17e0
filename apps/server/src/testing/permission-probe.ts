import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';

// Runs like a template process, attempts forbidden actions, and reports the code of each error.

export interface ProbeOrder {
  port: number;
  file: string;
}

const attempts: Record<string, (order: ProbeOrder) => unknown> = {
  'read a file': ({ file }) => readFileSync(file),
  'write a file': ({ file }) => writeFileSync(file, 'x'),
  'write into the app': () => writeFileSync(import.meta.filename, 'x'),
  'start a program': () => execFileSync(process.execPath, ['--version']),
  'start a thread': () => new Worker('', { eval: true }),
  'open a socket': ({ port }) =>
    new Promise((resolve, reject) => {
      connect(port, '127.0.0.1').once('connect', resolve).once('error', reject);
    }),
};

async function probe(order: ProbeOrder): Promise<Record<string, unknown>> {
  const report: Record<string, unknown> = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt(order);
      report[name] = 'done';
    } catch (error) {
      report[name] = Object(error).code;
    }
  }
  return report;
}

process.once('message', (order: ProbeOrder) => {
  void probe(order).then((report) => process.send?.(report));
});
