import { toMetric, type Metric } from './support/metric.ts';
import { readNumber, say } from './support/options.ts';
import { measureSend, openSendBench } from './support/send-bench.ts';

export const metrics = ['send_memory'];

/** The most memory that the worker's process ever holds must not grow with the audience: ten times the contacts. */
export async function run(): Promise<Metric[]> {
  const few = readNumber('contacts', 20_000);
  const bench = await openSendBench();
  try {
    const small = await measureSend(bench, few);
    const large = await measureSend(bench, few * 10);
    say(
      `  ${small.peakMemoryMb.toFixed(0)} MB for ${few} contacts, ${large.peakMemoryMb.toFixed(0)} MB for ${few * 10}: ` +
        `${(large.peakMemoryMb - small.peakMemoryMb).toFixed(0)} MB more`,
    );
    return [toMetric('send_memory', large.peakMemoryMb, 'MB peak', small.peakMemoryMb)];
  } finally {
    await bench.close();
  }
}
