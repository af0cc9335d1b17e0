import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { buildSend } from '../../testing/builders.ts';
import { findDueSends } from '../queue/send.queries.ts';

suite('sends that wait for a worker', () => {
  let app: TestApp;

  before(async () => {
    app = await createTestApp();
  });
  after(() => app.close());

  test('are told round robin: what one organization piles up hides nobody else’s (JOB-3)', async () => {
    const first = await buildSend(app.owner, { status: 'sending', send_date: '2026-01-01T00:00:00Z' });
    for (let count = 0; count < 5; count += 1) {
      await buildSend(app.owner, {
        organization_id: first.organization_id,
        status: 'sending',
        send_date: '2026-01-02T00:00:00Z',
      });
    }
    const late = await buildSend(app.owner, { status: 'sending', send_date: '2026-01-03T00:00:00Z' });
    const open = await findDueSends(app.services.db, 3, []);
    assert.deepEqual(
      open.slice(0, 2).map(({ send_id }) => send_id),
      [first.id, late.id],
    );
    assert.equal(open.length, 3);
  });
});
