import { sql } from 'kysely';
import type { domains } from '@reachout/contract/domains.ts';
import type { InputOf } from '@reachout/contract/operation.ts';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import { domainCheckKinds } from '@reachout/contract/states/domain.ts';
import {
  onlyValueOf,
  hasRows,
  rowsOf,
  type Database,
  type NewRow,
  type Row,
  type Transaction,
} from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { countRows, onPage } from '../../platform/database/list-page.ts';
import { notFound } from '../../platform/http/api-error.ts';

/** A domain without its owner's names and its checks. */
export type DomainRow = Row<'current_sending_domains', (typeof columns)[number]>;

const columns = [
  'id',
  'organization_id',
  'client_id',
  'brand_id',
  'domain',
  'status',
  'destination',
  'created_at',
  'updated_at',
] as const;

export async function listDomains(
  trx: Transaction,
  { client_id, brand_id, ...page }: InputOf<typeof domains.list>,
): Promise<{ items: DomainRow[]; count: number }> {
  const matching = selectDomainsOf(trx, client_id).$if(brand_id !== undefined, (query) =>
    query.where(
      sql<boolean>`is_usable_for(client_id, brand_id, (select b.client_id from current_brands b where b.id = ${brand_id}), ${brand_id}::uuid)`,
    ),
  );
  const items = await matching.select(columns).$call(onPage(page)).execute();
  return { items, count: await countRows(matching) };
}

/** @param clientId  limits them to those that this client can use */
const selectDomainsOf = (trx: Transaction, clientId: string | undefined) =>
  trx
    .selectFrom('current_sending_domains')
    .$if(clientId !== undefined, (query) =>
      query.where(sql<boolean>`(client_id is null or client_id = ${clientId}::uuid)`),
    );

/** Failing domains, then those that are pending for more than a day. `since`: when it failed, or was added. */
export async function listTroubledDomains(trx: Transaction, clientId: string | undefined, limit: number) {
  const matching = selectDomainsOf(trx, clientId).where(
    sql<boolean>`(status = 'failing' or (status = 'pending' and created_at < now() - interval '1 day'))`,
  );
  const rows = await matching
    .select(['id', 'domain', 'status'])
    .select(
      sql<string>`case status when 'pending' then created_at else coalesce((
        select min(c.failing_since) from sending_domain_checks c
        where c.organization_id = current_sending_domains.organization_id and c.domain_id = current_sending_domains.id
          and c.kind <> 'tracking'), updated_at) end`.as('since'),
    )
    .orderBy('status')
    .orderBy('domain')
    .limit(limit)
    .execute();
  return { rows, count: await countRows(matching) };
}

export const hasVerifiedDomain = async (trx: Transaction, clientId: string | undefined): Promise<boolean> =>
  (await selectDomainsOf(trx, clientId)
    .select('id')
    .where('status', '=', 'verified')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Whether the organization sends by a transport of its own, whose server decides about senders. */
export const hasOwnTransport = (trx: Transaction) => hasRows(trx)`
  select where chosen_transport(current_organization_id(), null) is not null
`;

const selectDomain = (trx: Transaction, id: string) =>
  trx.selectFrom('current_sending_domains').select(columns).where('id', '=', id);

/** @throws 404 */
export const getDomain = (trx: Transaction, id: string): Promise<DomainRow> =>
  selectDomain(trx, id).$call(prepared).executeTakeFirstOrThrow(notFound);

/** Locks the domain until the transaction ends. @throws 404 */
export const lockDomain = (trx: Transaction, id: string): Promise<DomainRow> =>
  trx
    .selectFrom('sending_domains')
    .select(columns)
    .where('id', 'in', (of) => of.selectFrom('current_sending_domains').select('id').where('id', '=', id))
    .forUpdate()
    .$call(prepared)
    .executeTakeFirstOrThrow(notFound);

/** Another organization has verified it. Until the transaction ends, no other one can verify it. */
export const isDomainTaken = (trx: Transaction, domain: string) =>
  onlyValueOf<boolean>(trx)`select is_domain_taken(${domain}) as is_taken`;

export const countDomains = (trx: Transaction) =>
  onlyValueOf<number>(trx)`select count_sending_domains() as count`;

/** Whether who acts may see the records of all clients. */
export const hasFullAccessScope = (trx: Transaction) =>
  onlyValueOf<boolean>(trx)`select has_full_access_scope() as has`;

/** Adds the domain with its checks, none of which has run. @returns false if the organization has it already */
export async function insertDomain(trx: Transaction, row: NewRow<'sending_domains'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('sending_domains')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  const { organization_id, id: domain_id } = row;
  await trx
    .insertInto('sending_domain_checks')
    .values(domainCheckKinds.map((kind) => ({ organization_id, domain_id, kind })))
    .execute();
  return true;
}

export async function updateDomain(
  trx: Transaction,
  id: string,
  changes: Partial<Owner & { destination: string | null; status: DomainRow['status'] }>,
): Promise<void> {
  await trx
    .updateTable('sending_domains')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

export async function deleteDomain(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('sending_domains').where('id', '=', id).execute();
}

/**
 * Domains of all organizations whose host of links was seen to lead here; verified ones first, at most `limit`.
 * @param target  the host of PUBLIC_URL
 */
export const listTrackingHosts = (db: Database, target: string, limit: number) => rowsOf<{
  domain: string;
  destination: string | null;
}>(db)`
  select domain, destination from tracking_hosts(${target}, ${limit})
`;
