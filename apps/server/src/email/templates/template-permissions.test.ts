import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import type { ProbeOrder } from '../../testing/permission-probe.ts';
import { templateProcessFlags } from './template-processes.ts';

test('template processes cannot access the system (TPL-9)', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const folder = mkdtempSync(join(tmpdir(), 'reachout-probe-'));
  const file = join(folder, 'secret');
  writeFileSync(file, 'secret');
  const child = fork(join(import.meta.dirname, '../../testing/permission-probe.ts'), {
    env: {},
    execArgv: templateProcessFlags,
  });
  child.send({ file, port: (server.address() as AddressInfo).port } satisfies ProbeOrder);
  const [report] = (await once(child, 'message')) as [Record<string, string>];
  child.disconnect();
  server.close();
  assert.equal(Object.keys(report).length, 6);
  for (const [attempt, result] of Object.entries(report)) assert.equal(result, 'ERR_ACCESS_DENIED', attempt);
  assert.equal(connections, 0);
  assert.equal(readFileSync(file, 'utf8'), 'secret');
  rmSync(folder, { recursive: true });
});
