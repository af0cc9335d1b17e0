import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createTestApp, type Person, type TestResponse, type TestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildMember } from '../../testing/builders.ts';
import {
  contractOperations,
  isMissing,
  memberOperations,
  splitInput,
  toRequest,
  type MemberOperation,
} from '../../testing/contract-calls.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { buildTenant, digestTenant, type Tenant } from '../../testing/tenant.ts';

const unknownId = '01900000-0000-7000-8000-000000000000';
/** Unknown values of parameters that are not ids. */
const unknownValueOf: Record<string, unknown> = {
  collection: 'things_unknown',
  role: 'unknown_role',
  changes: { keys: [unknownId], data: { city: 'Rome' } },
};
const malformedIds = ['x', '0', `${unknownId}0`, "' or true --"];

/** Every operation of members × caller × owner of the record (TEN-2); the permissions of roles are in outcomes.test.ts. */
suite('every operation of members', () => {
  let app: TestApp;
  let one: Tenant;
  let other: Tenant;
  /** A tenant whose rows are all soft-deleted; both users are members of it. */
  let gone: Tenant;
  let owner: Person;
  let analyst: Person;
  let stranger: Person;
  let foreigner: Person;
  let ownerOfGone: Person;
  /** Digests of all three tenants, which no request of these tests must change. */
  let digestsBefore: Record<string, string>[];

  before(async () => {
    app = await createTestApp();
    one = await buildTenant(app.owner);
    other = await buildTenant(app.owner);
    gone = await buildTenant(app.owner);
    owner = await app.signInMember(one.organizationId, 'owner');
    analyst = await app.signInMember(one.organizationId, 'analyst');
    foreigner = await app.signInMember(other.organizationId, 'owner');
    ownerOfGone = await app.signInMember(gone.organizationId, 'owner');
    stranger = await app.signIn();
    await deleteAll(app, gone);
    digestsBefore = await digests();
  });
  after(() => app.close());

  const send = (operation: MemberOperation, input: Record<string, unknown>, as?: Person) => {
    const { method, path, ...rest } = toRequest(operation, input);
    return app.request<unknown>(method, path, { ...rest, as });
  };
  const digests = async () => [
    await digestTenant(app.owner, one.organizationId),
    await digestTenant(app.owner, other.organizationId),
    await digestTenant(app.owner, gone.organizationId),
  ];

  for (const operation of memberOperations) {
    const key = operation.access.tenant === 'organization_id' ? 'organization_id' : 'id';
    const sample = (tenant: Tenant, changes: Record<string, unknown> = {}) => ({
      ...sampleInputs[operation.name]?.(tenant),
      ...changes,
    });

    test(`${operation.name} is for members, and for records of their own organization`, async () => {
      assert.ok(
        operation.name in sampleInputs,
        `${operation.name} has no sample in testing/sample-inputs.ts`,
      );
      const unknown = await send(operation, sample(one, { [key]: unknownId }), owner);
      assertProblem(unknown, 404, 'not_found');
      const sameAsUnknown = (response: TestResponse<unknown>, what: string) =>
        assert.deepEqual(
          { status: response.status, body: response.body },
          { status: 404, body: unknown.body },
          what,
        );

      for (const id of [sample(one)[key], unknownId, 'x']) {
        assertProblem(await send(operation, sample(one, { [key]: id })), 401, 'not_signed_in');
      }
      for (const [who, person] of Object.entries({ stranger, foreigner })) {
        for (const id of [sample(one)[key], sample(gone)[key], unknownId, ...malformedIds])
          sameAsUnknown(
            await send(operation, sample(one, { [key]: id }), person),
            `${who} asks for ${String(id)}`,
          );
      }
      for (const [who, person] of Object.entries({ analyst, owner })) {
        for (const id of [sample(other)[key], unknownId, ...malformedIds])
          sameAsUnknown(
            await send(operation, sample(one, { [key]: id }), person),
            `${who} asks for ${String(id)}`,
          );
      }
      if (key === 'organization_id' || operation.access.tenant === 'organizations')
        sameAsUnknown(await send(operation, sample(gone), ownerOfGone), 'a deleted organization');

      assert.deepEqual(await digests(), digestsBefore);
    });

    test(`${operation.name} takes records of others that it names for unknown`, async () => {
      const own = sample(one);
      const theirs = sample(other);
      for (const inner of Object.keys(own)) {
        if (inner === key || JSON.stringify(own[inner]) === JSON.stringify(theirs[inner])) continue;
        // Also within lists of ids.
        const put = (value: unknown) => (Array.isArray(own[inner]) ? [value].flat() : value);
        const ask = async (value: unknown) =>
          await send(operation, sample(await freshTenant(), { [inner]: put(value) }), owner);
        const foreign = await ask(theirs[inner]);
        assert.deepEqual(await digests(), digestsBefore, inner);
        const unknown = await ask(unknownValueOf[inner] ?? unknownId);
        assert.deepEqual(mask(foreign), mask(unknown), `${inner} of another organization`);
      }
    });
  }

  test('has an implementation', async () => {
    const missing = [];
    for (const operation of contractOperations) {
      const input = sampleInputs[operation.name]?.(one) ?? {};
      const { method, path } = toRequest(operation, input);
      if (isMissing(await app.request<unknown>(method, path))) missing.push(operation.name);
    }
    assert.deepEqual(missing, []);
  });

  const deletable = ['clients', 'brands', 'campaigns', 'touchpoints'];
  for (const operation of memberOperations.filter(({ access }) => deletable.includes(access.tenant))) {
    if (operation.name.endsWith('.restore')) continue;
    test(`${operation.name} finds nothing of what was deleted`, async () => {
      const tenant = await freshTenant();
      const table = operation.access.tenant as 'clients';
      const input = sampleInputs[operation.name]?.(tenant) ?? {};
      await app.owner
        .updateTable(table)
        .set({ deleted: true })
        .where('id', '=', String(input['id']))
        .execute();
      const digestBefore = await digestTenant(app.owner, tenant.organizationId);
      const deleted = await send(operation, input, owner);
      const unknown = await send(operation, { ...input, id: unknownId }, owner);
      assert.deepEqual(
        { status: deleted.status, body: deleted.body },
        { status: 404, body: unknown.body },
        splitInput(operation, input).path,
      );
      assert.deepEqual(await digestTenant(app.owner, tenant.organizationId), digestBefore);
    });
  }

  let spare: { tenant: Tenant; digest: Record<string, string> } | undefined;

  /** @returns another, unchanged tenant of the owner: the previous one unless something has changed it */
  async function freshTenant(): Promise<Tenant> {
    if (spare !== undefined) {
      const { tenant, digest } = spare;
      if (isDeepStrictEqual(await digestTenant(app.owner, tenant.organizationId), digest)) return tenant;
    }
    const tenant = await buildTenant(app.owner);
    await buildMember(app.owner, { organization_id: tenant.organizationId, user_id: owner.userId });
    spare = { tenant, digest: await digestTenant(app.owner, tenant.organizationId) };
    return tenant;
  }
});

async function deleteAll(app: TestApp, tenant: Tenant): Promise<void> {
  for (const table of ['clients', 'brands', 'campaigns', 'touchpoints'] as const) {
    await app.owner
      .updateTable(table)
      .set({ deleted: true })
      .where('organization_id', '=', tenant.organizationId)
      .execute();
  }
  await app.owner
    .updateTable('organizations')
    .set({ deleted: true })
    .where('id', '=', tenant.organizationId)
    .execute();
}

/** Masks ids, names and times, which differ between requests; everything else must be equal. */
const mask = ({ status, body }: TestResponse<unknown>) => ({
  status,
  body: JSON.stringify(body ?? null)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/(Organization|Client|Brand|Campaign|Touchpoint|Audience) [0-9a-f]{8}/g, '<name>')
    .replaceAll(/things_[0-9a-z]+/g, '<collection>'),
});
