import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import { createLog } from '../../platform/log.ts';
import { useTestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { useWorld } from '../../testing/world.ts';

suite('error responses', () => {
  const logged: string[] = [];
  const app = useTestApp({}, { log: createLog('error', { write: (line) => logged.push(line) }) });
  const { organizationId: organization_id, owner } = useWorld(app);

  test('errors are problem details without caching (RFC 9457, TEN-12)', async () => {
    const list = `/api/clients?organization_id=${organization_id}`;
    for (const response of [
      await app.request('GET', list),
      await owner.request('GET', `${list}&page=x`),
      await owner.request('GET', '/api/clients/x'),
      await owner.request('GET', '/api/no-such-call'),
    ]) {
      assert.ok(response.status >= 400);
      assert.match(String(response.headers['content-type']), /^application\/problem\+json/);
      assert.equal(response.headers['cache-control'], 'no-store');
      assert.notEqual(response.headers['x-request-id'], undefined);
      assert.equal(response.body.title, STATUS_CODES[response.status]);
      assert.equal(response.body.type, 'about:blank');
    }
    const fine = await owner.request('GET', list);
    assert.match(String(fine.headers['content-type']), /^application\/json/);
    assert.equal(fine.headers['cache-control'], 'no-store');
  });

  test('internal errors reveal no details (ERR-1)', async () => {
    await sql`alter table clients rename column name to broken`.execute(app.owner);
    try {
      const response = await owner.request('GET', `/api/clients?organization_id=${organization_id}`);
      assertProblem(response, 500, 'internal');
      assert.deepEqual(Object.keys(response.body).sort(), ['code', 'detail', 'status', 'title', 'type']);
      const [line = '{}'] = logged;
      const { request } = JSON.parse(line) as { request?: string };
      assert.equal(request, response.headers['x-request-id'], line);
      assert.doesNotMatch(JSON.stringify(response.body), /column|clients|select|postgres|kysely|\.ts|at /i);
    } finally {
      await sql`alter table clients rename column broken to name`.execute(app.owner);
    }
  });
});
