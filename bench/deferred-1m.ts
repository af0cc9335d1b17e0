import { connectPipelined } from '../apps/server/src/platform/database/pipelined.ts';
import { leaseQueued } from '../apps/server/src/queue/lease-queued.queries.ts';
import { median, toMetric, readNumber, say, type Metric } from './support/benchmark.ts';
import { withSendBench } from './support/send-bench.ts';
import { buildDeferredSend, tidy } from './support/send-tables.ts';

export const metrics = ['deferred_1m'];

const mostMs = 10;
const due = 10;
const workerId = 1;

/** Leases the few due messages of a send with `--rows` deferred ones (the target is 1,000,000). */
export const run = (): Promise<Metric[]> =>
  withSendBench(async (bench) => {
    const rows = readNumber('rows', 100_000);
    const send = await buildDeferredSend(bench, { rows, due });
    await tidy(bench.owner);
    const pool = { name: 'bench deliveries', connections: 1, onError: () => undefined };
    const pipelined = connectPipelined(bench.appUrl, pool);
    const times: number[] = [];
    for (let repeat = 0; repeat < readNumber('repeats', 21); repeat += 1) {
      const start = performance.now();
      // As after a lost response: messages leased before can be leased again.
      const { recipients } = await leaseQueued(pipelined, send, {
        workerId,
        wanted: [{ lane: 'other', limit: due }],
        limit: due,
        heldSeqs: [],
      });
      times.push(performance.now() - start);
      if (recipients.length !== due) throw new Error(`${recipients.length} of ${due} were leased.`);
    }
    await pipelined.destroy();
    say(`  ${times.map((time) => time.toFixed(1)).join(', ')} ms`);
    return [toMetric('deferred_1m', median(times), 'ms', mostMs)];
  });
