import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { abilityOf, allows, type AbilityRule, type RecordAttributes } from '@reachout/contract/abilities.ts';
import { recordLists, type RecordList } from '@reachout/contract/record-lists.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { signInGuest } from '../../testing/actors.ts';
import { buildCampaign, buildFilter } from '../../sample/records.ts';
import { contractOperations, requiredInput, toRequest } from '../../testing/contract-calls.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';
import { buildBranch } from '../../testing/tenant-branch.ts';
import { buildTenant, type Tenant } from '../../testing/tenant.ts';

type Row = Record<string, unknown>;

const readAll = { action: 'read', subject: 'all' };
const changes = ['create', 'update', 'delete', 'send'];

/** Members of an organization with two clients, each in an organization of their own, which they change. */
const members: Record<string, (tenant: Tenant) => Promise<Person>> = {};

suite('actions of lists', () => {
  const app = useTestApp();
  const join = (tenant: Tenant, rules: Parameters<typeof signInWithRules>[2]) =>
    signInWithRules(app, tenant.organizationId, rules);
  for (const role of ['owner', 'admin', 'editor', 'analyst'])
    members[role] = ({ organizationId }) => app.signInMember(organizationId, role);
  members['guest'] = ({ organizationId, clientId }) => signInGuest(app, organizationId, [clientId]);
  members['a member who changes one brand'] = (tenant) =>
    join(tenant, [
      readAll,
      ...changes.map((action) => ({ action, subject: 'all', conditions: { brand_id: tenant.brandId } })),
    ]);
  members['a member who changes one client'] = (tenant) =>
    join(tenant, [
      readAll,
      ...changes.map((action) => ({ action, subject: 'all', conditions: { client_id: tenant.clientId } })),
    ]);

  for (const [who, enter] of Object.entries(members))
    test(`${who} is offered what the server allows`, async () => {
      const tenant = await buildTenant(app.owner);
      const { organizationId: organization_id } = tenant;
      const others = { ...tenant, ...(await buildBranch(app.owner, { organization_id })) };
      await buildFilter(app.owner, { organization_id, name: 'Shared by all clients' });
      for (const { brandId: brand_id } of [tenant, others])
        await buildCampaign(app.owner, { brand_id, deleted: true, deleted_at: new Date().toISOString() });
      const person = await enter(tenant);
      const { rules } = await person.ok<{ rules: AbilityRule[] }>(
        'GET',
        `/api/organizations/${organization_id}/permissions`,
      );
      const ability = abilityOf(rules);
      const differences: string[] = [];
      for (const [name, list] of Object.entries(recordLists) as unknown as [string, RecordList<Row>][]) {
        const rows = await rowsOf(person, list, [tenant, others]);
        const isOfMembers = accessOf(list.list)?.who === 'member';
        assert.ok(who !== 'owner' || !isOfMembers || rows.length > 0, `${name} has nothing to be compared`);
        for (const [page, row] of rows)
          // Who removes themselves is asked elsewhere, as for leaving.
          for (const [action, { operation, input, isFor, undo }] of Object.entries(list.actions)) {
            if (isFor?.(row) === false || row['user_id'] === person.userId) continue;
            const called = typeof operation === 'function' ? operation(row) : operation;
            const needed = neededFor(called);
            if (needed === undefined) continue;
            const owner = list.ownerOf?.(row, page) ?? {};
            const isOffered = needed.every(([act, subject]) => allows(ability, act, subject, owner));
            const sample = { ...sampleInputs[called]!(tenant), ...input(row, organization_id) };
            const { status, body } = await call(person, called, sample);
            const told = `${name}.${action} of ${JSON.stringify(owner)}: ${status} ${JSON.stringify(body)}`;
            assert.ok(status < 500 && (status !== 422 || isDenied(status, body)), told);
            if (isOffered === isDenied(status, body))
              differences.push(`${isOffered ? 'offered' : 'not offered'}, ${told}`);
            if (status < 300 && undo !== undefined)
              await call(
                person,
                typeof undo === 'function' ? undo(row) : undo,
                input(row, organization_id) as Row,
              );
          }
      }
      assert.deepEqual(differences, []);
    });

  async function rowsOf(
    person: Person,
    { list, isRecord = () => true, rowsOf: toRows = (items) => [...items] }: RecordList<Row>,
    branches: readonly Tenant[],
  ): Promise<[page: RecordAttributes, row: Row][]> {
    const rows: [RecordAttributes, Row][] = [];
    const asked = new Set<string>();
    for (const branch of branches) {
      const operation = contractOperations.find(({ name }) => name === list);
      assert.ok(operation, list);
      if (operation.access.who !== 'member') continue;
      const input = {
        ...requiredInput(operation, sampleInputs[list]!(branch)),
        ...(list === 'signUpForms.list' ? { brand_id: branch.brandId } : {}),
      };
      const key = JSON.stringify(input);
      if (asked.has(key)) continue;
      asked.add(key);
      const { status, body } = await call(person, list, input);
      if (isDenied(status, body)) continue;
      const { items, data } = body as { items?: Row[]; data?: Row[] };
      const page = { client_id: branch.clientId, brand_id: branch.brandId };
      for (const row of toRows((items ?? data ?? body) as never[]).filter(isRecord)) rows.push([page, row]);
    }
    return rows;
  }

  async function call(person: Person, name: string, input: Row) {
    const operation = contractOperations.find((each) => each.name === name);
    assert.ok(operation, name);
    const { method, path, ...rest } = toRequest(operation, input);
    return await app.request<unknown>(method, path, { ...rest, as: person });
  }
});

/** Also a record that the input names besides, which does not exist for this member. */
function isDenied(status: number, body: unknown): boolean {
  const { code = '', errors = [] } = body as { code?: string; errors?: { message: string }[] };
  return (
    ([403, 404].includes(status) && ['forbidden', 'not_found'].includes(code)) ||
    (status === 422 && errors.some(({ message }) => message.startsWith('There is no such ')))
  );
}

const accessOf = (name: string) => contractOperations.find((each) => each.name === name)?.access;

/** The permissions that an operation of members needs. */
function neededFor(name: string) {
  const access = accessOf(name);
  return access?.who === 'member' ? [access.permission, ...access.additionalPermissions] : undefined;
}
