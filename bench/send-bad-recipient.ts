import { compareRates } from './support/compare-rates.ts';
import { measureSend } from './support/measure-send.ts';
import type { Metric } from './support/metric.ts';
import { readNumber, say } from './support/options.ts';
import { withSendBench } from './support/send-bench.ts';

export const metrics = ['send_bad_recipient'];

const every = 1_000;

/** The mail server drops the connection for one in 1,000 recipients, at RCPT or at DATA. */
export const run = (): Promise<Metric[]> =>
  withSendBench(async (bench) => {
    const contacts = readNumber('contacts', 20_000);
    const unreachable = Math.floor(contacts / every);
    say(`${contacts} contacts, ${unreachable} of them bad`);
    return [
      await compareRates('send_bad_recipient', {
        without: () => measureSend(bench, { contacts }),
        with: () => measureSend(bench, { contacts, faults: { dropEvery: every }, unreachable }),
      }),
    ];
  });
