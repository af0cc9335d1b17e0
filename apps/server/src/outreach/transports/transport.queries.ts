import { sql } from 'kysely';
import type { TransportSettings } from '@reachout/contract/rules/transports.ts';
import type { ChosenTransport, SenderScope } from '../../email/transports/sender-policy.ts';
import {
  execute,
  firstRowOf,
  firstValueOf,
  hasRows,
  onlyValueOf,
  rowsOf,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';

/** A row of `transports`; the secrets are encrypted. */
export interface TransportRow {
  id: string;
  name: string;
  settings: TransportSettings;
  secret: string | null;
  webhook_secret: string | null;
  version: number;
  error_content: string | null;
  checked_at: string;
  per_second: number | null;
  per_day: number | null;
  open_requests: number | null;
  left_today: number | null;
}

const columns = sql`id, name, settings, secret, webhook_secret, version, error_content, checked_at, per_second, per_day,
  open_requests, left_today`;

export const listTransports = (trx: Transaction, organizationId: string) => rowsOf<TransportRow>(trx)`
  select ${columns} from transports where organization_id = ${organizationId} order by lower(name), id
`;

export const findTransport = (trx: Transaction, organizationId: string, id: string) =>
  firstRowOf<TransportRow>(trx)`
  select ${columns} from transports where organization_id = ${organizationId} and id = ${id}
`;

/** Whether the organization has any. */
export const hasTransports = (trx: Transaction) => hasRows(trx)`select from transports limit 1`;

/** Serializes changes of the transports of an organization. */
export const lockTransports = (trx: Transaction, organizationId: string) => execute(trx)`
  select pg_advisory_xact_lock(hashtextextended(${`transports ${organizationId}`}, 0))
`;

export type TransportColumns = Pick<TransportRow, 'name' | 'settings' | 'secret' | 'webhook_secret'>;

export const insertTransport = (
  trx: Transaction,
  organizationId: string,
  id: string,
  { name, settings, secret, webhook_secret }: TransportColumns,
) => execute(trx)`
  insert into transports (organization_id, id, name, settings, secret, webhook_secret)
  values (${organizationId}, ${id}, ${name}, ${JSON.stringify(settings)}, ${secret}, ${webhook_secret})
`;

export const updateTransport = (
  trx: Transaction,
  organizationId: string,
  id: string,
  { name, settings, secret, webhook_secret }: TransportColumns,
) => execute(trx)`
  update transports set name = ${name}, settings = ${JSON.stringify(settings)}, secret = ${secret},
    webhook_secret = ${webhook_secret}, version = version + 1
  where organization_id = ${organizationId} and id = ${id}
`;

export const deleteTransport = (trx: Transaction, organizationId: string, id: string) => execute(trx)`
  delete from transports where organization_id = ${organizationId} and id = ${id}
`;

/** Has workers open the transports with the key of the organization again, which has just been checked. */
export const renewElasticEmail = (trx: Transaction, organizationId: string) => execute(trx)`
  update transports set version = version + 1, error_content = null, checked_at = now()
  where organization_id = ${organizationId} and settings ->> 'kind' = 'elastic_email'
`;

/** What a check found out. @param limits  null leaves those that are known */
export const storeCheck = (
  trx: Transaction,
  organizationId: string,
  { id, version }: Pick<TransportRow, 'id' | 'version'>,
  error_content: string | null,
  limits: {
    perSecond: number | null;
    perDay: number | null;
    sentToday: number | null;
    openRequests: number | null;
  } | null,
) => execute(trx)`
  update transports set error_content = ${error_content}, checked_at = now()
    ${
      limits === null
        ? sql``
        : sql`, per_second = ${limits.perSecond}, per_day = ${limits.perDay}, open_requests = ${limits.openRequests},
            left_today = ${limits.perDay === null ? null : Math.max(0, limits.perDay - (limits.sentToday ?? 0))}`
    }
  where organization_id = ${organizationId} and id = ${id} and version = ${version}
`;

/** @returns messages that may be sent now, of those asked for; the provider counts what others send by the same account */
export const leaseOfDay = (trx: Transaction, organizationId: string, id: string, count: number) =>
  onlyValueOf<number>(trx)`
  with asked as (
    select id, least(left_today, ${count}) as granted from transports
    where organization_id = ${organizationId} and id = ${id} for no key update
  ), taken as (
    update transports t set left_today = left_today - a.granted from asked a
    where t.organization_id = ${organizationId} and t.id = a.id and a.granted > 0
  )
  select coalesce((select granted from asked), 0)
`;

export const returnOfDay = (trx: Transaction, organizationId: string, id: string, count: number) => execute(
  trx,
)`
  update transports set left_today = least(per_day, left_today + ${count})
  where organization_id = ${organizationId} and id = ${id}
`;

/** @returns the transport that the organization has chosen for the brand; undefined for that of the installation */
export const findChosenTransport = (
  trx: Transaction,
  { organizationId, brandId }: Pick<SenderScope, 'organizationId' | 'brandId'>,
) => firstRowOf<ChosenTransport>(trx)`
  select id, name, settings ->> 'kind' as kind, version, per_second as "perSecond", per_day as "perDay", left_today as "leftToday"
  from transports
  where organization_id = ${organizationId} and id = (select chosen_transport(${organizationId}, ${brandId}))
`;

/** A choice; `brand_id` null for that of the organization. */
export interface Choice {
  brand_id: string | null;
  brand_name: string | null;
  transport_id: string | null;
}

export const listChoices = (trx: Transaction, organizationId: string) => rowsOf<Choice>(trx)`
  select c.brand_id, b.name as brand_name, c.transport_id
  from transport_choices c
  left join current_brands b on b.organization_id = c.organization_id and b.id = c.brand_id
  where c.organization_id = ${organizationId} and (c.brand_id is null or b.id is not null)
  order by lower(b.name), c.brand_id
`;

export const saveChoice = (
  trx: Transaction,
  {
    organizationId,
    brandId,
    transportId,
  }: { organizationId: string; brandId: string | null; transportId: string | null },
) => execute(trx)`
  insert into transport_choices (organization_id, brand_id, transport_id) values (${organizationId}, ${brandId}, ${transportId})
  on conflict (organization_id, chosen_for) do update set transport_id = excluded.transport_id
`;

export const deleteChoice = (trx: Transaction, organizationId: string, brandId: string | null) => execute(
  trx,
)`
  delete from transport_choices
  where organization_id = ${organizationId} and brand_id is not distinct from ${brandId}
`;

/** Of deleted brands, too: they may be restored. */
export const isChosen = (trx: Transaction, organizationId: string, id: string) => hasRows(trx)`
  select from transport_choices where organization_id = ${organizationId} and transport_id = ${id} limit 1
`;

export const getOwnAddress = (trx: Transaction, userId: string) => onlyValueOf<string>(trx)`
  select address_of_user(${userId})
`;

/** Within the access scope. */
export const findBrandName = (trx: Transaction, brandId: string) => firstValueOf<string>(trx)`
  select name from current_brands where id = ${brandId}
`;

/** Of all processes, at least 1. */
export const countWorkers = (trx: Transaction) => onlyValueOf<number>(trx)`
  select greatest(1, count(*))::int from living_workers()
`;

export interface DueTransport {
  organization_id: string;
  id: string;
  /** Up to when its suppressions were read; null: never. */
  read_at: string | null;
}

export const listDueTransports = (db: Database, limit: number) => rowsOf<DueTransport>(db)`
  select organization_id, id, read_at from due_transports(${limit})
`;

/** @param readAt  undefined if they could not be read: they are due again in an hour instead of a day */
export const noteSuppressionsRead = (
  trx: Transaction,
  { organization_id, id }: DueTransport,
  readAt: Date | undefined,
) => execute(trx)`
  update transports set suppressions_read_at = coalesce(${readAt?.toISOString() ?? null}, suppressions_read_at),
    suppressions_due_at = now() + ${readAt === undefined ? '1 hour' : '1 day'}::interval
  where organization_id = ${organization_id} and id = ${id}
`;
