import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { useSharedApp } from '../../../testing/app.ts';
import { assertProblem } from '../../../testing/assert-problem.ts';
import {
  createAuthClient,
  goodPassword as password,
  signUp,
  type AuthClient,
} from '../../../testing/auth-client.ts';
import { copyRow } from '../../../testing/copy-row.ts';
import { updateRows } from '../../../testing/rows.ts';
import { words } from '../../../testing/words.ts';

interface Session {
  id: string;
  is_current: boolean;
  signed_in_at: string;
  last_used_at: string;
  expires_at: string;
  ip_address: string | null;
  user_agent: string | null;
}

const minute = 60_000;
const day = 24 * 60 * minute;

suite('sessions', () => {
  const app = useSharedApp();

  const listOf = async (client: AuthClient) =>
    (await client.request<{ items: Session[]; count: number }>('GET', '/api/me/sessions')).body.items;
  const twoBrowsers = async () => {
    const first = createAuthClient(app);
    const { email } = await signUp(app, first);
    const second = createAuthClient(app);
    await second.post('sign-in/email', { email, password });
    return { email, first, second };
  };
  /** Moves the given timestamps of the user's sessions into the past. */
  const shift = async (
    email: string,
    columns: readonly ('created_at' | 'last_used_at' | 'expires_at')[],
    ms: number,
  ) => {
    const rows = await app.owner
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .selectAll('sessions')
      .where('users.email', '=', email)
      .execute();
    for (const row of rows) {
      const shifted = Object.fromEntries(
        columns.map((column) => [column, new Date(Date.parse(row[column]) - ms).toISOString()]),
      );
      await updateRows(app.owner, 'sessions', { id: row.id }, shifted);
    }
  };
  const isIn = async (client: AuthClient) => {
    const { status } = await client.request('GET', '/api/organizations');
    assert.equal(await client.whoIs().then((email) => email !== undefined), status === 200);
    return status === 200;
  };

  test('sessions are listed by age, with the current one marked', async () => {
    const { first, second } = await twoBrowsers();
    const items = await listOf(first);
    assert.deepEqual(
      items.map(({ is_current, ip_address }) => [is_current, ip_address]),
      [
        [false, second.network],
        [true, first.network],
      ],
    );
    const [one] = items;
    assert.ok(one !== undefined);
    assert.deepEqual(
      Object.keys(one).sort(),
      words(`
      expires_at id ip_address is_current last_used_at signed_in_at user_agent
    `),
    );
    const left = Date.parse(one.expires_at) - Date.now();
    assert.ok(left > 6.9 * day && left <= 7 * day);
  });

  test('users can end only their own sessions (SES-4)', async () => {
    const { first, second } = await twoBrowsers();
    const other = createAuthClient(app);
    await signUp(app, other);
    const id = (await listOf(first)).find(({ is_current }) => !is_current)?.id ?? '';
    for (const stranger of [`/api/me/sessions/${id}`, `/api/me/sessions/${randomUUID()}`])
      assertProblem(await other.request('DELETE', stranger), 404, 'not_found');
    assert.equal(await isIn(second), true);
    assert.deepEqual((await first.request('DELETE', `/api/me/sessions/${id}`)).body, { id });
    assert.equal(await isIn(second), false);
    assert.equal(await isIn(first), true);
    assert.equal(await isIn(other), true);
  });

  test('a user has at most a hundred sessions', async () => {
    const { email, first, second } = await twoBrowsers();
    const [, oldest] = await listOf(second);
    await copyRow(app.owner, 'sessions', oldest?.id ?? '', { count: 98, unique: ['token'] });
    await shift(email, ['last_used_at'], minute);
    await updateRows(
      app.owner,
      'sessions',
      { id: oldest?.id ?? '' },
      { last_used_at: new Date(Date.now() - 2 * minute).toISOString() },
    );
    assert.equal((await listOf(second)).length, 100);
    const third = createAuthClient(app);
    await third.post('sign-in/email', { email, password });
    assert.equal((await listOf(third)).length, 100);
    assert.deepEqual([await isIn(first), await isIn(second), await isIn(third)], [false, true, true]);
  });

  test('all other sessions can be ended at once (SES-4)', async () => {
    const { first, second } = await twoBrowsers();
    assert.deepEqual((await second.request('DELETE', '/api/me/sessions')).body, { ended: 1 });
    assert.equal(await isIn(first), false);
    assert.equal(await isIn(second), true);
    assert.deepEqual((await second.request('DELETE', '/api/me/sessions')).body, { ended: 0 });
  });

  test('sessions end after seven unused days (SES-3)', async () => {
    const { email, first } = await twoBrowsers();
    const columns = ['created_at', 'last_used_at', 'expires_at'] as const;
    await shift(email, columns, 6 * day);
    assert.equal(await isIn(first), true);
    await shift(email, columns, 6 * day);
    assert.equal(await isIn(first), true);
    await shift(email, columns, 7 * day + minute);
    assert.equal(await isIn(first), false);
    assert.equal((await app.request('GET', '/api/me/sessions')).status, 401);
  });

  test('sessions end after thirty days of use (SES-3)', async () => {
    const { email, first } = await twoBrowsers();
    const columns = ['created_at', 'last_used_at', 'expires_at'] as const;
    for (let days = 0; days < 30; days += 5) {
      assert.equal(await isIn(first), true, `after ${days} days`);
      if (days < 25) await shift(email, columns, 5 * day);
    }
    const [session] = await listOf(first);
    assert.ok(Date.parse(session?.expires_at ?? '') <= Date.parse(session?.signed_in_at ?? '') + 30 * day);
    await shift(email, ['created_at'], 5 * day + minute);
    assert.equal(await isIn(first), false);
  });

  test('the last use is stored every five minutes', async () => {
    const { email, first } = await twoBrowsers();
    const usedAt = async () => (await listOf(first)).find(({ is_current }) => is_current)?.last_used_at ?? '';
    const firstUse = await usedAt();
    assert.equal(await usedAt(), firstUse);
    await shift(email, ['last_used_at'], 6 * minute);
    await first.request('GET', '/api/organizations');
    assert.ok(Date.parse(await usedAt()) >= Date.parse(firstUse));
  });
});
