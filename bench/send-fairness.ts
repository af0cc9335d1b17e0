import { secretPlace } from '../apps/server/src/outreach/transports/transports.ts';
import { newId } from '../apps/server/src/platform/ids.ts';
import { createSecrets } from '../apps/server/src/platform/secrets.ts';
import { insertRows } from '../apps/server/src/sample/rows.ts';
import { findFreePort } from '../apps/server/src/testing/find-free-port.ts';
import { startAmazonSes } from '../apps/server/src/testing/provider-servers.ts';
import { countAccounts } from '../apps/server/src/testing/send-accounts.ts';
import { buildDueSend, type SendFixture } from '../apps/server/src/testing/send-fixture.ts';
import { waitFor } from './support/measure-send.ts';
import {
  median,
  secretKey,
  toMetric,
  readNumber,
  say,
  type Bench,
  type Metric,
} from './support/benchmark.ts';
import { withSendBench, withWorker, type SendBench } from './support/send-bench.ts';
import { hasEnded, holdBack, makeDue, readDuration, setWaitingSends, tidy } from './support/send-tables.ts';

const few = 100;

/**
 * Sends to 100 recipients during one to `--contacts` (the target is 1,000,000), `--repeats` times, compared with their
 * time alone. Times are medians, measured from when a send becomes due to its end.
 */
const besideLarge = (): Promise<Metric[]> =>
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
async function measureAll(bench: SendBench, sends: SendFixture[], contacts = few): Promise<number> {
  const durations: number[] = [];
  for (const fixture of sends) {
    await makeDue(bench.owner, fixture);
    await waitFor('a send ends', contacts, () => hasEnded(bench.owner, fixture));
    const seconds = await readDuration(bench.owner, fixture);
    if (contacts > few) say(`  ${contacts} recipients in ${seconds.toFixed(2)} s`);
    durations.push(seconds);
    await assertSent(bench, fixture, contacts);
  }
  return median(durations);
}

/** A provider answers after this time. */
const slowMs = 10_000;

/**
 * The rate of sends to `--contacts` by the mail server of the installation, beside `--sends` organizations whose provider answers in
 * 10 s, and as many whose own mail server is away, compared with the rate alone. Medians of `--repeats`, in turns; the first one beside
 * the others begins with them, while nobody knows yet how slow they are.
 */
const besideTransports = (): Promise<Metric[]> =>
  withSendBench(async (bench) => {
    const contacts = readNumber('contacts', 20_000);
    const repeats = readNumber('repeats', 3);
    const organizations = readNumber('sends', 1);
    const provider = await startAmazonSes();
    provider.script = Array.from({ length: 100_000 }, () => ({ slowMs }));
    provider.account.SendQuota = {};
    const build = async (count: number) => {
      const fixture = await buildDueSend(bench.owner, { contacts: count, snapshot: bench.snapshot });
      await holdBack(bench.owner, fixture);
      return fixture;
    };
    const hindered: SendFixture[] = [];
    for (let number = 0; number < organizations; number += 1)
      for (const kind of ['ses', 'smtp'] as const) {
        const fixture = await build(2_000);
        await addTransport(bench, fixture, kind);
        hindered.push(fixture);
      }
    const measured: SendFixture[] = [];
    for (let number = 0; number < repeats * 2; number += 1) measured.push(await build(contacts));
    await tidy(bench.owner);
    try {
      return await withWorker({ ...bench, endpoints: provider.endpoints }, async () => {
        const [alone, beside]: [number[], number[]] = [[], []];
        // In turns: a shared machine is not equally fast all the time.
        for (const [index, fixture] of measured.entries()) {
          const isBeside = index % 2 === 1;
          await setWaitingSends(bench.owner, isBeside ? 'sending' : 'paused');
          if (isBeside) {
            for (const each of hindered) await makeDue(bench.owner, each);
            await waitFor('the provider has messages', 0, () => Promise.resolve(provider.open > 0));
          }
          const seconds = await measureAll(bench, [fixture], contacts);
          (isBeside ? beside : alone).push(contacts / seconds);
        }
        say(`  ${provider.open} open at the provider`);
        return [toMetric('send_fairness_transports', median(beside), 'messages/s', median(alone))];
      });
    } finally {
      provider.close();
    }
  });

async function addTransport(
  { owner }: SendBench,
  { organizationId: organization_id }: SendFixture,
  kind: 'ses' | 'smtp',
): Promise<void> {
  const id = newId();
  const secret = createSecrets(secretKey).seal(secretPlace('secret', organization_id, id), 'secret');
  const settings =
    kind === 'ses'
      ? { kind, region: 'eu-west-1', access_key_id: 'AKIAEXAMPLE12345' }
      : {
          kind,
          host: '127.0.0.1',
          port: await findFreePort(),
          security: 'starttls',
          username: null,
          envelope: 'ours',
        };
  await insertRows(owner, 'transports', {
    organization_id,
    id,
    name: kind,
    settings: JSON.stringify({ configuration_set: null, topic_arn: null, tenant_name: null, ...settings }),
    secret,
  });
  await insertRows(owner, 'transport_choices', { organization_id, transport_id: id });
}

export const benches: Bench[] = [
  { metrics: ['send_fairness'], run: besideLarge },
  { metrics: ['send_fairness_transports'], run: besideTransports },
];

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
