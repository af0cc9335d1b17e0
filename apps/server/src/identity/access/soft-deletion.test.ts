import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { execute, rowsOf } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { insertRows } from '../../sample/rows.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { contractOperations, requiredInput, toRequest } from '../../testing/contract-calls.ts';
import { personalInputs } from '../../testing/personal-inputs.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { buildTenant, type Tenant } from '../../testing/tenant.ts';
import { assertColumn } from '../../testing/assert-column.ts';

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

/** Tables whose deletions hide nothing of each other, so that one reading proves several. */
const deletedTogether = [
  [
    'organization_addresses',
    'organization_contacts',
    'client_addresses',
    'client_contacts',
    'user_addresses',
    'touchpoints',
  ],
  ['campaigns'],
  ['brands'],
  ['clients'],
  ['organizations'],
];

/** Operations whose purpose includes showing deleted records. */
const tellOfDeleted = ['organizations.trash', 'auditLog.list', 'me.export'];

suite('soft deletion', () => {
  const app = useSharedApp();

  const reads = contractOperations.filter(
    ({ method, name }) => method === 'GET' && !tellOfDeleted.includes(name),
  );

  for (const tables of deletedTogether) {
    test(`no read shows deleted ${tables.join(', ')}`, async () => {
      const tenant = await buildTenant(app.owner);
      const person = await app.signInMember(tenant.organizationId);
      const targets = await Promise.all(tables.map((table) => findTarget(table, tenant, person)));
      const shownIn = ({ body }: Answer) =>
        targets.filter(({ id, text }) => body.includes(id) || body.includes(text));
      const texts = targets.map(({ text }) => text);

      const hidden = new Set(targets);
      for await (const answers of readAll(tenant, person, texts)) {
        for (const target of answers.flatMap(shownIn)) hidden.delete(target);
        if (hidden.size === 0) break;
      }
      assert.deepEqual([...hidden], [], 'nothing shows them');
      for (const { table, id } of targets) {
        const operation = contractOperations.find(({ name }) => name === softlyDeleted[table])!;
        const { method, path } = toRequest(operation, sampleInputs[operation.name]?.(tenant) ?? { id });
        const deleted = await person.request(method, path);
        assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
        // The row still exists, so that it can be restored or inspected.
        const rows = await rowsOf<{ deleted: boolean; since: boolean }>(app.owner)`
          select deleted, deleted_at > now() - interval '1 minute' as since from ${sql.table(table)} where id = ${id}
        `;
        assert.deepEqual(rows, [{ deleted: true, since: true }]);
      }
      const answersAfter: Answer[] = [];
      for await (const answers of readAll(tenant, person, texts)) answersAfter.push(...answers);
      assertColumn(
        answersAfter.filter((answer) => shownIn(answer).length > 0),
        'what',
        [],
      );
      for (const { what, body } of answersAfter) {
        const { count, items } = JSON.parse(body) as { count?: number; items?: unknown[] };
        if (count !== undefined && items !== undefined) assert.equal(count, items.length, what);
      }
    });
  }

  test('only these tables have soft deletion', async () => {
    const rows = await rowsOf<{ table: string }>(app.owner)`
      select c.relname as table from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
        and a.attname in ('deleted', 'deleted_at')
      group by 1 having count(*) = 2 order by 1
    `;
    assertColumn(rows, 'table', Object.keys(softlyDeleted).toSorted());
    assert.deepEqual(deletedTogether.flat().toSorted(), Object.keys(softlyDeleted).toSorted());
    const flags = await sql<{ count: number }>`
      select count(*) as count from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
        and a.attname like '%deleted%'
    `.execute(app.owner);
    assert.equal(flags.rows[0]?.count, 2 * rows.length);
  });

  test('a deleted filter leaves no row', async () => {
    const tenant = await buildTenant(app.owner);
    const person = await app.signInMember(tenant.organizationId);
    await updateRows(
      app.owner,
      'touchpoint_emails',
      { touchpoint_id: tenant.touchpointId },
      { filter_id: null },
    );
    await person.ok('DELETE', `/api/filters/${tenant.filterId}`);
    const left = await listRows(app.owner, 'filters', ['id'], { id: tenant.filterId });
    assert.deepEqual(left, []);
  });

  /** @returns the record that the sample operation deletes, and a text that only it contains */
  async function findTarget(
    table: string,
    tenant: Tenant,
    person: Person,
  ): Promise<{ table: string; id: string; text: string }> {
    const text = `marker${newId().slice(-12)}`;
    if (table === 'user_addresses') {
      const id = newId();
      await insertRows(app.owner, 'user_addresses', {
        id,
        user_id: person.userId,
        line1: text,
        city: 'Jena',
        country_id: 'DE',
      });
      return { table, id, text };
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
    await execute(app.owner)`update ${sql.table(table)} set ${sql.ref(column)} = ${text} where id = ${id}`;
    return { table, id, text };
  }

  interface Answer {
    what: string;
    body: string;
  }

  /** Yields the responses of each read: with the whole sample, without filters, and with a search for each text. */
  async function* readAll(
    tenant: Tenant,
    person: Person,
    texts: readonly string[],
  ): AsyncGenerator<Answer[]> {
    for (const operation of reads) {
      const full =
        sampleInputs[operation.name]?.(tenant) ??
        (await personalInputs[operation.name]?.({ app, tenant, person })) ??
        {};
      const shape = operation.input?.shape ?? {};
      const required = requiredInput(operation, full);
      const inputs = [
        full,
        ...(isDeepStrictEqual(required, full) ? [] : [required]),
        ...('search' in shape ? texts.map((search) => ({ ...required, search })) : []),
      ];
      yield await Promise.all(
        inputs.map(async (input) => {
          const { method, path } = toRequest(operation, input);
          const { body } = await person.request<unknown>(method, path);
          return { what: path, body: JSON.stringify(body ?? null) };
        }),
      );
    }
  }
});
