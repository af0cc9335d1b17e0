import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { isMissing, memberCalls, splitInput } from '../../testing/contract-calls.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { buildTenant, digestTenant, type Tenant } from '../../testing/tenant.ts';

suite('a member', () => {
  let app: TestApp;
  let tenant: Tenant;
  let owner: Person;

  before(async () => {
    app = await createTestApp();
    tenant = await buildTenant(app.owner);
    owner = await app.signInMember(tenant.organizationId);
  });
  after(() => app.close());

  test('loses every right with the membership, and gains none by a new role before the next call', async () => {
    const member = await app.signInMember(tenant.organizationId, 'editor');
    const path = `/api/clients/${tenant.clientId}`;
    const rename = () => app.request('PATCH', path, { body: { name: 'Renamed' }, as: member });
    assert.equal((await rename()).status, 200);
    const mine = app.owner.updateTable('organization_users').where('user_id', '=', member.userId);
    await mine.set({ role: 'analyst' }).execute();
    assertProblem(await rename(), 403, 'forbidden');
    await app.owner.deleteFrom('organization_users').where('user_id', '=', member.userId).execute();
    assertProblem(await rename(), 404, 'not_found');
  });

  test('cannot write what the server owns, or name one record twice (TEN-8)', async () => {
    const other = await buildTenant(app.owner);
    const digestsBefore = [
      await digestTenant(app.owner, tenant.organizationId),
      await digestTenant(app.owner, other.organizationId),
    ];
    const unknown = '01900000-0000-7000-8000-000000000000';
    for (const call of memberCalls.filter(({ method }) => method !== 'GET')) {
      const sample = sampleInputs[call.name]?.(tenant) ?? {};
      const { path, rest } = splitInput(call, sample);
      const send = (body: unknown) => app.request(call.method, path, { body, as: owner });
      for (const column of ['deleted', 'error_content', 'updated_at', 'role', 'no_such_column']) {
        const answer = await send({ ...rest, [column]: null });
        if (isMissing(answer)) break;
        assertInvalid(answer, column, call.name);
      }
      for (const [, parameter = ''] of call.path.matchAll(/\{(\w+)\}/g)) {
        const otherValue = sampleInputs[call.name]?.(other)[parameter];
        for (const value of [otherValue, unknown]) {
          const answer = await send({ ...rest, [parameter]: value });
          if (isMissing(answer)) break;
          assertInvalid(answer, parameter, call.name);
        }
      }
    }
    assert.deepEqual(
      [
        await digestTenant(app.owner, tenant.organizationId),
        await digestTenant(app.owner, other.organizationId),
      ],
      digestsBefore,
    );
  });
});
