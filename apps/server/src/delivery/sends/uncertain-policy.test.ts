import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { AuditEntry } from '@reachout/contract/audit-log.ts';
import type { Organization } from '@reachout/contract/organizations.ts';
import type { Schedule } from '@reachout/contract/schedules.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';

suite('the policy of uncertain messages', () => {
  const app = useSharedApp();

  const change = ({ organizationId, person }: ReadyEmail, uncertain_policy: string, as: Person = person) =>
    as.request<Organization>('PATCH', `/api/organizations/${organizationId}`, { uncertain_policy });
  const started = async (email: ReadyEmail, body: object = {}) => {
    const path = `/api/touchpoints/${email.touchpointId}/sends`;
    return await email.person.ok<Send>('POST', path, body);
  };
  const policyOf = async ({ person }: ReadyEmail, id: string) =>
    (await person.ok<Send>('GET', `/api/sends/${id}`)).uncertain_policy;
  const cancel = ({ person }: ReadyEmail, { id }: Send) => person.request('POST', `/api/sends/${id}/cancel`);

  test('sends have the policy of their organization unless they name one', async () => {
    const email = await buildReadyEmail(app);
    const other = await buildReadyEmail(app);
    const first = await started(email);
    assert.equal(first.uncertain_policy, 'retry');

    const changed = await change(email, 'hold');
    assert.deepEqual([changed.status, changed.body.uncertain_policy], [200, 'hold']);
    // What was confirmed stays as it was.
    assert.equal(await policyOf(email, first.id), 'retry');
    await cancel(email, first);
    for (const kind of ['campaign', 'triggered'] as const) {
      const byDefault = await started(email, { kind });
      assert.equal(byDefault.uncertain_policy, 'hold', kind);
      await cancel(email, byDefault);
      const named = await started(email, { kind, uncertain_policy: 'retry' });
      assert.equal(named.uncertain_policy, 'retry', kind);
      await cancel(email, named);
    }
    assert.equal((await started(other)).uncertain_policy, 'retry');
  });

  test('schedules have the policy of their organization unless they name one', async () => {
    const email = await buildReadyEmail(app);
    await change(email, 'hold');
    const schedule = async (body: object = {}) => {
      const path = `/api/touchpoints/${email.touchpointId}/schedules`;
      const start_date = new Date(Date.now() + 86_400_000).toISOString();
      return await app.ok<Schedule>('POST', path, {
        body: { start_date, time_zone: 'Europe/Berlin', ...body },
        as: email.person,
      });
    };
    const byDefault = await schedule();
    assert.equal(await policyOf(email, byDefault.next!.send_id), 'hold');
    await email.person.request('DELETE', `/api/schedules/${byDefault.id}`);
    const named = await schedule({ uncertain_policy: 'retry' });
    assert.equal(await policyOf(email, named.next!.send_id), 'retry');
  });

  test('the default is changed with permission, and logged', async () => {
    const email = await buildReadyEmail(app);
    const foreign = await buildReadyEmail(app);
    const path = `/api/organizations/${email.organizationId}`;
    const unsigned = await app.request('PATCH', path, { body: { uncertain_policy: 'hold' } });
    assertProblem(unsigned, 401, 'not_signed_in');
    const editor = await app.signInMember(email.organizationId, 'editor');
    assertProblem(await change(email, 'hold', editor), 403, 'forbidden');
    assertProblem(await change(email, 'hold', foreign.person), 404, 'not_found');
    assertInvalid(await change(email, 'guess'), 'uncertain_policy');
    // Whoever sends sees it.
    const read = await editor.request<Organization>('GET', path);
    assert.equal(read.body.uncertain_policy, 'retry');

    assert.equal((await change(email, 'hold')).status, 200);
    const body = await email.person.ok<{ items: AuditEntry[] }>('GET', `${path}/audit_log`);
    const entry = body.items.find(({ action }) => action === 'organizations.update');
    assert.deepEqual(entry?.details, {
      fields: ['uncertain_policy'],
      values: { uncertain_policy: 'hold' },
    });
  });
});
