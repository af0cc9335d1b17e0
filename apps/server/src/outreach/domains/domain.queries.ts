import { sql, type RawBuilder } from 'kysely';
import type { DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import type { CampaignDomain, Domain, DomainCheck, LinkedDomain } from '@reachout/contract/domains.ts';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import {
  domainCheckKinds,
  type DomainCheckKind,
  type DomainStatus,
} from '@reachout/contract/states/domain.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { countRows, onPage, type Paging } from '../../platform/database/list-page.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import type { CheckState } from './domain-status.ts';

/** A domain without its owner's names and its checks. */
export type DomainRow = Omit<Domain, 'client' | 'brand' | 'states'>;

export interface DkimKey {
  selector: string;
  public_key: string;
  is_signing: boolean;
  signed_until: string | null;
  created_at: string;
}

export type CheckRow = DomainCheck & CheckState & { domain_id: string };

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

interface DomainList extends Paging {
  client_id?: string | undefined;
  brand_id?: string | undefined;
  order: `${'domain' | 'created_at'}.${'asc' | 'desc'}`;
}

export async function listDomains(
  trx: Transaction,
  { client_id, brand_id, ...page }: DomainList,
): Promise<{ items: DomainRow[]; count: number }> {
  const matching = selectDomainsOf(trx, client_id).$if(brand_id !== undefined, (query) =>
    query.where(
      sql<boolean>`is_usable_for(client_id, brand_id, (select b.client_id from current_brands b where b.id = ${brand_id}), ${brand_id}::uuid)`,
    ),
  );
  const items = await matching.select(columns).$call(onPage(page)).$castTo<DomainRow>().execute();
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
export async function listTroubledDomains(
  trx: Transaction,
  clientId: string | undefined,
  limit: number,
): Promise<{ rows: { id: string; domain: string; status: DomainStatus; since: string }[]; count: number }> {
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
    .$castTo<{ id: string; domain: string; status: DomainStatus; since: string }>()
    .execute();
  return { rows, count: await countRows(matching) };
}

export const hasVerifiedDomain = async (trx: Transaction, clientId: string | undefined): Promise<boolean> =>
  (await selectDomainsOf(trx, clientId)
    .select('id')
    .where('status', '=', 'verified')
    .limit(1)
    .executeTakeFirst()) !== undefined;

const selectDomain = (trx: Transaction, id: string) =>
  trx.selectFrom('current_sending_domains').select(columns).where('id', '=', id).$castTo<DomainRow>();

/** @throws 404 */
export const getDomain = (trx: Transaction, id: string): Promise<DomainRow> =>
  selectDomain(trx, id).executeTakeFirstOrThrow(notFound);

/** Locks the domain until the transaction ends. @throws 404 */
export const lockDomain = (trx: Transaction, id: string): Promise<DomainRow> =>
  trx
    .selectFrom('sending_domains')
    .select(columns)
    .where('id', 'in', (of) => of.selectFrom('current_sending_domains').select('id').where('id', '=', id))
    .forUpdate()
    .$castTo<DomainRow>()
    .executeTakeFirstOrThrow(notFound);

/** Another organization has verified it. Until the transaction ends, no other one can verify it. */
export async function isDomainTaken(trx: Transaction, domain: string): Promise<boolean> {
  const { rows } = await sql<{ is_taken: boolean }>`select is_domain_taken(${domain}) as is_taken`.execute(
    trx,
  );
  return rows[0]!.is_taken;
}

export async function countDomains(trx: Transaction): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count_sending_domains() as count`.execute(trx);
  return rows[0]!.count;
}

interface NewDomain extends Owner {
  organization_id: string;
  id: string;
  domain: string;
  destination: string | null;
  /** Of past domains; new ones are pending, and checked at once. */
  status?: DomainStatus;
  created_at?: string;
  next_check_at?: string;
}

/** Whether who acts may see the records of all clients. */
export async function hasFullAccessScope(trx: Transaction): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select has_full_access_scope() as has`.execute(trx);
  return rows[0]!.has;
}

/** Adds the domain with its checks, none of which has run. @returns false if the organization has it already */
export async function insertDomain(trx: Transaction, row: NewDomain): Promise<boolean> {
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
  changes: Partial<Owner & { destination: string | null; status: DomainStatus }>,
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

export const listChecks = (trx: Transaction, domainIds: readonly string[]): Promise<CheckRow[]> =>
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
    .$castTo<CheckRow>()
    .execute();

/**
 * Marks a check as started, unless it was within these milliseconds.
 * @returns what `storeCheck` needs to store the result; undefined if it was
 */
export async function startCheck(
  trx: Transaction,
  { domainId, kind, intervalMs }: { domainId: string; kind: DomainCheckKind; intervalMs: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ started: string }>`
    update sending_domain_checks set started_at = clock_timestamp()
    where domain_id = ${domainId} and kind = ${kind}
      and coalesce(started_at < clock_timestamp() - ${intervalMs} * interval '1 millisecond', true)
    returning started_at::text as started
  `.execute(trx);
  return rows[0]?.started;
}

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

/** Dates the first of the latest failures of a check back. */
export async function letCheckFail(
  trx: Transaction,
  { domainId, kind, at, fails }: { domainId: string; kind: DomainCheckKind; at: string; fails: number },
): Promise<void> {
  await trx
    .updateTable('sending_domain_checks')
    .set({ failing_since: at, passed_at: at, fails_count: fails })
    .where('domain_id', '=', domainId)
    .where('kind', '=', kind)
    .execute();
}

/** The check of DKIM, as the start of a send reads it. */
export interface StartCheck extends Pick<CheckRow, 'state' | 'verdict' | 'found'> {
  /** Since its latest result; infinite without one. */
  checked_ms: number;
  /** Since its latest certain answer of the DNS; infinite without one. */
  answered_ms: number;
  /** Whether it has started since. */
  is_running: boolean;
}

/** @returns undefined if there is no such domain */
export async function getStartCheck(trx: Transaction, domainId: string): Promise<StartCheck | undefined> {
  const since = (time: RawBuilder<unknown>) =>
    sql<number>`coalesce(extract(epoch from now() - ${time}) * 1000, 'infinity')::float8`;
  return await trx
    .selectFrom('sending_domain_checks')
    .select(['state', 'verdict', 'found'])
    .select([
      since(sql.ref('checked_at')).as('checked_ms'),
      since(sql.ref('answered_at')).as('answered_ms'),
      sql<boolean>`coalesce(started_at > coalesce(checked_at, '-infinity'), false)`.as('is_running'),
    ])
    .where('domain_id', '=', domainId)
    .where('kind', '=', 'dkim')
    .$castTo<StartCheck>()
    .executeTakeFirst();
}

/** Domains of all organizations whose next check is due. */
export async function listDueDomains(
  db: Database,
  limit: number,
): Promise<{ organization_id: string; id: string }[]> {
  const { rows } = await sql<{ organization_id: string; id: string }>`
    select organization_id, id from due_sending_domains(${limit})
  `.execute(db);
  return rows;
}

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

/**
 * Domains of all organizations whose host of links was seen to lead here; verified ones first, at most `limit`.
 * @param target  the host of PUBLIC_URL
 */
export async function listTrackingHosts(
  db: Database,
  target: string,
  limit: number,
): Promise<{ domain: string; destination: string | null }[]> {
  const { rows } = await sql<{ domain: string; destination: string | null }>`
    select domain, destination from tracking_hosts(${target}, ${limit})
  `.execute(db);
  return rows;
}

export const listDkimKeys = (trx: Transaction): Promise<DkimKey[]> =>
  trx
    .selectFrom('dkim_keys')
    .select(['selector', 'public_key', 'is_signing', 'signed_until', 'created_at'])
    .orderBy('selector')
    .execute();

export interface SigningKey extends Pick<DkimKey, 'selector' | 'public_key'> {
  /** Sealed. */
  private_key: string;
}

/** The key that signs now. */
export const getSigningKey = (trx: Transaction): Promise<SigningKey | undefined> =>
  trx
    .selectFrom('dkim_keys')
    .select(['selector', 'public_key', 'private_key'])
    .where('is_signing', '=', true)
    .executeTakeFirst();

/** Serializes rotations. */
export const lockDkimKeys = (trx: Transaction): Promise<DkimKey[]> =>
  trx
    .selectFrom('dkim_keys')
    .select(['selector', 'public_key', 'is_signing', 'signed_until', 'created_at'])
    .orderBy('selector')
    .forUpdate()
    .execute();

/** Does nothing if the organization has keys: concurrent first domains share those of one. */
export async function insertDkimKeys(
  trx: Transaction,
  rows: readonly {
    organization_id: string;
    selector: string;
    public_key: string;
    private_key: string;
    is_signing: boolean;
  }[],
): Promise<void> {
  await trx
    .insertInto('dkim_keys')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['organization_id', 'selector']).doNothing())
    .execute();
}

