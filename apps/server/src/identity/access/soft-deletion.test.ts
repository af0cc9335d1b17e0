import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { newId } from '../../platform/ids.ts';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { contractOperations, toRequest } from '../../testing/contract-calls.ts';
import { personalInputs } from '../../testing/personal-inputs.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { buildTenant, type Tenant } from '../../testing/tenant.ts';

/** Tables with soft deletion, and the operation that deletes. */
const softlyDeleted: Record<string, string> = {
  organizations: 'organizations.delete',
  organization_addresses: 'organizations.addresses.delete',
  organization_contacts: 'organizations.contacts.delete',
  campaigns: 'campaigns.delete',
  brands: 'brands.delete',
  clients: 'clients.delete',
  client_addresses: 'clients.addresses.delete',
  client_contacts: 'clients.contacts.delete',
  touchpoints: 'touchpoints.delete',
  user_addresses: 'me.addresses.delete',
};

/** Operations whose purpose includes showing deleted records. */
const tellOfDeleted = ['organizations.trash', 'auditLog.list', 'me.export'];

suite('soft deletion', () => {
  let app: TestApp;

  before(async () => {
    app = await createTestApp();
  });
  after(() => app.close());

  const reads = contractOperations.filter(
    ({ method, name }) => method === 'GET' && !tellOfDeleted.includes(name),
  );

  for (const [table, callName] of Object.entries(softlyDeleted)) {
    test(`of ${table} takes them out of every read, search, count and statistic`, async () => {
      const tenant = await buildTenant(app.owner);
      const person = await app.signInMember(tenant.organizationId);
      const { id, text } = await findTarget(table, tenant, person);
      const shows = ({ body }: Answer) => body.includes(id) || body.includes(text);

      let isShown = false;
      for await (const answers of readAll(tenant, person, text)) {
        isShown = answers.some(shows);
        if (isShown) break;
      }
      assert.ok(isShown, 'nothing shows it');
      const operation = contractOperations.find(({ name }) => name === callName)!;
      const input = sampleInputs[callName]?.(tenant) ?? { id };
      const { method, path } = toRequest(operation, input);
      const deleted = await app.request(method, path, { as: person });
      assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
      const answersAfter: Answer[] = [];
      for await (const answers of readAll(tenant, person, text)) answersAfter.push(...answers);
      assert.deepEqual(
        answersAfter.filter(shows).map(({ what }) => what),
        [],
      );
      // The row still exists, so that it can be restored or inspected.
      const { rows } = await sql<{ deleted: boolean; since: boolean }>`
        select deleted, deleted_at > now() - interval '1 minute' as since from ${sql.table(table)} where id = ${id}
      `.execute(app.owner);
      assert.deepEqual(rows, [{ deleted: true, since: true }]);

      for (const { what, body } of answersAfter) {
        const { count, items } = JSON.parse(body) as { count?: number; items?: unknown[] };
        if (count !== undefined && items !== undefined) assert.equal(count, items.length, what);
      }
    });
  }

  test('is for these tables alone: filters, events and schedules are deleted for good', async () => {
    const { rows } = await sql<{ table: string }>`
      select c.relname as table from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
        and a.attname in ('deleted', 'deleted_at')
      group by 1 having count(*) = 2 order by 1
    `.execute(app.owner);
    assert.deepEqual(
      rows.map(({ table }) => table),
      Object.keys(softlyDeleted).toSorted(),
    );
    const flags = await sql<{ count: number }>`
      select count(*) as count from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
        and a.attname like '%deleted%'
    `.execute(app.owner);
    assert.equal(flags.rows[0]?.count, 2 * rows.length);
  });

  test('leaves no row of a filter behind', async () => {
    const tenant = await buildTenant(app.owner);
    const person = await app.signInMember(tenant.organizationId);
    await app.owner
      .updateTable('touchpoint_emails')
      .set({ filter_id: null })
      .where('touchpoint_id', '=', tenant.touchpointId)
      .execute();
    const { status } = await app.request('DELETE', `/api/filters/${tenant.filterId}`, { as: person });
    assert.equal(status, 200);
    const left = await app.owner
      .selectFrom('filters')
      .select('id')
      .where('id', '=', tenant.filterId)
      .execute();
    assert.deepEqual(left, []);
  });

  /** @returns the record that the sample operation deletes, and a text that only it contains */
  async function findTarget(
    table: string,
    tenant: Tenant,
    person: Person,
  ): Promise<{ id: string; text: string }> {
    const text = `marker${newId().slice(-12)}`;
    if (table === 'user_addresses') {
      const id = newId();
      await app.owner
        .insertInto('user_addresses')
        .values({ id, user_id: person.userId, line1: text, city: 'Jena', country_id: 'DE' })
        .execute();
      return { id, text };
    }
    const idOf: Record<string, string> = {
      organizations: tenant.organizationId,
      organization_addresses: tenant.addressId,
      organization_contacts: tenant.contactId,
      campaigns: tenant.campaignId,
      brands: tenant.brandId,
      clients: tenant.clientId,
      client_addresses: tenant.clientAddressId,
      client_contacts: tenant.clientContactId,
      touchpoints: tenant.touchpointId,
    };
    const id = idOf[table] ?? '';
    const column = table.endsWith('addresses') ? 'line1' : table.endsWith('contacts') ? 'full_name' : 'name';
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${text} where id = ${id}`.execute(
      app.owner,
    );
    return { id, text };
  }

  interface Answer {
    what: string;
    body: string;
  }

  /** Yields the responses of each read: with the whole sample, without filters, and with a search for the text. */
  async function* readAll(tenant: Tenant, person: Person, text: string): AsyncGenerator<Answer[]> {
    for (const operation of reads) {
      const full =
        sampleInputs[operation.name]?.(tenant) ??
        (await personalInputs[operation.name]?.({ app, tenant, person })) ??
        {};
      const shape = operation.input?.shape ?? {};
      const required = Object.fromEntries(
        Object.entries(full).filter(([key]) => shape[key]?.safeParse(undefined).success === false),
      );
      const inputs = {
        full,
        ...(isDeepStrictEqual(required, full) ? {} : { required }),
        ...('search' in shape ? { search: { ...required, search: text } } : {}),
      };
      yield await Promise.all(
        Object.entries(inputs).map(async ([what, input]) => {
          const { method, path } = toRequest(operation, input);
          const { body } = await app.request<unknown>(method, path, { as: person });
          return { what: `${operation.name} (${what})`, body: JSON.stringify(body ?? null) };
        }),
      );
    }
  }
});
