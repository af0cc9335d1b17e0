import { compareRates } from './support/compare-rates.ts';
import { measureSend } from './support/measure-send.ts';
import type { Metric } from './support/metric.ts';
import { readNumber, say } from './support/options.ts';
import { withSendBench } from './support/send-bench.ts';

export const metrics = ['send_cut_lines'];

/** 2 %. */
const every = 50;

/** The mail server closes the connection after the text of one message in 50, and nobody resumes the send. */
export const run = (): Promise<Metric[]> =>
  withSendBench(async (bench) => {
    const contacts = readNumber('contacts', 20_000);
    const unreachable = Math.floor(contacts / every);
    say(`${contacts} contacts, the connection is cut at ${unreachable} of them`);
    return [
      await compareRates('send_cut_lines', {
        without: () => measureSend(bench, { contacts }),
        with: () => measureSend(bench, { contacts, faults: { cutEvery: every }, unreachable }),
      }),
    ];
  });
