import assert from 'node:assert/strict';
import { after, before, mock, suite, test } from 'node:test';
import { Client } from 'pg';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';

suite('health (HLT-1)', () => {
  let app: TestApp;
  let person: Person;

  before(async () => {
    app = await createTestApp();
    person = await app.signIn();
  });
  after(() => app.close());

  /** How many statements this process sends while `work` goes on. */
  async function countStatements(work: () => Promise<void>): Promise<number> {
    const spy = mock.method(Client.prototype, 'query');
    await work();
    spy.mock.restore();
    return spy.mock.callCount();
  }

  for (const as of ['nobody', 'somebody'] as const) {
    const asking = () => (as === 'somebody' ? { as: person } : {});

    test(`1,000 questions of ${as} whether the process is ready are two statements at most`, async () => {
      const statements = await countStatements(async () => {
        const responses = await Promise.all(
          Array.from({ length: 1_000 }, () => app.request('GET', '/api/health/ready', asking())),
        );
        for (const { status, body } of responses)
          assert.deepEqual({ status, body }, { status: 200, body: { status: 'ok' } });
      });
      assert.ok(statements <= 2, `${statements} statements`);
    });

    test(`whether it lives is told to ${as} without any`, async () => {
      const statements = await countStatements(async () => {
        const { status, body } = await app.request('GET', '/api/health/live', asking());
        assert.deepEqual({ status, body }, { status: 200, body: { status: 'ok' } });
      });
      assert.equal(statements, 0);
    });
  }

  test('the count sees statements', async () => {
    assert.ok(
      (await countStatements(async () => void (await app.request('GET', '/api/me', { as: person })))) > 0,
    );
  });
});
