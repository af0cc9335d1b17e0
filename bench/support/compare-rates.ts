import { rateOf, type SendReport } from './measure-send.ts';
import { median, toMetric, type Metric } from './metric.ts';
import { readNumber, say } from './options.ts';

/** Compares the rates of a send with and without some load or fault: alternating, `--repeats` times, medians. */
export async function compareRates(
  bench: string,
  measure: { without: () => Promise<SendReport>; with: () => Promise<SendReport> },
): Promise<Metric> {
  const without: number[] = [];
  const beside: number[] = [];
  for (let repeat = 0; repeat < readNumber('repeats', 3); repeat += 1) {
    without.push(rateOf(await measure.without()));
    beside.push(rateOf(await measure.with()));
    say(`  ${beside.at(-1)!.toFixed(0)} messages/s, ${without.at(-1)!.toFixed(0)}/s without`);
  }
  return toMetric(bench, median(beside), 'messages/s', median(without));
}
