import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { InvalidConfig } from '../../platform/config.ts';
import { isWorking, type WorkerReport } from '../../platform/worker-health.ts';
import type { Readiness } from './readiness.ts';

export interface HealthServerOptions {
  host: string;
  port: number;
  isReady: Readiness;
  /** Of a process with the role. */
  reportOnWorker: (() => Promise<WorkerReport>) | undefined;
}

/**
 * Answers on a port of its own, for those who run the installation: `/live`, and `/ready` with what each role does. The
 * status is 503 when one of them cannot do its work.
 * @throws InvalidConfig when the port is taken
 */
export async function startHealthServer({ host, port, isReady, reportOnWorker }: HealthServerOptions) {
  async function answer(path: string | undefined, response: ServerResponse): Promise<void> {
    if (path === '/live') return send(response, 200, { status: 'ok' });
    if (path !== '/ready') return send(response, 404, { status: 'unknown_path' });
    const [database, worker] = await Promise.all([isReady(), reportOnWorker?.()]);
    const isOk = database && (worker === undefined || isWorking(worker));
    send(response, isOk ? 200 : 503, { status: isOk ? 'ok' : 'not_ready', database, worker });
  }
  const server = createServer(({ url }, response) => {
    void answer(url?.replace(/\?.*$/, ''), response);
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new InvalidConfig(`HEALTH_PORT: nothing can listen on port ${port} of ${host}.`, { cause: error });
  }
  return {
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
