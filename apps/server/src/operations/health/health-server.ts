import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { InvalidConfig } from '../../platform/invalid-config.ts';
import type { Log } from '../../platform/log.ts';
import { metricsContentType } from '../../platform/metrics/to-text.ts';
import { isWorking } from '../../platform/worker-health.ts';
import { writeMetrics, type ReportingWorker } from './write-metrics.ts';
import type { Readiness } from './readiness.ts';

export interface HealthServerOptions {
  host: string;
  port: number;
  log: Log;
  isReady: Readiness;
  /** Set in a process with the worker role. */
  worker: ReportingWorker | undefined;
}

/** For clients that send or take nothing; requests are short and have no body. */
const limits = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 2_000 };
const maxConnections = 100;

/**
 * Serves operator endpoints on a separate port: `/live`, `/metrics`, and `/ready` with the state of each role. `/ready`
 * responds with 503 if a role cannot do its work.
 * @throws InvalidConfig if the port is taken
 */
export async function startHealthServer({ host, port, isReady, worker, log }: HealthServerOptions) {
  async function answer(path: string | undefined, response: ServerResponse): Promise<void> {
    if (path === '/live') return send(response, 200, { status: 'ok' });
    if (path === '/metrics') return sendMetrics(response, await writeMetrics(worker));
    if (path !== '/ready') return send(response, 404, { status: 'unknown_path' });
    const [database, report] = await Promise.all([isReady(), worker?.report()]);
    const isOk = database && (report === undefined || isWorking(report));
    send(response, isOk ? 200 : 503, { status: isOk ? 'ok' : 'not_ready', database, worker: report });
  }
  const server = createServer(limits, ({ url }, response) => {
    answer(url?.replace(/\?.*$/, ''), response).catch((error: unknown) => {
      log.error({ err: error }, 'health could not be told');
      send(response, 500, { status: 'error' });
    });
  });
  server.maxConnections = maxConnections;
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

function sendMetrics(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': metricsContentType, 'cache-control': 'no-store' });
  response.end(text);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
