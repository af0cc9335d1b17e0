import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import type { OperationMeta } from '@reachout/contract/operation.ts';
import { contract } from '@reachout/contract/router.ts';
import { useSharedApp } from '../../testing/app.ts';
import { buildMember } from '../../sample/records.ts';
import { memberOperations, toRequest, type MemberOperation } from '../../testing/contract-calls.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { buildTenant, digestTenant, type Tenant } from '../../testing/tenant.ts';
import { useMade } from '../../testing/use-made.ts';

/**
 * Operations that the sample's state rejects: its send has ended, its email has no template and is not active, its
 * audience is in use.
 */
const refusedByState = [
  // An email is no website that could be started.
  'websites.start',
  'websites.pause',
  'sends.start',
  'sends.pause',
  'sends.resume',
  'sends.cancel',
  'sends.followUp',
  'sends.resolveUncertain',
  'schedules.create',
  'schedules.queueItems',
  'schedules.confirm',
  'schedules.update',
  'messages.create',
  'emails.test',
  'filters.delete',
  'content.deleteCollection',
  'content.startImport',
  'content.cancelImport',
];

/** Their records are contacts, whose names the log does not keep, or have no name. */
const unnamed = [
  'consent.',
  'contentBackend.retryCopies',
  'contacts.',
  'dataRequests.',
  'content.createItem',
  'content.updateItem',
  'content.deleteItem',
  'invitations.removeLink',
  'invitations.renewLink',
  'organizations.',
  'suppressions.',
];

const metaOf = (name: string): OperationMeta => {
  let node: unknown = contract;
  for (const part of name.split('.')) node = (node as Record<string, unknown>)[part];
  return (node as { '~orpc': { meta: OperationMeta } })['~orpc'].meta;
};
/** Operations with manual transactions that change something here; the others only compute, stream or call other servers. */
const commits = [
  'touchpoints.create',
  'rpc.createTouchpoint',
  'sends.start',
  'schedules.create',
  'schedules.queueItems',
  'schedules.confirm',
  'emails.test',
  'content.createItem',
  'content.updateItem',
  'content.updateItems',
  'content.deleteItem',
  'content.deleteItems',
  'content.deleteFile',
  'content.createShare',
  'storage.deleteFiles',
];
const changing = memberOperations.filter(
  ({ name, method }) => method !== 'GET' && (!metaOf(name).manualTransaction || commits.includes(name)),
);

suite('audit log entries of operations (AUD-1)', () => {
  const app = useSharedApp();
  const owner = useMade(() => app.signIn());

  const send = (operation: MemberOperation, tenant: Tenant, as = owner) => {
    const { method, path, ...rest } = toRequest(operation, sampleInputs[operation.name]?.(tenant) ?? {});
    return app.request<unknown>(method, path, { ...rest, as });
  };
  const entries = (tenant: Tenant) =>
    app.owner
      .selectFrom('audit_log')
      .selectAll()
      .where('organization_id', '=', tenant.organizationId)
      .where('action', '<>', 'sign_in')
      .orderBy('at')
      .orderBy('id')
      .execute();
  const freshTenant = async () => {
    const tenant = await buildTenant(app.owner);
    await buildMember(app.owner, { organization_id: tenant.organizationId, user_id: owner.userId });
    return tenant;
  };

  test('the test covers more than sixty operations', () =>
    assert.ok(changing.length > 60, String(changing.length)));

  for (const operation of changing) {
    test(`${operation.name} writes one entry in its transaction`, async () => {
      const tenant = await freshTenant();
      const earlier = (await entries(tenant)).length;
      if (refusedByState.includes(operation.name)) {
        const { status, body } = await send(operation, tenant);
        assert.ok(status >= 400, `${status} ${JSON.stringify(body)}`);
        assert.equal((await entries(tenant)).length, earlier);
        return;
      }
      // The entry and the change are in one transaction: without the entry, the change is rolled back.
      await withoutLog(tenant, async () => {
        const digestBefore = await digestTenant(app.owner, tenant.organizationId);
        assert.equal((await send(operation, tenant)).status, 500);
        assert.deepEqual(await digestTenant(app.owner, tenant.organizationId), digestBefore);
      });
      const response = await send(operation, tenant);
      assert.ok(response.status < 400, `${response.status} ${JSON.stringify(response.body)}`);
      const added = (await entries(tenant)).slice(earlier);
      assert.equal(added.length, 1, JSON.stringify(added));
      const [entry] = added;
      assert.deepEqual(
        [entry?.action, entry?.user_id, entry?.ip_address],
        [operation.name, owner.userId, '127.0.0.1'],
      );
      assert.notEqual(entry?.record_type, null);
      if (!unnamed.some((area) => operation.name.startsWith(area))) assert.notEqual(entry?.record_name, null);
      assertHarmless(entry, tenant, response.body);
    });
  }

  async function withoutLog({ organizationId }: Tenant, work: () => Promise<void>): Promise<void> {
    await sql`
      alter table audit_log add constraint closed check (organization_id <> ${sql.lit(organizationId)}) not valid
    `.execute(app.owner);
    await work();
    await sql`alter table audit_log drop constraint closed`.execute(app.owner);
  }

  /** Asserts that the entry has no secret, and no user input except the name of the record itself (SEC-2). */
  function assertHarmless(entry: unknown, tenant: Tenant, response: unknown): void {
    const text = JSON.stringify(entry);
    const details = JSON.stringify((entry as { details: unknown }).details);
    for (const secret of [tenant.invitationToken, tenant.linkToken, ...secretsIn(response)])
      assert.ok(!text.includes(secret), text);
    assert.doesNotMatch(details, /@|\.example|\+?\d{5,} \d|reachout_/, details);
  }
});

/** Yields the secrets that the response shows once. */
function* secretsIn(response: unknown): Generator<string> {
  if (typeof response !== 'object' || response === null) return;
  for (const [key, value] of Object.entries(response)) {
    if (typeof value !== 'string') yield* secretsIn(value);
    else if (key === 'secret' || key === 'invitation_token') yield value;
    else if (/\/(invitation|join)\//.test(value)) yield value.split('/').at(-1)!;
  }
}
