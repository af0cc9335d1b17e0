import { measureSend, type SendReport } from './support/measure-send.ts';
import { median, toMetric, type Metric } from './support/metric.ts';
import { readNumber, say } from './support/options.ts';
import { withSendBench } from './support/send-bench.ts';

export const metrics = ['send_db', 'send_db_wal'];

const mostMicroseconds = 50;
const mostWalBytes = 650;

/**
 * The cost of a message for PostgreSQL: CPU time of all its processes and bytes of WAL, from when the send becomes due to
 * its end, including the audience snapshot.
 */
export const run = (): Promise<Metric[]> =>
  withSendBench(async (bench) => {
    const contacts = readNumber('contacts', 20_000);
    const reports: SendReport[] = [];
    for (let repeat = 0; repeat < readNumber('repeats', 3); repeat += 1) {
      const report = await measureSend(bench, { contacts });
      say(`  ${cpuOf(report).toFixed(1)} us and ${walOf(report).toFixed(0)} bytes of WAL a message`);
      reports.push(report);
    }
    return [
      toMetric('send_db', median(reports.map(cpuOf)), 'us of CPU per message', mostMicroseconds),
      toMetric('send_db_wal', median(reports.map(walOf)), 'bytes per message', mostWalBytes),
    ];
  });

const cpuOf = ({ postgresCpuSeconds, messages }: SendReport) => (postgresCpuSeconds * 1e6) / messages;
const walOf = ({ walBytes, messages }: SendReport) => walBytes / messages;
