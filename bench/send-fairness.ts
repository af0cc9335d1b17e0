import { countAccounts } from '../apps/server/src/testing/send-accounts.ts';
import { buildDueSend, type SendFixture } from '../apps/server/src/testing/send-fixture.ts';
import { waitFor } from './support/measure-send.ts';
import { median, toMetric, readNumber, say, type Metric } from './support/benchmark.ts';
import { withSendBench, withWorker, type SendBench } from './support/send-bench.ts';
import { hasEnded, holdBack, makeDue, readDuration, tidy } from './support/send-tables.ts';

export const metrics = ['send_fairness'];

const few = 100;

/**
 * Sends to 100 recipients during one to `--contacts` (the target is 1,000,000), `--repeats` times, compared with their
 * time alone. Times are medians, measured from when a send becomes due to its end.
 */
export const run = (): Promise<Metric[]> =>
  withSendBench(async (bench) => {
    const contacts = readNumber('contacts', 50_000);
    const repeats = readNumber('repeats', 5);
    const build = async (count: number) => {
      const fixture = await buildDueSend(bench.owner, { contacts: count, snapshot: bench.snapshot });
      await holdBack(bench.owner, fixture);
      return fixture;
    };
    const large = await build(contacts);
    const small: SendFixture[] = [];
    for (let number = 0; number < repeats * 2; number += 1) small.push(await build(few));
    await bench.sink.reset();
    await tidy(bench.owner);
    return await withWorker(bench, async () => {
      const alone = await measureAll(bench, small.slice(0, repeats));
      await makeDue(bench.owner, large);
      await waitFor('the large send begins', contacts, async () => {
        const { messages } = await bench.sink.count();
        return messages > repeats * few;
      });
      const beside = await measureAll(bench, small.slice(repeats));
      if (await hasEnded(bench.owner, large))
        throw new Error('The large send was over too early: it needs more --contacts.');
      await waitFor('the large send ends', contacts, () => hasEnded(bench.owner, large));
      await assertSent(bench, large, contacts, contacts + repeats * 2 * few);
      say(`  ${few} recipients: ${beside.toFixed(2)} s beside ${contacts}, ${alone.toFixed(2)} s alone`);
      return [toMetric('send_fairness', beside, 's', alone)];
    });
  });

/** Runs the sends one at a time. @returns the median duration in seconds */
async function measureAll(bench: SendBench, sends: SendFixture[]): Promise<number> {
  const durations: number[] = [];
  for (const fixture of sends) {
    await makeDue(bench.owner, fixture);
    await waitFor('a small send ends', few, () => hasEnded(bench.owner, fixture));
    durations.push(await readDuration(bench.owner, fixture));
    await assertSent(bench, fixture, few);
  }
  return median(durations);
}

async function assertSent(
  { owner, sink }: SendBench,
  { sendId }: SendFixture,
  contacts: number,
  arrived?: number,
): Promise<void> {
  const { counters, rows } = await countAccounts(owner, sendId);
  const { messages } = await sink.count();
  if (counters.sent !== contacts || rows.sent !== contacts || messages !== (arrived ?? messages))
    throw new Error(`Of ${contacts} messages: ${JSON.stringify({ counters, rows, messages })}`);
}
