import { measureSend } from './support/measure-send.ts';
import { toMetric, type Metric } from './support/metric.ts';
import { readNumber, say } from './support/options.ts';
import { withSendBench } from './support/send-bench.ts';

export const metrics = ['send_memory', 'send_memory_growth'];

const mostMb = 160;

/** The worker's peak memory must not grow with the audience: compares it with that of ten times the contacts. */
export const run = (): Promise<Metric[]> =>
  withSendBench(async (bench) => {
    const few = readNumber('contacts', 20_000);
    const small = await measureSend(bench, { contacts: few });
    const large = await measureSend(bench, { contacts: few * 10 });
    say(
      `  ${small.peakMemoryMb.toFixed(0)} MB for ${few} contacts, ${large.peakMemoryMb.toFixed(0)} MB for ${few * 10}`,
    );
    return [
      toMetric('send_memory', large.peakMemoryMb, 'MB peak', mostMb),
      toMetric('send_memory_growth', large.peakMemoryMb, 'MB peak', small.peakMemoryMb),
    ];
  });
