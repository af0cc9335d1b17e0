import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { behindSeconds, eventBacklog, collectEventMetrics } from '../../events/event-backlog.ts';
import { InvalidConfig } from '../../platform/invalid-config.ts';
import type { Log } from '../../platform/log.ts';
import {
  metricsContentType,
  toText,
  counter,
  gauge,
  type CollectMetrics,
  type Metric,
} from '../../platform/metrics/metric.ts';
import { isWorking, type WorkerReport } from '../../platform/worker-health.ts';
import type { Readiness } from './readiness.ts';
import { collectDropMetrics } from '../../events/website-drops.ts';
import { collectProcessMetrics } from '../../platform/metrics/process-metrics.ts';

export interface HealthServerOptions {
  host: string;
  port: number;
  log: Log;
  isReady: Readiness;
  /** Set in a process with the worker role. */
  worker: ReportingWorker | undefined;
  /** Set in a process that takes returned mail. */
  inbound: ReportingInbound | undefined;
  /** Whether the process has the tracking role, which folds events. */
  tracks: boolean;
}

/** For clients that send or take nothing; requests are short and have no body. */
const limits = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 2_000 };
const maxConnections = 100;

/**
 * Serves operator endpoints on a separate port: `/live`, `/metrics`, and `/ready` with the state of each role. `/ready`
 * responds with 503 if a role cannot do its work.
 * @throws InvalidConfig if the port is taken
 */
export async function startHealthServer({
  host,
  port,
  isReady,
  worker,
  inbound,
  tracks,
  log,
}: HealthServerOptions) {
  async function answer(path: string | undefined, response: ServerResponse): Promise<void> {
    if (path === '/live') return send(response, 200, { status: 'ok' });
    if (path === '/metrics') return sendMetrics(response, await writeMetrics(worker, inbound));
    if (path !== '/ready') return send(response, 404, { status: 'unknown_path' });
    const [database, report] = await Promise.all([isReady(), worker?.report()]);
    const listener = inbound?.report();
    const isOk = database && (report === undefined || isWorking(report)) && listener?.is_listening !== false;
    // Only told: a process that is behind stores all that comes in, and one that gets no requests counts no faster.
    const { unfolded, seconds } = eventBacklog;
    const isBehind = Object.values(seconds).some((since) => since >= behindSeconds);
    const events = tracks ? { is_behind: isBehind, unfolded, seconds } : undefined;
    const status = isOk ? 'ok' : 'not_ready';
    send(response, isOk ? 200 : 503, { status, database, worker: report, inbound: listener, events });
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

export interface ReportingWorker {
  report: () => Promise<WorkerReport>;
  collectMetrics: CollectMetrics;
  /** Whether the worker is a separate process that this one supervises. */
  isSupervised: boolean;
}

/** Of a process that takes returned mail. */
export interface ReportingInbound {
  report: () => { is_listening: boolean };
  collectMetrics: CollectMetrics;
}

/** @returns the metrics of this process and its worker: docs/metrics.md */
async function writeMetrics(
  worker: ReportingWorker | undefined,
  inbound: ReportingInbound | undefined,
): Promise<string> {
  const ofServer = async () => [
    ...(await collectServerMetrics()),
    ...((await inbound?.collectMetrics()) ?? []),
  ];
  if (worker === undefined) return await toText({ server: await ofServer() });
  const [report, ofWorker] = await Promise.all([worker.report(), worker.collectMetrics()]);
  const ofBoth = [
    gauge(
      'reachout_worker_working',
      '1 while the worker holds its lock and has looked for work within 30 s.',
      Number(isWorking(report)),
    ),
    counter('reachout_worker_restarts_total', 'How often the worker was started again.', report.restarts),
  ];
  return worker.isSupervised
    ? await toText({
        server: [...ofBoth, ...(await ofServer())],
        worker: ofWorker,
      })
    : await toText({ worker: [...ofBoth, ...ofWorker] });
}

const collectServerMetrics = async (): Promise<Metric[]> => [
  ...collectEventMetrics(),
  ...collectDropMetrics(),
  ...(await collectProcessMetrics()),
];
