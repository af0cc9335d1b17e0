import { compareRates } from './support/compare-rates.ts';
import { measureSend } from './support/measure-send.ts';
import type { Metric } from './support/metric.ts';
import { readNumber, say } from './support/options.ts';
import { withSendBench } from './support/send-bench.ts';
import { buildWaitingSends, setWaitingSends } from './support/send-tables.ts';

export const metrics = ['send_tail'];

/** A send during `--sends` open ones that are idle, because their deferred messages are not due. */
export const run = (): Promise<Metric[]> =>
  withSendBench(async (bench) => {
    const contacts = readNumber('contacts', 20_000);
    const sends = readNumber('sends', 2_000);
    say(`${contacts} contacts beside ${sends} open sends`);
    await buildWaitingSends(bench, sends);
    const measure = async (status: 'sending' | 'paused') => {
      await setWaitingSends(bench.owner, status);
      return await measureSend(bench, { contacts });
    };
    return [
      await compareRates('send_tail', {
        without: () => measure('paused'),
        with: () => measure('sending'),
      }),
    ];
  });
