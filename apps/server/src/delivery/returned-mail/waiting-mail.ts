import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { gauge, type Metric } from '../../platform/metrics/metric.ts';
import { countReturnedMail } from './returned-mail.queries.ts';

/** docs/metrics.md. @returns nothing while the database is not available */
export async function collectWaitingMail(db: PipelinedDatabase): Promise<Metric[]> {
  const waiting = await countReturnedMail(db).catch(() => undefined);
  return waiting === undefined
    ? []
    : [
        gauge(
          'reachout_returned_mail_waiting',
          'Returned messages that are not read yet.',
          waiting.mail + waiting.events,
        ),
      ];
}
