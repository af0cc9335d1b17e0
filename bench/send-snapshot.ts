import { sql } from 'kysely';
import { measureSend, rateOf } from './support/measure-send.ts';
import { toMetric, type Metric } from './support/metric.ts';
import { readNumber, say } from './support/options.ts';
import { withSendBench } from './support/send-bench.ts';

export const metrics = ['send_snapshot'];

/**
 * A send while another session holds a snapshot, as a backup or a report does: vacuum cannot remove replaced rows
 * meanwhile. It has enough contacts to run for `--hold` seconds (the target is 600).
 */
export const run = (): Promise<Metric[]> =>
  withSendBench(async (bench) => {
    const rate = rateOf(await measureSend(bench, { contacts: readNumber('contacts', 20_000) }));
    const contacts = Math.ceil(rate * readNumber('hold', 5));
    say(`  ${rate.toFixed(0)} messages/s without; ${contacts} contacts beside a snapshot`);
    const held = await bench.owner
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
        const speak = async () => await sql`select from organizations limit 1`.execute(trx);
        await speak();
        // A busy connection that is silent for too long is considered lost.
        const speaking = setInterval(() => void speak(), 60_000);
        return await measureSend(bench, { contacts }).finally(() => clearInterval(speaking));
      });
    return [toMetric('send_snapshot', rateOf(held), 'messages/s', rate)];
  });
