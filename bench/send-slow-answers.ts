import { measureSend, rateOf } from './support/measure-send.ts';
import { toMetric, type Metric } from './support/metric.ts';
import { readNumber, say } from './support/options.ts';
import { withSendBench } from './support/send-bench.ts';
import { connections } from './support/send-worker.ts';

export const metrics = ['send_slow_answers'];

/** 0.5 %. */
const every = 200;

/**
 * The mail server confirms every 200th message only after `--wait` seconds (the target is 15). The ceiling is the rate of
 * a send without delays, reduced by the time that the connections wait.
 */
export const run = (): Promise<Metric[]> =>
  withSendBench(async (bench) => {
    const contacts = readNumber('contacts', 20_000);
    const slowMs = readNumber('wait', 1) * 1_000;
    const rate = rateOf(await measureSend(bench, { contacts }));
    const report = await measureSend(bench, { contacts, faults: { slowEvery: every, slowMs } });
    const waited = (Math.floor(contacts / every) * slowMs) / 1_000 / connections;
    const possible = contacts / (contacts / rate + waited);
    say(
      `  ${rateOf(report).toFixed(0)} messages/s, ${possible.toFixed(0)}/s possible, ${rate.toFixed(0)}/s without`,
    );
    return [toMetric('send_slow_answers', rateOf(report), 'messages/s', possible)];
  });
