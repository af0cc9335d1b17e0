import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { tenantRecords } from '@reachout/contract/operation.ts';
import { columnIn, erasedByHand, erasedTables } from '../../operations/retention/erased-tables.ts';
import { newId } from '../ids.ts';
import { buildTouchpoint } from '../../sample/records.ts';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { listTenantTables } from '../../testing/tenant-tables.ts';
import { buildTenant, type Tenant } from '../../testing/tenant.ts';
import { execute, rowsOf, valuesOf, inOrganization, type Database } from './database.ts';

/** Tables that may later be sharded by organization_id. */
const bigTables = [
  'click_reviews',
  'contact_changes',
  'contact_deliveries',
  'content_items',
  'content_search_queue',
  'content_search_texts',
  'content_unique_values',
  'conversion_changes',
  'conversions',
  'counts',
  'deliveries',
  'delivery_chunks',
  'delivery_event_counts',
  'delivery_exclusions',
  'delivery_result_totals',
  'delivery_results',
  'delivery_queue',
  'events',
  'followed_links',
  'mailbox_messages',
  'messages',
  'reactions',
  'replaced_visitor_events',
  'unfolded_message_events',
  'unfolded_visitor_events',
  'visitor_days',
  'visitor_events',
  'visitor_sessions',
  'visitor_value_months',
  'website_drops',
  'website_use',
];

/** Tables without a foreign key to organizations: checking it for a million rows, or for each open, costs too much. */
const withoutAnyReference = [
  'click_reviews',
  'contact_changes',
  'content_items',
  'content_search_texts',
  'content_unique_values',
  'conversion_changes',
  'conversions',
  'counts',
  'deliveries',
  'delivery_event_counts',
  'delivery_exclusions',
  'delivery_results',
  'events',
  'followed_links',
  'reactions',
  'replaced_visitor_events',
  'unfolded_message_events',
  'unfolded_visitor_events',
  'visitor_days',
  'visitor_events',
  'visitor_sessions',
  'visitor_value_months',
  'website_drops',
  'website_use',
];

/**
 * Columns that refer to a record without a foreign key, and why. The record is always looked up within the organization, so
 * that a wrong value finds nothing.
 */
const unreferenced: readonly string[] = [
  // A table that may be sharded by organization_id references no other table, and no other table references it.
  ...bigTables.map((table) => `${table}.*`),
  // Their rows are deleted with what they name, or outlive it.
  ...erasedTables.flatMap(({ tables, with: kinds }) =>
    tables.flatMap((table) => kinds.map((kind) => `${table}.${columnIn(table, kind)}`)),
  ),
  ...erasedByHand.flatMap(({ columns }) => columns),
  'content_shares.item_id',
  // Bytes are in the storage of objects.
  'content_files.bytes_id',
  // Generated from `send_id`.
  'choices.failed_send_id',
  // The number of the worker's advisory lock.
  'jobs.worker_id',
  // An item of a content backend, which may be the customer's own.
  'touchpoint_emails.template_id',
  'touchpoint_emails.item_id',
  'touchpoint_sends.item_id',
  // A version outlives its form.
  'sign_up_form_versions.form_id',
  // A topic is not deleted while a send that has it is open.
  'touchpoint_sends.topic_id',
  // Why somebody got a message outlives what caused it.
  'reactions.touchpoint_event_id',
  'reactions.listener_id',
  'reactions.cause_touchpoint_id',
  'reactions.cause_send_id',
  // Entries outlive the keys and records that they refer to (AUD-1).
  'audit_log.api_key_id',
  'audit_log.record_id',
];

/** Unique keys of tenant tables that span all organizations, and why. */
const globalKeys: Record<string, string> = {
  'api_keys (key_hash)': 'a request brings the key alone; it tells the organization',
  'jobs (id)': 'jobs of the installation have no organization, and a null can be in no primary key',
  'organization_invitation_links (token_hash)': 'the link brings the token alone; it tells the organization',
  'organization_invitations (token_hash)': 'the link brings the token alone; it tells the organization',
  'sending_domains (domain)': 'one organization at a time has verified a domain',
  'touchpoint_sends (send_number)': 'tokens in messages name the send by it, in few bytes',
};

/** Tables without a tenant that tenant tables can reference: shared lists, or rows of users. */
const sharedParents = [
  'client_contact_types',
  'countries',
  'organization_contact_types',
  'organizations',
  'touchpoint_event_actions',
  'users',
];

interface Reference {
  name: string;
  child: string;
  parent: string;
  columns: string[];
  parentColumns: string[];
  onDelete: string;
}

