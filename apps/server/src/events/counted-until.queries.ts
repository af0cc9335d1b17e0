import { sql } from 'kysely';
import type { CountedUntil } from '@reachout/contract/statistics.ts';
import type { Transaction } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';
import { behindSeconds, type Subject } from './event-backlog.ts';

/** Until when events of an organization are counted. To be read before their counts, which may be later, but not earlier. */
export async function readCountedUntil(
  trx: Transaction,
  organizationId: string,
  subject: Subject,
): Promise<CountedUntil> {
  const { rows } = await prepared(sql<CountedUntil>`
    select at, at < now() - make_interval(secs => ${behindSeconds}) as is_behind
    from counted_until(${organizationId}, ${subject}) at
  `).execute(trx);
  return rows[0]!;
}
