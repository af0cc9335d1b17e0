import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Job, JobFigures } from '@reachout/contract/jobs.ts';
import { newId } from '../../platform/ids.ts';
import { waitUntilSomebodyWaits } from '../../testing/wait-for-lock.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { buildOrganization, buildUser } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows, updateRows } from '../../testing/rows.ts';
import { assertColumn } from '../../testing/assert-column.ts';

interface List<T> {
  items: T[];
  count: number;
}

suite('jobs for operators', () => {
  const app = useTestApp({ operators: ['ada@operators.example', 'bob@operators.example'] });
  let operator: Person;
  const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString();

  before(async () => {
    const { id, email } = await buildUser(app.owner, { email: 'ada@operators.example' });
    operator = await app.signIn({ userId: id, email });
  });

  const list = async (query = '') => await operator.ok<List<Job>>('GET', `/api/jobs${query}`);

  test('only listed and verified operators see jobs (TEN-1)', async () => {
    const stranger = await app.signIn();
    const { id, email } = await buildUser(app.owner, { email: 'bob@operators.example' });
    const unproven = await app.signIn({ userId: id, email });
    await updateRows(app.owner, 'users', { id }, { email_verified: false });
    for (const path of ['/api/jobs', '/api/jobs/figures'])
      for (const as of [stranger, unproven]) {
        const { status, body } = await as.request('GET', path);
        assert.deepEqual([status, body.code], [403, 'forbidden'], path);
      }
    const retry = await stranger.request('POST', `/api/jobs/${newId()}/retry`);
    assert.equal(retry.status, 403);
    const isOperator = async (as: Person) =>
      (await as.ok<{ is_operator: boolean }>('GET', '/api/me')).is_operator;
    assert.deepEqual([await isOperator(operator), await isOperator(stranger)], [true, false]);
    assert.deepEqual(await list(), { items: [], count: 0 });
  });

  test('jobs are listed without their payload', async () => {
    const { id: organization_id } = await buildOrganization(app.owner, { name: 'Nordwind' });
    const [failed, open, running, finished] = [newId(), newId(), newId(), newId()];
    const values = { key: 'k', payload: JSON.stringify({ secret: 'of-nobody' }) };
    await insertRows(app.owner, 'jobs', [
      {
        ...values,
        id: failed,
        organization_id,
        kind: 'import',
        state: 'failed',
        attempts: 10,
        error_content: 'TypeError',
        due_at: hours(3),
        created_at: hours(4),
        ended_at: hours(1),
      },
      { ...values, id: open, kind: 'retention', due_at: hours(2), created_at: hours(3) },
      {
        ...values,
        id: running,
        organization_id,
        kind: 'import',
        worker_id: 1,
        attempts: 1,
        due_at: hours(5),
        created_at: hours(2),
      },
      { ...values, id: finished, kind: 'import', state: 'finished', ended_at: hours(1) },
    ]);
    const all = await list();
    assert.equal(all.count, 3);
    assertColumn(all.items, 'id', [running, open, failed]);
    assert.doesNotMatch(JSON.stringify(all), /of-nobody/);
    assert.deepEqual(all.items[2], {
      id: failed,
      kind: 'import',
      state: 'failed',
      organization: { id: organization_id, name: 'Nordwind' },
      is_running: false,
      attempts: 10,
      due_at: all.items[2]?.due_at,
      created_at: all.items[2]?.created_at,
      error_content: 'TypeError',
    });
    assert.equal(all.items[1]?.organization, null);
    const ids = async (query: string) => (await list(query)).items.map(({ id }) => id);
    assert.deepEqual(await ids('?kind=import'), [running, failed]);
    assert.deepEqual(await ids('?state=failed'), [failed]);
    assert.deepEqual(await ids('?kind=retention&state=failed'), []);
    assert.deepEqual(await ids('?page=1&page_size=2'), [failed]);
    const body = await operator.ok<List<JobFigures>>('GET', '/api/jobs/figures');
    const due = all.items.find(({ id }) => id === open)?.due_at;
    assert.deepEqual(body.items, [
      { kind: 'import', open: 1, running: 1, failed: 1, oldest_due_at: null },
      { kind: 'retention', open: 1, running: 0, failed: 0, oldest_due_at: due },
    ]);

    const retry = (id: string) => operator.request('POST', `/api/jobs/${id}/retry`);
    assert.equal((await retry(newId())).status, 404);
    const early = await retry(open);
    assert.deepEqual([early.status, early.body.code], [409, 'invalid_transition']);
    // Per organization, kind and key, only one job can be open.
    assert.equal((await retry(failed)).status, 409);
    await deleteRows(app.owner, 'jobs', { id: running });
    const retried = await retry(failed);
    assert.equal(retried.status, 200);
    const [job] = (await list('?kind=import')).items;
    assert.deepEqual([job?.id, job?.state, job?.attempts], [failed, 'open', 0]);
  });

  test('concurrent retries open a job once', async () => {
    const values = { kind: 'import_file', key: 'race', payload: '{}' };
    const [failed, open] = [newId(), newId()];
    await insertRows(app.owner, 'jobs', { ...values, id: failed, state: 'failed', ended_at: hours(1) });
    const retried = await app.owner.transaction().execute(async (trx) => {
      await insertRows(trx, 'jobs', { ...values, id: open });
      const retrying = operator.request('POST', `/api/jobs/${failed}/retry`);
      await waitUntilSomebodyWaits(app.owner);
      return { retrying };
    });
    const { status, body } = await retried.retrying;
    assert.deepEqual([status, body.code], [409, 'invalid_transition']);
  });
});