/** Messages are signed with the other key from now on. */
export async function switchSigningKey(trx: Transaction, to: string): Promise<void> {
  await trx
    .updateTable('dkim_keys')
    .set({ is_signing: false, signed_until: sql<string>`now()` })
    .where('is_signing', '=', true)
    .execute();
  await trx
    .updateTable('dkim_keys')
    .set({ is_signing: true, signed_until: null })
    .where('selector', '=', to)
    .execute();
}

export async function replaceDkimKey(
  trx: Transaction,
  selector: string,
  key: { public_key: string; private_key: string },
): Promise<void> {
  await trx
    .updateTable('dkim_keys')
    .set({ ...key, signed_until: null, created_at: sql<string>`now()` })
    .where('selector', '=', selector)
    .execute();
}

/** Verified and failing domains whose last passed check of DKIM, with both keys, was not after this time; by name. */
export async function listWithoutKey(trx: Transaction, since: string): Promise<{ domain: string }[]> {
  return await trx
    .selectFrom('sending_domains as d')
    .innerJoin('sending_domain_checks as c', (on) =>
      on
        .onRef('c.organization_id', '=', 'd.organization_id')
        .onRef('c.domain_id', '=', 'd.id')
        .on('c.kind', '=', 'dkim'),
    )
    .select('d.domain')
    .where('d.status', '<>', 'pending')
    .where(sql<boolean>`not (c.state = 'pass' and c.passed_at > ${since}::timestamptz)`)
    .orderBy('d.domain')
    .execute();
}

