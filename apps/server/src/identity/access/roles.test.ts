import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { useSharedApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { isMissing, memberOperations, splitInput } from '../../testing/contract-calls.ts';
import { deleteRows } from '../../testing/rows.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { buildTenant, digestTenant } from '../../testing/tenant.ts';
import { useMade } from '../../testing/use-made.ts';

suite('member rights', () => {
  const app = useSharedApp();
  const tenant = useMade(() => buildTenant(app.owner));
  const owner = useMade(() => app.signInMember(tenant.organizationId));

  test('role changes and removals apply to the next request', async () => {
    const member = await app.signInMember(tenant.organizationId, 'editor');
    const path = `/api/clients/${tenant.clientId}`;
    const rename = () => member.request('PATCH', path, { name: 'Renamed' });
    assert.equal((await rename()).status, 200);
    const mine = app.owner.updateTable('organization_users').where('user_id', '=', member.userId);
    await mine.set({ role: 'analyst' }).execute();
    assertProblem(await rename(), 403, 'forbidden');
    await deleteRows(app.owner, 'organization_users', { user_id: member.userId });
    assertProblem(await rename(), 404, 'not_found');
  });

  test('server fields and duplicate parameters are rejected (TEN-8)', async () => {
    const other = await buildTenant(app.owner);
    const digestsBefore = [
      await digestTenant(app.owner, tenant.organizationId),
      await digestTenant(app.owner, other.organizationId),
    ];
    const unknown = '01900000-0000-7000-8000-000000000000';
    // The body of an item has custom fields: unknown fields are ignored.
    const closed = memberOperations.filter(
      ({ method, bodyField }) => method !== 'GET' && bodyField === undefined,
    );
    const columns = ['deleted', 'error_content', 'updated_at', 'role', 'no_such_column'];
    for (const [index, operation] of closed.entries()) {
      const sample = sampleInputs[operation.name]?.(tenant) ?? {};
      const { path, rest } = splitInput(operation, sample);
      const send = (body: unknown) => owner.request(operation.method, path, body);
      // No input has any of these (contract.test.ts), so one of them shows that the server enforces the contract.
      const column = columns[index % columns.length]!;
      const written = await send({ ...rest, [column]: null });
      if (isMissing(written)) continue;
      assertInvalid(written, column, operation.name);
      for (const [, parameter = ''] of operation.path.matchAll(/\{(\w+)\}/g)) {
        const otherValue = sampleInputs[operation.name]?.(other)[parameter];
        for (const value of [otherValue, unknown]) {
          // Both organizations have the same value, such as a field of a list.
          if (value === sample[parameter]) continue;
          const response = await send({ ...rest, [parameter]: value });
          assertInvalid(response, parameter, operation.name);
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
