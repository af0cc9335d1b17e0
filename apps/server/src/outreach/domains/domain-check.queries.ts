import { sql, type RawBuilder } from 'kysely';
import type { DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import type { DomainCheckKind } from '@reachout/contract/states/domain.ts';
import {
  firstValueOf,
  rowsOf,
  type Database,
  type RowOf,
  type Transaction,
} from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';

export type CheckRow = RowOf<typeof listChecks>[number];

export const listChecks = (trx: Transaction, domainIds: readonly string[]) =>
  trx
    .selectFrom('sending_domain_checks')
    .select([
      'domain_id',
      'kind',
      'state',
      'verdict',
      'found',
      'wanted',
      'advice',
      'checked_at',
      'passed_at',
      'failing_since',
      'fails_count',
    ])
    .where('domain_id', 'in', [...domainIds, newId()])
    .execute();

/**
 * Marks a check as started, unless it was within these milliseconds.
 * @returns what `storeCheck` needs to store the result; undefined if it was
 */
export const startCheck = (
  trx: Transaction,
  { domainId, kind, intervalMs }: { domainId: string; kind: DomainCheckKind; intervalMs: number },
) => firstValueOf<string>(trx)`
  update sending_domain_checks set started_at = clock_timestamp()
  where domain_id = ${domainId} and kind = ${kind}
    and coalesce(started_at < clock_timestamp() - ${intervalMs} * interval '1 millisecond', true)
  returning started_at::text as started
`;

/**
 * Stores the result of a check, unless a later one has started. A temporary error leaves state and failures as they are.
 * @param started  of `startCheck`
 */
export async function storeCheck(
  trx: Transaction,
  { domainId, kind, started }: { domainId: string; kind: DomainCheckKind; started: string },
  { verdict, found, wanted, advice }: DomainCheckResult,
): Promise<boolean> {
  const isOpen = verdict === 'temporary_error';
  const { numAffectedRows } = await sql`
    update sending_domain_checks set
      verdict = ${verdict},
      found = ${JSON.stringify(found)}::jsonb,
      wanted = ${JSON.stringify(wanted)}::jsonb,
      advice = ${JSON.stringify(advice)}::jsonb,
      checked_at = now(),
      answered_at = ${isOpen ? sql`answered_at` : sql`now()`},
      state = ${isOpen ? sql`state` : verdict},
      passed_at = ${verdict === 'pass' ? sql`started_at` : sql`passed_at`},
      failing_since = ${isOpen ? sql`failing_since` : verdict === 'fail' ? sql`coalesce(failing_since, now())` : null},
      fails_count = ${isOpen ? sql`fails_count` : verdict === 'fail' ? sql`fails_count + 1` : 0}
    where domain_id = ${domainId} and kind = ${kind} and started_at = ${started}::timestamptz
  `.execute(trx);
  return numAffectedRows === 1n;
}

/** The check of DKIM, as the start of a send reads it. */
export type StartCheck = RowOf<typeof getStartCheck>;

/** @returns undefined if there is no such domain */
export async function getStartCheck(trx: Transaction, domainId: string) {
  const since = (time: RawBuilder<unknown>) =>
    sql<number>`coalesce(extract(epoch from now() - ${time}) * 1000, 'infinity')::float8`;
  return await trx
    .selectFrom('sending_domain_checks')
    .select(['state', 'verdict', 'found'])
    .select([
      // Since its latest result; infinite without one.
      since(sql.ref('checked_at')).as('checked_ms'),
      // Since its latest certain answer of the DNS; infinite without one.
      since(sql.ref('answered_at')).as('answered_ms'),
      // Whether it has started since.
      sql<boolean>`coalesce(started_at > coalesce(checked_at, '-infinity'), false)`.as('is_running'),
    ])
    .where('domain_id', '=', domainId)
    .where('kind', '=', 'dkim')
    .executeTakeFirst();
}

/** Domains of all organizations whose next check is due. */
export const listDueDomains = (db: Database, limit: number) => rowsOf<{
  organization_id: string;
  id: string;
}>(db)`
  select organization_id, id from due_sending_domains(${limit})
`;

/**
 * A domain of a deleted organization, client or brand is not checked, and loses its status, so that another organization can verify
 * the name. @returns whether it is in use
 */
export async function releaseUnused(trx: Transaction, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_used: boolean }>`select is_domain_used(${id}) as is_used`.execute(trx);
  if (rows[0]!.is_used) return true;
  await sql`
    update sending_domains set status = 'pending', updated_at = now() where id = ${id} and status <> 'pending'
  `.execute(trx);
  return false;
}

/**
 * Plans the next check of a due domain: every 5 minutes in its first hour, every hour in its first three days, and while a
 * check of a verified one fails; then every day.
 * @returns false if it is no longer due
 */
export async function planNextCheck(trx: Transaction, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update sending_domains d set next_check_at = now() + case
      when now() < d.created_at + interval '1 hour' then interval '5 minutes'
      when now() < d.created_at + interval '3 days' then interval '1 hour'
      when d.status = 'verified' and exists (
        select from sending_domain_checks c
        where c.organization_id = d.organization_id and c.domain_id = d.id and c.fails_count > 0 and c.kind <> 'tracking')
        then interval '1 hour'
      else interval '1 day'
    end
    where d.id = ${id} and d.next_check_at <= now()
  `.execute(trx);
  return numAffectedRows === 1n;
}
