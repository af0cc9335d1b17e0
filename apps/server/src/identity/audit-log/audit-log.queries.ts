import { sql } from 'kysely';
import type { AuditEntry, AuditFilter } from '@reachout/contract/audit-log.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { containsPattern, countRows, type Paging } from '../../platform/database/list-page.ts';

/** Position of an entry in the log, with the microseconds that `at` lacks. */
export interface AuditCursor {
  exact_at: string;
  id: string;
}

/** Prefix pattern for `like`; `%` and `_` match literally. */
const beginsWith = (text: string): string => containsPattern(text).slice(1);

const selectMatching = (trx: Transaction, filter: AuditFilter) => {
  const { search, user_id, action, record_id, from, to } = filter;
  return trx
    .selectFrom('audit_log as a')
    .$if(user_id !== undefined, (query) => query.where('a.user_id', '=', user_id!))
    .$if(action !== undefined, (query) => query.where('a.action', 'like', beginsWith(action!)))
    .$if(record_id !== undefined, (query) => query.where('a.record_id', '=', record_id!))
    .$if(from !== undefined, (query) => query.where('a.at', '>=', from!))
    .$if(to !== undefined, (query) => query.where('a.at', '<=', to!))
    .$if(search !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('a.record_name', 'ilike', containsPattern(search!)),
          eb('a.action', 'ilike', containsPattern(search!)),
        ]),
      ),
    );
};

const selectEntries = (trx: Transaction, filter: AuditFilter) =>
  selectMatching(trx, filter)
    .leftJoin('users as u', 'u.id', 'a.user_id')
    .leftJoin('api_keys as k', (join) =>
      join.onRef('k.organization_id', '=', 'a.organization_id').onRef('k.id', '=', 'a.api_key_id'),
    )
    .select([
      'a.id',
      'a.at',
      sql<AuditEntry['user']>`case when u.id is not null
        then jsonb_build_object('id', u.id, 'full_name', u.full_name, 'email', u.email) end`.as('user'),
      sql<AuditEntry['api_key']>`case when k.id is not null
        then jsonb_build_object('id', k.id, 'name', k.name) end`.as('api_key'),
      'a.action',
      'a.record_type',
      'a.record_id',
      'a.record_name',
      sql<AuditEntry['details']>`a.details`.as('details'),
      'a.ip_address',
      'a.user_agent',
    ])
    .orderBy('a.at', 'desc')
    .orderBy('a.id', 'desc');

/** The latest first. */
export async function listAuditEntries(
  trx: Transaction,
  { page, page_size, ...filter }: Paging & AuditFilter,
): Promise<{ items: AuditEntry[]; count: number }> {
  const items = await selectEntries(trx, filter)
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  return { items, count: await countRows(selectMatching(trx, filter)) };
}

/** Lists entries before `before`, latest first: concurrent writes cause neither duplicates nor gaps. */
export const listAuditEntriesBefore = (
  trx: Transaction,
  filter: AuditFilter,
  { before, limit }: { before: AuditCursor | undefined; limit: number },
): Promise<(AuditEntry & AuditCursor)[]> =>
  selectEntries(trx, filter)
    .select(sql<string>`a.at::text`.as('exact_at'))
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(a.at, a.id) < (${before?.exact_at}::timestamptz, ${before?.id}::uuid)`),
    )
    .limit(limit)
    .execute();
