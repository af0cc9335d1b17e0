import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { deleteCollection } from '../../content/collections/collections.ts';
import {
  inOrganization,
  transactionAs,
  type Database,
  type NewRow,
} from '../../platform/database/database.ts';
import { createFileStore, type FileStore } from '../../platform/files/file-store.ts';
import { storeEvents } from '../../events/store-events.ts';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { newId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { keyOf, newStoredPath, urlOf } from '../../identity/storage/stored-path.ts';
import {
  buildBrand,
  buildCampaign,
  buildClient,
  buildOrganization,
  buildSend,
  buildTouchpoint,
  buildUser,
} from '../../sample/records.ts';
import { assertSummed } from '../../testing/conversion-sums.ts';
import { copyRow } from '../../testing/copy-row.ts';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { startJobWorker } from '../../testing/job-worker.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { buildOpen } from '../../testing/events.ts';
import { insertRows, type Values } from '../../sample/rows.ts';
import { deleteRows, listRows, updateRows } from '../../testing/rows.ts';
import { buildSentEmail } from '../../testing/sent-email.ts';
import { buildWebsite } from '../../testing/tracked-website.ts';
import { buildVisit, foldEvents, foldVisits, storeVisits } from '../../sample/events.ts';
import { listTenantTables } from '../../testing/tenant-tables.ts';
import { buildTenant, digestTenant } from '../../testing/tenant.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { eraseOrganization, eraseRecord, NothingToDo } from './erase.ts';
import type { RecordKind } from './erase.queries.ts';
import { erasedTables } from './erased-tables.ts';
import { handleRetention, runRetention } from './retention-jobs.ts';

/** Content of a client or brand, apart from what it tells of visitors. */
const contentTables = [
  'filters',
  ...erasedTables.flatMap(({ with: [first], tables }) =>
    first === 'collection' || first === 'import' ? tables : [],
  ),
];

/** @returns the tables with rows that have this value, except choices and requests of persons, which outlive what they name */
async function listTablesWith(
  owner: Database,
  column: 'send_id' | 'touchpoint_id',
  id: string,
): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = ${column} and table_name not in ('choices', 'data_requests')
  `.execute(owner);
  assert.ok(tables.length >= 9);
  const found = [];
  for (const { name } of tables) {
    const { rows } = await sql`select from ${sql.table(name)} where ${sql.ref(column)} = ${id}`.execute(
      owner,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

suite('retention', () => {
  const database = useSendDatabase();
  let owner: Database;
  let db: Database;
  let pipelined: PipelinedDatabase;
  let files: FileStore;
  let dataDir: string;

  before(async () => {
    ({ owner, auth: db, pipelined } = database);
    dataDir = await mkdtemp(join(tmpdir(), 'reachout-housekeeping-'));
    files = createFileStore({ dataDir, s3Url: undefined });
  });
  after(() => rm(dataDir, { recursive: true }));

  const deps = (changes: { files?: FileStore; batchRows?: number; signal?: AbortSignal } = {}) => ({
    db,
    files,
    log: createLog('silent'),
    partitionFaults: { refused: 0 },
    batchRows: 2,
    signal: new AbortController().signal,
    ...changes,
  });

  /** @returns each table with a row that contains one of the texts in any column, as text or as the bytes of a bytea */
  async function findTexts(texts: string[]): Promise<string[]> {
    const patterns = texts.flatMap((text) => [`%${text}%`, `%${Buffer.from(text).toString('hex')}%`]);
    const tables = await sql<{ name: string }>`
      select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
      order by 1
    `.execute(owner);
    const found = [];
    for (const { name } of tables.rows) {
      const { rows } = await sql`
        select from ${sql.table(name)} t where t::text like any (${patterns}) limit 1
      `.execute(owner);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  const daysAgo = (days: number) => sql<string>`now() - make_interval(days => ${days})`;
  const markDeleted = (table: RecordKind | 'organizations', id: string, days: number) =>
    owner
      .updateTable(table as 'clients')
      .set({ deleted: true, deleted_at: daysAgo(days) })
      .where('id', '=', id)
      .execute();
  const isThere = async (table: RecordKind | 'organizations', id: string) =>
    (
      await owner
        .selectFrom(table as 'clients')
        .select('id')
        .where('id', '=', id)
        .execute()
    ).length === 1;

  suite('deleted records', () => {
    test('deleted organizations are erased after 30 days (GDP-1)', async () => {
      const gone = await buildTenant(owner);
      const neighbour = await buildTenant(owner);
      const id = gone.organizationId;
      const marker = `marker${newId().replaceAll('-', '')}`;
      await updateRows(owner, 'organizations', { id }, { name: marker });
      await updateRows(
        owner,
        'mailbox_messages',
        { organization_id: id },
        { raw: Buffer.from(`Subject: ${marker}`) },
      );
      await owner
        .insertInto('deliveries')
        .columns(['organization_id', 'send_id', 'seq', 'contact_id', 'address', 'variables'])
        .expression(
          sql`select ${id}::uuid, ${gone.sendId}::uuid, n, 'c', ${marker} || '@x.example', '{}'::jsonb from generate_series(2, 8) n`,
        )
        .execute();
      // Rows about it in other tables, from the day of the deletion.
      await insertRows(owner, 'account_email_outbox', {
        id: newId(),
        kind: 'invitation',
        recipient: 'ada@lovelace.example',
        language: 'en',
        payload: JSON.stringify({ organization_id: id, name: marker }),
        expires_at: daysAgo(23),
        ended_at: daysAgo(30),
        created_at: daysAgo(31),
      });
      await insertRows(owner, 'account_mailbox_messages', {
        id: newId(),
        recipient: 'ada@lovelace.example',
        sender: 's',
        subject: marker,
        raw: Buffer.from(marker),
        received_at: daysAgo(31),
      });
      await insertRows(owner, 'idempotency_keys', {
        user_id: gone.ownerUserId,
        route: 'r',
        key: 'k',
        request_hash: 'h',
        response: JSON.stringify({ name: marker }),
        created_at: daysAgo(31),
      });
      const logo = newStoredPath('logos', id, newId());
      const neighboursLogo = newStoredPath('logos', neighbour.organizationId, newId());
      for (const stored of [logo, neighboursLogo]) await files.write(keyOf(stored), Buffer.from('x'));
      await markDeleted('organizations', id, 31);
      const untouched = await digestTenant(owner, neighbour.organizationId);

      const places = await findTexts([id, marker]);
      for (const table of [
        ...(await listTenantTables(owner)),
        'account_email_outbox',
        'account_mailbox_messages',
        'idempotency_keys',
      ])
        assert.ok(places.includes(table), `the scan sees ${table}`);

      await runRetention(deps());

      assert.deepEqual(await findTexts([id, marker]), []);
      assert.equal(await files.read(keyOf(logo)), undefined);
      assert.notEqual(await files.read(keyOf(neighboursLogo)), undefined);
      assert.deepEqual(await digestTenant(owner, neighbour.organizationId), untouched);
    });

    test('erased organizations get no later events', async () => {
      const gone = await buildSentEmail(owner);
      const id = gone.organizationId;
      await markDeleted('organizations', id, 31);
      // Files are removed after event rows and before the organization itself.
      const removeFolder: FileStore['removeFolder'] = async (folder) => {
        await storeEvents(pipelined, [buildOpen(gone)]);
        assert.ok((await findTexts([id])).includes('unfolded_message_events'));
        await files.removeFolder(folder);
      };
      await eraseOrganization(deps({ files: { ...files, removeFolder } }), id);
      assert.deepEqual(await findTexts([id]), []);
      await storeEvents(pipelined, [buildOpen(gone)]);
      assert.deepEqual(await findTexts([id]), []);
    });

    test('recently deleted organizations are kept', async () => {
      const young = await buildTenant(owner);
      const living = await buildTenant(owner);
      await markDeleted('organizations', young.organizationId, 29);
      const tenants = [young, living].map(({ organizationId }) => organizationId);
      const digests = () => Promise.all(tenants.map((id) => digestTenant(owner, id)));
      const untouched = await digests();
      await runRetention(deps());
      assert.deepEqual(await digests(), untouched);

      // Even when its erasure is requested by id, here and in the database itself.
      for (const id of tenants) {
        await assert.rejects(eraseOrganization(deps(), id), NothingToDo);
        const { rows } = await transactionAs(db, { organizationId: id }, (trx) =>
          sql`select erase_organization(${id}) as erased`.execute(trx),
        );
        assert.deepEqual(rows, [{ erased: false }]);
      }
      assert.deepEqual(await digests(), untouched);
    });

    test('failed file removals are repeated in the next round', async () => {
      const { id } = await buildOrganization(owner);
      await markDeleted('organizations', id, 40);
      const broken: FileStore = { ...files, removeFolder: () => Promise.reject(new Error('away')) };
      await runRetention(deps({ files: broken }));
      assert.ok(await isThere('organizations', id));
      await runRetention(deps());
      assert.ok(!(await isThere('organizations', id)));
    });

    for (const kind of ['clients', 'brands', 'campaigns', 'touchpoints'] as const)
      test(`deleted ${kind} are erased after 60 days (LNK-4)`, async () => {
        const tenant = await buildTenant(owner);
        const ids = {
          clients: tenant.clientId,
          brands: tenant.brandId,
          campaigns: tenant.campaignId,
          touchpoints: tenant.touchpointId,
        };
        const logo = newStoredPath('logos', tenant.organizationId, newId());
        await files.write(keyOf(logo), Buffer.from('x'));
        await updateRows(owner, 'brands', { id: tenant.brandId }, { logo_url: urlOf(logo) });
        // Another brand's email with an audience of this brand.
        const { id: clientId } = await buildClient(owner, { organization_id: tenant.organizationId });
        const brand = await buildBrand(owner, { client_id: clientId });
        const campaign = await buildCampaign(owner, { brand_id: brand.id });
        const email = await buildTouchpoint(owner, {
          campaign_id: campaign.id,
          email: { filter_id: tenant.filterId },
        });
        const send = await buildSend(owner, { touchpoint_id: email.id });

        await markDeleted(kind, ids[kind], 59);
        const untouched = await digestTenant(owner, tenant.organizationId);
        await runRetention(deps());
        assert.deepEqual(await digestTenant(owner, tenant.organizationId), untouched);

        await markDeleted(kind, ids[kind], 61);
        await runRetention(deps());
        const order = ['clients', 'brands', 'campaigns', 'touchpoints'] as const;
        for (const each of order)
          assert.equal(await isThere(each, ids[each]), order.indexOf(each) < order.indexOf(kind), each);
        // From a server that has cached the send.
        await storeEvents(pipelined, [buildOpen(tenant)]);
        assert.deepEqual(await listTablesWith(owner, 'send_id', tenant.sendId), []);
        // From a client that goes on sending.
        const website = { organizationId: tenant.organizationId, touchpointId: tenant.touchpointId };
        await storeVisits(db, [buildVisit(website)]);
        await foldVisits(db);
        assert.deepEqual(await listTablesWith(owner, 'touchpoint_id', tenant.touchpointId), []);
        assert.equal((await files.read(keyOf(logo))) === undefined, order.indexOf(kind) < 2);
        // Contacts, templates and audiences of a client are erased with it, or with their brand.
        for (const table of contentTables) {
          const { rows } = await sql`
            select from ${sql.table(table)} where organization_id = ${tenant.organizationId}
          `.execute(owner);
          assert.equal(rows.length === 0, order.indexOf(kind) < 2, table);
        }
        assert.ok(await isThere('touchpoints', email.id));
        const sends = await listRows(owner, 'touchpoint_sends', ['id'], { id: send.id });
        assert.equal(sends.length, 1);
      });

    const buildConversions = async () => {
      const website = await buildWebsite(owner);
      const email = await buildTouchpoint(owner, { organization_id: website.organizationId });
      const send = await buildSend(owner, { touchpoint_id: email.id });
      const of = { organization_id: website.organizationId, touchpoint_id: website.touchpointId };
      const goalId = newId();
      await insertRows(owner, 'conversion_goals', { ...of, id: goalId, event: 'Order', window_days: 7 });
      const timeOf = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
      const message = { send_id: send.id, seq: 1, email_touchpoint_id: email.id };
      const follow = (days: number) =>
        insertRows(owner, 'followed_links', { ...of, ...message, visitor_id: newId(), at: timeOf(days) });
      const convert = (days: number, goal_id = goalId) =>
        insertRows(owner, 'conversions', {
          ...of,
          ...message,
          event_id: newId(),
          goal_id,
          at: timeOf(days),
          window_days: 7,
          visitor_id: newId(),
        });
      const countLinks = async () =>
        (await listRows(owner, 'followed_links', ['at'], { organization_id: of.organization_id })).length;
      const listConversions = () =>
        listRows(
          owner,
          'conversions',
          ['at', 'goal_id', 'visitor_id', 'send_id', 'seq', 'email_touchpoint_id'],
          {
            organization_id: of.organization_id,
          },
        );
      return { website, email, goalId, timeOf, follow, convert, countLinks, listConversions };
    };

    test('links are erased once no conversion can be attributed by them', async () => {
      const { follow, countLinks } = await buildConversions();
      for (const days of [200, 100, 92, 90.9, 1]) await follow(days);
      await runRetention(deps());
      assert.equal(await countLinks(), 2);
    });

    test('conversions stay without their visitor when single events are erased', async () => {
      const { website, convert, timeOf, listConversions } = await buildConversions();
      await storeVisits(db, [buildVisit(website, { at: new Date(timeOf(410)) })]);
      await foldVisits(db);
      for (const days of [500, 450, 410, 402, 399, 1]) await convert(days);
      await runRetention(deps());
      assert.deepEqual(
        (await listConversions())
          .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
          .map(({ visitor_id, send_id }) => [visitor_id !== null, send_id !== null]),
        [false, false, false, false, true, true].map((isKnown) => [isKnown, true]),
      );
    });

    test('conversions of removed goals are erased', async () => {
      const { website, convert, goalId, listConversions } = await buildConversions();
      const removed = [newId(), newId()];
      const { organizationId: organization_id, touchpointId: touchpoint_id } = website;
      for (const id of removed) {
        const goal = { organization_id, touchpoint_id, id, event: id, window_days: 7 };
        await insertRows(owner, 'conversion_goals', goal);
      }
      for (const goal of [...removed, goalId, ...removed]) await convert(1, goal);
      await foldVisits(db, website);
      for (const id of removed) await deleteRows(owner, 'conversion_goals', { id });
      // Processes know goals for some seconds.
      const late = newId();
      for (const goal of [...removed, late]) await convert(1, goal);
      await assertSummed(owner, organization_id);
      assert.deepEqual(await listRows(owner, 'counts', ['day'], { subject_id: late }), []);
      await runRetention(deps());
      await assertSummed(owner, organization_id);
      assertColumn(await listConversions(), 'goal_id', [goalId]);
      const counted = await listRows(owner, 'counts', ['subject_id'], { organization_id });
      assert.deepEqual(new Set(counted.map(({ subject_id }) => subject_id)), new Set([goalId]));
    });

    test('conversions stay without their message when its email is erased', async () => {
      const { website, email, convert, follow, countLinks, listConversions } = await buildConversions();
      for (const days of [1, 2, 3]) {
        await convert(days);
        await follow(days);
      }
      await foldVisits(db, website);
      await markDeleted('touchpoints', email.id, 61);
      await runRetention(deps());
      const found = await listConversions();
      assert.equal(found.length, 3);
      for (const { send_id, seq, email_touchpoint_id, visitor_id } of found) {
        assert.deepEqual([send_id, seq, email_touchpoint_id], [null, null, null]);
        assert.notEqual(visitor_id, null);
      }
      await assertSummed(owner, website.organizationId);
      assert.equal(await countLinks(), 0);
    });

    test('single visits are erased after the days of their organization', async () => {
      const website = await buildWebsite(owner);
      const { touchpointId: touchpoint_id } = website;
      const dayMs = 86_400_000;
      const at = (days: number) => new Date(Date.now() - days * dayMs);
      const visitorId = newId();
      const ages = [450, 449, 410, 405, 402, 399, 40, 0];
      await storeVisits(
        db,
        ages.flatMap((days) => [
          buildVisit(website, { visitorId, at: at(days) }),
          ...['buy', 'leave', 'look'].map((name) =>
            buildVisit(website, { visitorId, at: at(days), type: 'TRACK', name }),
          ),
          buildVisit(website, { visitorId, at: at(days), type: 'TRACK', name: 'scan', isBot: true }),
        ]),
      );
      await foldVisits(db);
      await insertRows(
        owner,
        'visitor_contacts',
        ages.map((days) => ({
          organization_id: website.organizationId,
          touchpoint_id,
          visitor_id: visitorId,
          bound_at: at(days).toISOString(),
          send_id: newId(),
          seq: 1,
          collection: 'contacts',
          contact_id: 'contact-1',
        })),
      );
      const left = async () => [
        (await listRows(owner, 'visitor_events', ['id'], { touchpoint_id })).length,
        (await listRows(owner, 'visitor_sessions', ['visitor_id'], { touchpoint_id })).length,
        (await listRows(owner, 'visitor_contacts', ['visitor_id'], { touchpoint_id })).length,
      ];
      const totals = async () =>
        await inOrganization(db, website.organizationId, async (trx) => {
          const { rows } = await sql`
            select count_visitors(organization_id, touchpoint_id, now() - interval '500 days', now() - interval '401 days'),
              dimension, day, value, running_counts
            from counts where touchpoint_id = ${touchpoint_id}
            union all
            select null, dimension, month, value, (running_counts || running_sessions)::bigint[]
            from visitor_value_months where touchpoint_id = ${touchpoint_id}
            order by 2, 3, 4
          `.execute(trx);
          return rows;
        });
      const totalsBefore = await totals();
      await runRetention(deps());
      assert.deepEqual(await left(), [15, 3, 3]);
      assert.deepEqual(await totals(), totalsBefore);
      await updateRows(owner, 'organizations', { id: website.organizationId }, { website_events_days: 30 });
      await runRetention(deps());
      assert.deepEqual(await left(), [5, 1, 1]);
    });

    test('visits are folded while others are erased', async () => {
      const website = await buildWebsite(owner);
      await updateRows(owner, 'organizations', { id: website.organizationId }, { website_events_days: 30 });
      // Not so old that their month may be erased at once.
      const old = new Date(Date.now() - 40 * 86_400_000);
      await storeVisits(
        db,
        Array.from({ length: 40 }, () => buildVisit(website, { at: old })),
      );
      await foldVisits(db);
      const erasing = runRetention(deps());
      await storeVisits(db, [buildVisit(website)]);
      let hasFolded = false;
      const ended = erasing.then(() => assert.ok(hasFolded, 'nothing was folded before the end'));
      await waitUntil('a fold has its turn', async () => {
        hasFolded ||= (await foldEvents(db, 'visitor', 20_000)) > 0;
        return hasFolded;
      });
      const { length } = await listRows(owner, 'visitor_events', ['id'], {
        touchpoint_id: website.touchpointId,
      });
      assert.ok(length > 1, 'the old ones were erased before');
      await ended;
    });

    test('deleted collections are erased after an hour', async () => {
      const tenant = await buildTenant(owner);
      const { organizationId: organization_id, collection } = tenant;
      const places = [
        'content_collections',
        'content_imports',
        'content_items',
        'content_unique_values',
        'contact_notes',
        'visitor_contacts',
        'deleted_collections',
      ];
      const left = async () => {
        const found = [];
        for (const table of places) {
          const { rows } = await sql`
            select from ${sql.table(table)} where organization_id = ${organization_id} and collection = ${collection}
          `.execute(owner);
          if (rows.length > 0) found.push(table);
        }
        return found;
      };
      // Audiences prevent the deletion of their collection.
      await updateRows(owner, 'touchpoint_emails', { organization_id }, { filter_id: null });
      await deleteRows(owner, 'filters', { organization_id });
      await inOrganization(db, organization_id, (trx) => deleteCollection(trx, organization_id, collection));
      await runRetention(deps());
      assert.deepEqual(await left(), places.slice(1));

      await updateRows(
        owner,
        'deleted_collections',
        { organization_id, collection },
        { created_at: sql<string>`now() - interval '61 minutes'` },
      );
      const neighbour = await buildTenant(owner);
      const untouched = await digestTenant(owner, neighbour.organizationId);
      await runRetention(deps());
      assert.deepEqual(await left(), []);
      const { rows } = await sql`
        select from content_import_rejections where organization_id = ${organization_id} and import_id = ${tenant.importId}
      `.execute(owner);
      assert.equal(rows.length, 0);
      assert.deepEqual(await digestTenant(owner, neighbour.organizationId), untouched);
    });

    test('restored records are kept', async () => {
      const tenant = await buildTenant(owner);
      const record = {
        organization_id: tenant.organizationId,
        kind: 'clients',
        record_id: tenant.clientId,
      } as const;
      const untouched = await digestTenant(owner, tenant.organizationId);
      await assert.rejects(eraseRecord(deps(), record), NothingToDo);
      assert.deepEqual(await digestTenant(owner, tenant.organizationId), untouched);
    });
  });

  suite('retention periods', () => {
    /** @param build  stores rows of several ages. @returns a test that checks which of them one round has left */
    const afterRound = (build: () => Promise<() => Promise<void>>) => {
      let check: () => Promise<void>;
      before(async () => {
        check = await build();
      });
      return () => check();
    };
    const countOf = async (table: string, ids: string[], key = 'id') => {
      const { rows } = await sql<{ id: string }>`
        select ${sql.ref(key)}::text as id from ${sql.table(table)} where ${sql.ref(key)}::text = any (${ids})
      `.execute(owner);
      return rows.map(({ id }) => ids.indexOf(id)).toSorted((a, b) => a - b);
    };
    const ago = (age: string) => sql<string>`now() - ${age}::interval`;
    /** @param build  returns rows of several ages. @returns a test that one round has left those at these places */
    const leaving = <T extends Parameters<typeof insertRows>[1]>(
      left: number[],
      table: T,
      build: () => Promise<Values<NewRow<T>>[]>,
    ) =>
      afterRound(async () => {
        const rows = await build();
        await insertRows(owner, table, rows);
        const key = rows.every((row) => 'id' in row) ? 'id' : 'key';
        const ids = rows.map((row) => (row as Record<string, string>)[key]!);
        return async () => {
          assert.deepEqual(await countOf(table, ids, key), left);
        };
      });

    test(
      'email tests are kept for 30 days',
      afterRound(async () => {
        const { organizationId } = await buildTenant(owner);
        const buildTest = async (kind: 'test' | 'triggered', days: number, workerId: number | null) => {
          const created_at = daysAgo(days) as unknown as string;
          const send = { organization_id: organizationId, kind, status: 'completed' as const, created_at };
          const { id } = await buildSend(owner, send);
          await sql`
          with d as (
            insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
            values (${organizationId}, ${id}, 1, 'c', 'ada@members.example', '{}')
          ), m as (
            insert into messages (organization_id, id, send_id, seq, contact_id)
            values (${organizationId}, ${newId()}, ${id}, 1, 'contact-1')
          ), b as (
            insert into mailbox_messages (organization_id, id, send_id, seq, recipient, sender, subject, raw, received_at)
            values (${organizationId}, ${newId()}, ${id}, 1, 'r', 's', '[Test]', '', now())
          ), c as (
            insert into touchpoint_send_contents (organization_id, send_id, content) values (${organizationId}, ${id}, '{}')
          )
          insert into delivery_queue (organization_id, send_id, seq, kind, attempts, worker_id)
          values (${organizationId}, ${id}, 1, 'new', 0, ${workerId})`.execute(owner);
          return id;
        };
        const ids = [
          await buildTest('test', 29, null),
          await buildTest('test', 31, null),
          await buildTest('test', 31, 1),
          await buildTest('triggered', 31, null),
        ];
        return async () => {
          assert.deepEqual(await countOf('touchpoint_sends', ids), [0, 2, 3]);
          for (const table of [
            'deliveries',
            'messages',
            'mailbox_messages',
            'touchpoint_send_contents',
            'delivery_queue',
          ])
            assert.deepEqual(await countOf(table, ids, 'send_id'), [0, 2, 3], table);
        };
      }),
    );

    test(
      'idempotency keys are kept for a day',
      leaving([0], 'idempotency_keys', async () =>
        ['23 hours', '25 hours', '26 hours', '27 hours'].map((key) => ({
          user_id: newId(),
          route: 'r',
          key,
          request_hash: 'h',
          created_at: ago(key),
        })),
      ),
    );

    test(
      'deleted addresses and contacts are kept for 30 days',
      afterRound(async () => {
        const tables = [
          'user_addresses',
          'organization_addresses',
          'organization_contacts',
          'client_addresses',
          'client_contacts',
        ] as const;
        const tenant = await buildTenant(owner);
        const address = { id: newId(), user_id: tenant.ownerUserId, line1: 'x', city: 'x', country_id: 'DE' };
        await insertRows(owner, 'user_addresses', address);
        for (const table of tables) {
          const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} limit 1`.execute(
            owner,
          );
          await copyRow(owner, table, rows[0]?.id ?? '', { count: 5 });
        }
        const left = async () => {
          const found = [];
          for (const table of tables) {
            const { rows } = await sql<{ age: number }>`
            select extract(day from now() - deleted_at)::integer as age from ${sql.table(table)}
            where deleted order by age
          `.execute(owner);
            found.push(rows.map(({ age }) => age));
          }
          return found;
        };
        for (const table of tables)
          await sql`
          update ${sql.table(table)} t set deleted = true, deleted_at = now() - make_interval(days => n.days)
          from (select id, 25 + 2 * row_number() over (order by id)::integer as days from ${sql.table(table)} limit 5) n
          where n.id = t.id
        `.execute(owner);
        assert.deepEqual(
          await left(),
          tables.map(() => [27, 29, 31, 33, 35]),
        );
        return async () => {
          assert.deepEqual(
            await left(),
            tables.map(() => [27, 29]),
          );
        };
      }),
    );

    test(
      'sessions are kept for at most 30 days (SES-3)',
      leaving([0, 1], 'sessions', async () => {
        const { id: user_id } = await buildUser(owner);
        return [
          ['1 day', '-1 day'],
          ['29 days', '-1 day'],
          ['31 days', '-1 day'],
          ['1 day', '1 minute'],
          ['8 days', '1 day'],
          ['60 days', '-1 day'],
        ].map(([age = '', ended = '']) => ({
          id: newId(),
          user_id,
          token: newId(),
          created_at: ago(age),
          expires_at: ago(ended),
        }));
      }),
    );

    test(
      'one-time tokens are kept until they expire',
      leaving([0, 1], 'one_time_tokens', async () =>
        ['-1 hour', '-1 minute', '1 minute', '1 hour', '3 days'].map((age) => ({
          id: newId(),
          purpose: 'sign_in_code',
          email: 'a@b.example',
          secret_hash: newId(),
          expires_at: ago(age),
        })),
      ),
    );

    const expiries = ['-1 minute', '1 minute', '1 day', '2 days'];
    test(
      'verifications are kept until they expire',
      leaving([0], 'verifications', async () =>
        expiries.map((age) => ({ id: newId(), identifier: 'i', value: 'v', expires_at: ago(age) })),
      ),
    );
    test(
      'rate limits are kept until they expire',
      leaving([0], 'rate_limits', async () =>
        expiries.map((age) => ({
          key: newId(),
          expire: sql<number>`(extract(epoch from ${ago(age)}) * 1000)::bigint`,
        })),
      ),
    );

    test(
      'ended account emails are kept for a week',
      afterRound(async () => {
        const ids = Array.from({ length: 5 }, newId);
        for (const [index, ended] of [undefined, 6, 8, 9, 10].entries())
          await insertRows(owner, 'account_email_outbox', {
            id: ids[index]!,
            kind: 'sign_in_code',
            recipient: 'a@b.example',
            language: 'en',
            created_at: daysAgo(20),
            expires_at: daysAgo(0),
            ended_at: ended === undefined ? null : daysAgo(ended),
          });
        return async () => {
          assert.deepEqual(await countOf('account_email_outbox', ids), [0, 1]);
          await updateRows(owner, 'account_email_outbox', { id: ids[0]! }, { expires_at: daysAgo(8) });
          await runRetention(deps());
          assert.deepEqual(await countOf('account_email_outbox', ids), [1]);
        };
      }),
    );

    test(
      'ended jobs are kept for a week, failed ones longer',
      leaving([0, 1, 3, 4], 'jobs', async () =>
        (
          [
            ['open', null],
            ['finished', '6 days'],
            ['finished', '8 days'],
            ['failed', '8 days'],
            ['failed', '29 days'],
            ['failed', '31 days'],
          ] as const
        ).map(([state, ended]) => ({
          id: newId(),
          kind: 'other',
          key: newId(),
          state,
          created_at: daysAgo(40),
          ended_at: ended && ago(ended),
        })),
      ),
    );

    test(
      'the newest 500 platform emails are kept for 30 days',
      afterRound(async () => {
        await deleteRows(owner, 'account_mailbox_messages');
        const ids = Array.from({ length: 505 }, newId);
        await insertRows(
          owner,
          'account_mailbox_messages',
          ids.map((id, index) => ({
            id,
            recipient: 'a@b.example',
            sender: 's',
            subject: 'x',
            raw: Buffer.from('x'),
            received_at: index >= 498 ? daysAgo(index === 498 ? 31 : 2) : sql<string>`now()`,
          })),
        );
        return async () => {
          const kept = await countOf('account_mailbox_messages', ids);
          assert.equal(kept.length, 500);
          assert.ok(!kept.includes(498));
        };
      }),
    );
    before(() => runRetention(deps()));
  });

  test('one worker at a time erases and reports failed steps', async () => {
    const { id } = await buildOrganization(owner);
    await markDeleted('organizations', id, 40);
    let rounds = 0;
    let atWork = 0;
    let mostAtWork = 0;
    const away: FileStore = {
      ...files,
      removeFolder: async () => {
        rounds += 1;
        mostAtWork = Math.max(mostAtWork, (atWork += 1));
        await new Promise(setImmediate);
        atWork -= 1;
        throw new Error('away');
      },
    };
    const handler = handleRetention({ ...deps(), files: away });
    const workers = [1, 2, 3].map(() => startJobWorker(database, [handler]));
    try {
      for (const round of [1, 2]) {
        const job = await waitUntil('a round has ended', async () => {
          const found = await listRows(owner, 'jobs', '*', { kind: 'retention' });
          assert.ok(found.length <= 1);
          return rounds >= round && found[0]?.worker_id === null ? found[0] : undefined;
        });
        assert.equal(job.error_content, 'These steps failed: deleted organizations.');
        await updateRows(owner, 'jobs', {}, { due_at: sql<string>`now()` });
        for (const { wake } of workers) wake();
      }
    } finally {
      await Promise.all(workers.map(({ stop }) => stop()));
    }
    assert.equal(mostAtWork, 1);
    await runRetention(deps());
    assert.ok(!(await isThere('organizations', id)));
  });

  test('retention ends when the worker stops', async () => {
    const { id } = await buildOrganization(owner);
    await markDeleted('organizations', id, 40);
    await runRetention(deps({ signal: AbortSignal.abort() }));
    assert.ok(await isThere('organizations', id));
  });
});
