import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../../main.ts';
import { readConfig } from '../../platform/config.ts';
import type { WorkerReport } from '../../platform/worker-health.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { findFreePort } from '../../testing/find-free-port.ts';
import { parseMetrics } from '../../testing/parse-metrics.ts';
import { startTcpProxy, throughProxy } from '../../testing/tcp-proxy.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { workerSecretKey } from '../../testing/worker-process.ts';

test('a process that is only a worker reports its health (HLT-1)', async (t) => {
  const database = await createTestDatabase();
  const { hostname, port } = new URL(database.ownerUrl);
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  const healthPort = await findFreePort();
  const config = readConfig({
    ROLES: 'worker',
    HEALTH_PORT: String(healthPort),
    DATABASE_URL: database.ownerUrl,
    DATABASE_APP_URL: throughProxy(database.appUrl, proxy),
    DATABASE_AUTH_URL: throughProxy(database.authUrl, proxy),
    SECRET_KEY: workerSecretKey,
    DATA_DIR: '/nowhere',
    LOG_LEVEL: 'silent',
  });
  const server = await startServer(config, database.ownerUrl, { isDemoAskedFor: false });
  t.after(async () => {
    await server.stop();
    await proxy.cut();
    await database.drop();
  });
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${healthPort}${path}`);
    return { status: response.status, body: (await response.json()) as { worker?: WorkerReport } };
  };
  const ready = await waitUntil('it is ready', async () => {
    const response = await ask('/ready');
    return response.status === 200 ? response.body : undefined;
  });
  const { last_look_at, ...worker } = ready.worker!;
  assert.match(last_look_at!, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(
    { ...ready, worker },
    { status: 'ok', database: true, worker: { has_heartbeat: true, restarts: 0, last_death: null } },
  );
  assert.equal((await ask('/unknown')).status, 404);
  const readWorking = async () => {
    const response = await fetch(`http://127.0.0.1:${healthPort}/metrics`);
    return parseMetrics(await response.text()).get('reachout_worker_working', { process: 'worker' });
  };
  assert.equal(await readWorking(), 1);

  await proxy.cut();
  await waitUntil('it is not ready', async () => {
    const { status, body } = await ask('/ready');
    return status === 503 && body.worker?.has_heartbeat === false;
  });
  assert.equal(await readWorking(), 0);
  assert.deepEqual(await ask('/live'), { status: 200, body: { status: 'ok' } });

  await proxy.mend();
  await assert.rejects(
    startServer(config, database.ownerUrl, { isDemoAskedFor: false }),
    /HEALTH_PORT: nothing can listen/,
  );
});