suite('references between tenant tables (TEN-6)', () => {
  const database = useSendDatabase();
  let owner: Database;
  let db: Database;
  let one: Tenant;
  let other: Tenant;
  let tenantTables: string[];
  let references: Reference[];

  before(async () => {
    ({ owner, app: db } = database);
    [one, other] = [await buildTenant(owner), await buildTenant(owner)];
    // A parent of another organization without children, so that no other key is violated.
    await buildTouchpoint(owner, { campaign_id: other.campaignId, type: 'website' });
    tenantTables = await listTenantTables(owner);
    references = await listReferences(owner);
  });

  test('foreign keys include the organization and a deletion rule', () => {
    for (const table of tenantTables.filter((name) => !withoutAnyReference.includes(name))) {
      const toOrganization = references.find((r) => r.child === table && r.parent === 'organizations');
      assert.deepEqual(toOrganization?.columns, ['organization_id'], table);
      assert.equal(toOrganization.onDelete, 'cascade', table);
    }
    const between = references.filter(({ child, parent }) => isTenant(child) && isTenant(parent));
    assert.ok(between.length >= 8);
    for (const { name, columns, parentColumns } of between) {
      assert.equal(columns.indexOf('organization_id'), 0, name);
      assert.equal(parentColumns.indexOf('organization_id'), 0, name);
    }
    for (const { name, onDelete } of references) assert.notEqual(onDelete, 'no action', name);
    const outwards = references.filter(({ child, parent }) => isTenant(child) && !isTenant(parent));
    assert.deepEqual(
      [...new Set(outwards.map(({ parent }) => parent))].sort(),
      sharedParents,
      'a tenant table points to something that belongs to nobody',
    );
  });

  test('every record id has a foreign key, except listed ones', async () => {
    const rows = await rowsOf<{ table: string; column: string }>(owner)`
      select c.relname as table, a.attname as column
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname like '%\\_id'
        and a.attnum > 0 and not a.attisdropped and a.attname <> 'organization_id'
    `;
    const without = rows.filter(
      ({ table, column }) =>
        isTenant(table) &&
        !unreferenced.includes(`${table}.${column}`) &&
        !unreferenced.includes(`${table}.*`) &&
        !references.some((r) => r.child === table && r.columns.includes(column)),
    );
    assert.deepEqual(without, []);
  });

  test('references across organizations are rejected', async () => {
    // Grants the missing privileges, so that only the foreign keys can reject the change.
    await execute(owner)`grant update, delete on resubscriptions, sign_up_form_versions to reachout_app`;
    for (const reference of references.filter(({ child, parent }) => isTenant(child) && isTenant(parent))) {
      const { child, parent, columns, parentColumns } = reference;
      const foreignParent = await findRow(parent, other);
      const foreign = Object.fromEntries(
        columns.flatMap((column, i) =>
          column === 'organization_id' ? [] : [[column, foreignParent[parentColumns[i] ?? '']]],
        ),
      );
      // It comes from one of them.
      if ('form_id' in foreign && child === 'touchpoint_events') foreign['notifier_touchpoint_id'] = null;
      const set = Object.entries(foreign).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
      // Rows of other kinds may not have such a reference at all.
      const names = columns.filter((column) => column !== 'organization_id');
      const isSet = sql`num_nulls(${sql.join(names.map((name) => sql.ref(name)))}) in (0, ${sql.lit(names.length)})`;
      await assert.rejects(
        inOrganization(
          db,
          one.organizationId,
          (trx) => execute(trx)`update ${sql.table(child)} set ${sql.join(set)} where ${isSet}`,
        ),
        { code: '23503' },
        `update: ${reference.name}`,
      );

      const columnList = sql.raw((await insertableColumns(child)).join(', '));
      const copy = { ...(await findRow(child, one, names)), ...foreign };
      // The copy must violate nothing but the reference.
      if ('id' in copy && !columns.includes('id')) copy['id'] = newId();
      for (const text of ['name', 'domain']) if (text in copy) copy[text] = newId();
      // An occurrence is sent once.
      if ('occurrence_at' in copy) copy['occurrence_at'] = null;
      if (child === 'sign_up_form_versions') copy['form_id'] = newId();
      if (child === 'content_collections') copy['collection'] = `copy_${newId().replaceAll('-', '')}`;
      const isLeaf = !references.some((each) => each.parent === child);
      const insert = (row: unknown) =>
        inOrganization(db, one.organizationId, async (trx) => {
          if (isLeaf) await sql`delete from ${sql.table(child)}`.execute(trx);
          await execute(trx)`insert into ${sql.table(child)} (${columnList})
              select ${columnList} from jsonb_populate_record(null::${sql.table(child)}, ${JSON.stringify(row)}::jsonb)`;
        });
      await assert.rejects(insert(copy), { code: '23503' }, `insert: ${reference.name}`);
    }
  });

  test('referenced keys begin with the organization', async () => {
    const rows = await rowsOf<{ table: string; columns: string[]; isPrimary: boolean }>(owner)`
      select c.relname as table, i.indisprimary as "isPrimary",
        array(select pg_get_indexdef(i.indexrelid, n, true) from generate_series(1, i.indnkeyatts) n) as columns
      from pg_index i join pg_class c on c.oid = i.indrelid
      where i.indisunique and c.relnamespace = 'public'::regnamespace
      order by c.relname, columns
    `;
    const keys = rows.filter(({ table }) => isTenant(table));
    const primaryKeys = keys.filter(({ isPrimary }) => isPrimary);
    assert.deepEqual(
      primaryKeys.map(({ table, columns }) => [table, columns[0]]),
      tenantTables.map((table) => [table, table === 'jobs' ? 'id' : 'organization_id']),
    );
    assert.deepEqual(
      keys
        .filter(({ columns }) => !columns.includes('organization_id'))
        .map(({ table, columns }) => `${table} (${columns.join(', ')})`),
      Object.keys(globalKeys),
    );
  });

  test('indexes find each record by its id', async () => {
    const planOf = async (query: Database, table: string, column: string) => {
      const rows = await rowsOf<{ 'QUERY PLAN': string }>(query)`
        explain select organization_id from ${sql.table(table)} where ${sql.ref(column)} = ${newId()}
      `;
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const noScans = sql`set local enable_seqscan = off`;
    const byId = await rowsOf<{ table: string; column: string }>(owner)`
      select c.relname as table, a.attname as column
      from pg_index i
      join pg_class c on c.oid = i.indrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[1]
      where i.indisprimary and i.indnkeyatts = 2 and a.atttypid = 'uuid'::regtype
        and c.relnamespace = 'public'::regnamespace
    `;
    const tables = byId.filter(({ table }) => isTenant(table));
    assert.ok(tables.length > 15);
    await inOrganization(db, one.organizationId, async (trx) => {
      await noScans.execute(trx);
      for (const { table, column } of tables)
        assert.match(await planOf(trx, table, column), new RegExp(`Index Cond: .*${column} =`), table);
    });
    await owner.transaction().execute(async (trx) => {
      await noScans.execute(trx);
      for (const kind of tenantRecords)
        if (kind !== 'organizations')
          assert.match(await planOf(trx, kind, 'id'), new RegExp(`${kind}_id_idx`), kind);
    });
  });

  test('big tables have no foreign keys', async () => {
    const rows = await rowsOf<{ table: string; key: string; first: string }>(owner)`
      select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as key,
        pg_get_indexdef(i.indexrelid, 1, true) as first
      from pg_index i join pg_class c on c.oid = i.indrelid
      where i.indisunique and c.relnamespace = 'public'::regnamespace
    `;
    for (const table of bigTables) {
      assert.ok(isTenant(table), table);
      const keys = rows.filter((row) => row.table === table);
      assert.ok(keys.length > 0, `${table} has no key`);
      for (const { key, first } of keys) assert.equal(first, 'organization_id', key);
      const parents = references.filter(({ child }) => child === table).map(({ parent }) => parent);
      assert.deepEqual(parents, withoutAnyReference.includes(table) ? [] : ['organizations'], table);
      const children = references.filter(({ parent }) => parent === table).map(({ child }) => child);
      assert.deepEqual(children, [], table);
    }
  });

  function isTenant(table: string): boolean {
    return tenantTables.includes(table);
  }

  /** @param set  columns that have values, if there is such a row */
  async function findRow(
    table: string,
    tenant: Tenant,
    set: readonly string[] = ['organization_id'],
  ): Promise<Record<string, unknown>> {
    const rows = await rowsOf<{ row: Record<string, unknown> }>(owner)`
      select to_jsonb(t) as row from ${sql.table(table)} t where organization_id = ${tenant.organizationId}
      order by num_nulls(${sql.join(set.map((name) => sql.ref(name)))}), to_jsonb(t) ->> 'id' desc limit 1
    `;
    assert.ok(rows[0] !== undefined, `buildTenant puts nothing into ${table}`);
    return rows[0].row;
  }

  async function insertableColumns(table: string): Promise<string[]> {
    return await valuesOf<string>(owner)`
      select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attidentity <> 'a' and attgenerated = ''
    `;
  }
});

async function listReferences(owner: Database): Promise<Reference[]> {
  return await rowsOf<Reference>(owner)`
    select c.conname as name, c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent,
      case c.confdeltype when 'a' then 'no action' when 'c' then 'cascade' when 'r' then 'restrict' else 'set' end
        as "onDelete",
      array(select a.attname::text from unnest(c.conkey) with ordinality k (n, i)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n order by k.i) as columns,
      array(select a.attname::text from unnest(c.confkey) with ordinality k (n, i)
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.n order by k.i) as "parentColumns"
    from pg_constraint c
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0
    order by 1
  `;
}
