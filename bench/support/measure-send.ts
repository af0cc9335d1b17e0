import { setTimeout as delay } from 'node:timers/promises';
import { countAccounts, type Accounts } from '../../apps/server/src/testing/send-accounts.ts';
import { buildDueSend, type SendFixture } from '../../apps/server/src/testing/send-fixture.ts';
import type { SinkCount, SinkFaults } from './counting-sink.ts';
import { cpuSeconds, cpuSecondsOfTree, peakMemoryMb, runQueueSeconds } from './child-process.ts';
import { withWorker, type SendBench } from './send-bench.ts';
import { hasEnded, holdBack, makeDue, pauseSend, readWalBytes, tidy } from './send-tables.ts';
import { median, toMetric, readNumber, say, type Metric } from './benchmark.ts';

export interface SendOrder {
  contacts: number;
  /** Faults of the mail server for some recipients. */
  faults?: SinkFaults;
  /** Number of recipients that are never reached: the benchmark ends when all others are. */
  unreachable?: number;
}

export interface SendReport {
  /** Number of messages that arrived. */
  messages: number;
  /** From the first to the last message at the mail server. */
  seconds: number;
  /** CPU time of the worker process with all its threads, over the same time. */
  cpuSeconds: number;
  /** CPU time of all PostgreSQL processes, from when the send becomes due to its end, including the audience snapshot. */
  postgresCpuSeconds: number;
  /** Bytes of WAL over that time. */
  walBytes: number;
  peakMemoryMb: number;
  /** Share of the time that the worker's threads waited for a CPU. */
  queueShare: number;
}

/**
 * Measures a send that becomes due when the worker is running and idle.
 * @throws Error when the rows, the counters and the arrived messages differ by a single message
 */
export async function measureSend(bench: SendBench, order: SendOrder): Promise<SendReport> {
  const { owner, sink, snapshot } = bench;
  const fixture = await buildDueSend(owner, { contacts: order.contacts, snapshot });
  await holdBack(owner, fixture);
  await sink.reset(order.faults);
  await tidy(owner);
  return await withWorker(bench, async (pid) => {
    const called = await readDatabaseUsage(bench);
    await makeDue(owner, fixture);
    await sink.first();
    const started = readWorkerUsage(pid);
    const accounts = await waitForEnd(bench, fixture, order);
    const ended = readWorkerUsage(pid);
    const database = await readDatabaseUsage(bench);
    const count = await sink.count();
    assertCounts(order, count, accounts);
    const seconds = (count.lastAt - count.firstAt) / 1000;
    return {
      messages: count.messages,
      seconds,
      cpuSeconds: ended.cpu - started.cpu,
      postgresCpuSeconds: database.cpu - called.cpu,
      walBytes: database.walBytes - called.walBytes,
      peakMemoryMb: peakMemoryMb(pid),
      queueShare: (ended.queued - started.queued) / seconds,
    };
  });
}

export const rateOf = ({ messages, seconds }: SendReport): number => messages / seconds;

const readWorkerUsage = (pid: number) => ({ cpu: cpuSeconds(pid), queued: runQueueSeconds(pid) });

const readDatabaseUsage = async ({ owner, postgresPid }: SendBench) => ({
  walBytes: await readWalBytes(owner),
  cpu: cpuSecondsOfTree(postgresPid),
});

/** Polls rarely, so that the benchmark does not load the database that it measures. */
async function waitForEnd(
  { owner, sink }: SendBench,
  fixture: SendFixture,
  { contacts, unreachable = 0 }: SendOrder,
): Promise<Accounts> {
  const isOver = async () => {
    if (unreachable === 0) return await hasEnded(owner, fixture);
    if ((await sink.count()).messages < contacts - unreachable) return false;
    return (await countAccounts(owner, fixture.sendId)).rows.sent === contacts - unreachable;
  };
  await waitFor(`a send to ${contacts} contacts ends`, contacts, isOver);
  const accounts = await countAccounts(owner, fixture.sendId);
  // Its remaining messages must not become due during the next send.
  if (!accounts.hasEnded) await pauseSend(owner, fixture);
  return accounts;
}

/** @throws Error after a minute and 20 ms for each contact */
export async function waitFor(what: string, contacts: number, isSo: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + 60_000 + contacts * 20;
  while (!(await isSo())) {
    if (performance.now() > limit) throw new Error(`Waited in vain: ${what}`);
    await delay(100);
  }
}

function assertCounts({ contacts, unreachable = 0 }: SendOrder, sink: SinkCount, accounts: Accounts): void {
  const expected = contacts - unreachable;
  const seen = {
    counter: accounts.counters.sent,
    results: accounts.rows.sent,
    messages: sink.messages,
    recipients: sink.recipients ?? expected,
  };
  if (Object.values(seen).some((count) => count !== expected)) {
    throw new Error(`Of ${expected} messages: ${JSON.stringify(seen)}`);
  }
}

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
