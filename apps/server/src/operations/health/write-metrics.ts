import { collectEventMetrics } from '../../events/event-backlog.ts';
import { collectDropMetrics } from '../../events/website-drops.ts';
import { counter, gauge, type CollectMetrics, type Metric } from '../../platform/metrics/metric.ts';
import { collectProcessMetrics } from '../../platform/metrics/process-metrics.ts';
import { toText } from '../../platform/metrics/to-text.ts';
import { isWorking, type WorkerReport } from '../../platform/worker-health.ts';

export interface ReportingWorker {
  report: () => Promise<WorkerReport>;
  collectMetrics: CollectMetrics;
  /** Whether the worker is a separate process that this one supervises. */
  isSupervised: boolean;
}

/** @returns the metrics of this process and its worker: docs/metrics.md */
export async function writeMetrics(worker: ReportingWorker | undefined): Promise<string> {
  if (worker === undefined) return await toText({ server: await collectServerMetrics() });
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
        server: [...ofBoth, ...(await collectServerMetrics())],
        worker: ofWorker,
      })
    : await toText({ worker: [...ofBoth, ...ofWorker] });
}

const collectServerMetrics = async (): Promise<Metric[]> => [
  ...collectEventMetrics(),
  ...collectDropMetrics(),
  ...(await collectProcessMetrics()),
];