export async function listCampaignDomains(trx: Transaction, campaignId: string): Promise<CampaignDomain[]> {
  const rows = await trx
    .selectFrom('campaign_domains as l')
    .innerJoin('current_sending_domains as d', (on) =>
      on.onRef('d.organization_id', '=', 'l.organization_id').onRef('d.id', '=', 'l.domain_id'),
    )
    .select(['l.id', 'l.campaign_id', 'd.id as domain_id', 'd.domain', 'd.status', 'd.destination'])
    .where('l.campaign_id', '=', campaignId)
    .orderBy('d.domain')
    .$castTo<Omit<LinkedDomain, 'id'> & { id: string; campaign_id: string; domain_id: string }>()
    .execute();
  return rows.map(({ id, campaign_id, domain_id, ...domain }) => ({
    id,
    campaign_id,
    domain: { ...domain, id: domain_id },
  }));
}

/** Verified domains that a brand can use, by name. */
export const listUsableDomains = (
  trx: Transaction,
  { client_id, brand_id }: { client_id: string; brand_id: string },
): Promise<LinkedDomain[]> =>
  trx
    .selectFrom('current_sending_domains')
    .select(['id', 'domain', 'status', 'destination'])
    .where('status', '=', 'verified')
    .where(sql<boolean>`is_usable_for(client_id, brand_id, ${client_id}::uuid, ${brand_id}::uuid)`)
    .orderBy('domain')
    .$castTo<LinkedDomain>()
    .execute();

interface SenderDomainRow {
  id: string;
  domain: string;
  status: DomainStatus;
  is_usable: boolean;
  is_linked: boolean;
  passed: readonly ('return_path' | 'tracking')[];
}

/** Domains that senders of a brand, or of a campaign that is linked to them, can be at; whatever the access scope is. */
export async function listSenderDomains(
  trx: Transaction,
  { brandId, campaignId }: { brandId: string; campaignId: string | undefined },
): Promise<SenderDomainRow[]> {
  const { rows } = await sql<SenderDomainRow>`
    select id, domain, status, is_usable, is_linked, passed from sender_domains(${brandId}, ${campaignId ?? null})
  `.execute(trx);
  return rows;
}

/** Links exactly these domains, among those within the access scope. */
export async function replaceCampaignDomains(
  trx: Transaction,
  { organization_id, campaign_id }: { organization_id: string; campaign_id: string },
  domainIds: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('campaign_domains')
    .where('campaign_id', '=', campaign_id)
    .where('domain_id', 'in', (of) => of.selectFrom('sending_domains').select('id'))
    .execute();
  await linkDomains(
    trx,
    domainIds.map((domain_id) => ({ organization_id, campaign_id, domain_id })),
  );
}

/** @param links  none of which exists */
export async function linkDomains(
  trx: Transaction,
  links: readonly { organization_id: string; campaign_id: string; domain_id: string }[],
): Promise<void> {
  if (links.length === 0) return;
  await trx
    .insertInto('campaign_domains')
    .values(links.map((link) => ({ ...link, id: newId() })))
    .execute();
}

/** Removes the domain from campaigns whose brand can no longer use it, and from deleted ones. */
export async function unlinkOthers(
  trx: Transaction,
  id: string,
  { client_id, brand_id }: Owner,
): Promise<void> {
  await sql`
    delete from campaign_domains l
    where l.domain_id = ${id} and not exists (
      select from current_campaigns c
      where c.organization_id = l.organization_id and c.id = l.campaign_id
        and is_usable_for(${client_id}::uuid, ${brand_id}::uuid, c.client_id, c.brand_id))
  `.execute(trx);
}
