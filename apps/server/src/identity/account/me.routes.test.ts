import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Preferences, User } from '@reachout/contract/me.ts';
import { newId } from '../../platform/ids.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows } from '../../testing/rows.ts';
import { useMade } from '../../testing/use-made.ts';

const maxBytes = 65_536;

suite('own account', () => {
  const app = useSharedApp();
  const person = useMade(() => app.signIn());

  test('the response describes the signed-in user', async () => {
    assertProblem(await app.request('GET', '/api/me'), 401, 'not_signed_in');
    const body = await person.ok<User>('GET', '/api/me');
    const { full_name, inserted_at, ...rest } = body;
    assert.ok(full_name.startsWith('Person') && inserted_at.endsWith('Z'));
    assert.deepEqual(rest, {
      id: person.userId,
      email: person.email,
      company: null,
      phone: null,
      website: null,
      avatar_url: null,
      status: 'active',
      has_password: false,
      is_operator: false,
    });
    const gone = await app.signIn();
    await deleteRows(app.owner, 'users', { id: gone.userId });
    assertProblem(await gone.request('GET', '/api/me'), 401, 'not_signed_in');
  });

  test('profile, organizations and preferences without a user say so', async () => {
    const gone = await app.signIn();
    await deleteRows(app.owner, 'users', { id: gone.userId });
    for (const path of ['/api/me', '/api/organizations', '/api/me/preferences'])
      for (const as of [undefined, gone]) {
        const answer = await app.request('GET', path, as === undefined ? {} : { as });
        assertProblem(answer, 401, 'not_signed_in');
        assert.equal(answer.body.detail, 'Invalid user', path);
      }
    const other = await app.request('GET', '/api/me/api_keys');
    assert.equal(other.body.detail, 'Sign in or send a valid API key.');
  });

  test('the response only tells whether there is a password', async () => {
    const reader = await app.signIn();
    const account = { user_id: reader.userId, account_id: newId() };
    const hasPassword = async () => (await reader.ok<User>('GET', '/api/me')).has_password;
    await insertRows(app.owner, 'accounts', { ...account, id: newId(), provider_id: 'google' });
    assert.equal(await hasPassword(), false);
    await insertRows(app.owner, 'accounts', {
      ...account,
      id: newId(),
      provider_id: 'credential',
      password: 'hash',
    });
    assert.equal(await hasPassword(), true);
  });

  test('an update changes only the given fields', async () => {
    const change = (body: object, as?: Person) => app.request<User>('PATCH', '/api/me', { body, as });
    assertProblem(await change({ full_name: 'Ada' }), 401, 'not_signed_in');
    for (const [field, value] of [
      ['full_name', ' '],
      ['full_name', 'x'.repeat(121)],
      ['full_name', null],
      ['company', 'x'.repeat(121)],
      ['phone', '1234'],
      ['website', 'javascript:alert(1)'],
      ['email', 'other@people.example'],
      ['avatar_url', '/api/storage/avatars/x'],
      ['status', 'active'],
    ] as const)
      assertInvalid(await change({ [field]: value }, person), field);

    const untouched = await person.request<User>('GET', '/api/me');
    assert.deepEqual((await change({}, person)).body, untouched.body);
    const changes = { full_name: 'x'.repeat(120), company: 'x'.repeat(120), phone: '+49 30 901820' };
    assert.deepEqual((await change(changes, person)).body, { ...untouched.body, ...changes });
    const cleared = await change({ full_name: ' Ada ', company: '', website: 'https://ada.example' }, person);
    assert.deepEqual(cleared.body, {
      ...untouched.body,
      ...changes,
      full_name: 'Ada',
      company: null,
      website: 'https://ada.example',
    });
    // The session reports the same user.
    const session = await person.request<{ user: { name: string } }>('GET', '/api/auth/get-session');
    assert.equal(session.body.user.name, 'Ada');
  });
});

suite('preferences', () => {
  const app = useSharedApp();
  const person = useMade(() => app.signIn());

  const path = '/api/me/preferences';
  const get = async (as = person) => await as.ok<Preferences>('GET', path);
  const send = (method: 'PUT' | 'PATCH', preferences: unknown, as: Person | undefined = person) =>
    app.request<Preferences>(method, path, { body: { preferences }, as });

  test('preferences require a signed-in user', async () => {
    assertProblem(await app.request('GET', path), 401, 'not_signed_in');
    for (const method of ['PUT', 'PATCH'] as const)
      assertProblem(await app.request(method, path, { body: { preferences: {} } }), 401, 'not_signed_in');
    assert.deepEqual(await get(await app.signIn()), {});
  });

  test('preferences are replaced completely or changed by key', async () => {
    const value = { columns: ['name', { width: 120.5 }], open: false, note: 'Ω "quoted" \\u0000' };
    assert.deepEqual((await send('PUT', { theme: 'dark', table: value, nothing: null })).body, {
      theme: 'dark',
      table: value,
    });
    assert.deepEqual((await send('PATCH', { theme: 'light', 'panel.width': 248 })).body, {
      theme: 'light',
      table: value,
      'panel.width': 248,
    });
    // Values are replaced, not merged.
    assert.deepEqual((await send('PATCH', { table: { open: true }, theme: null, unknown: null })).body, {
      table: { open: true },
      'panel.width': 248,
    });
    assert.deepEqual(await get(), { table: { open: true }, 'panel.width': 248 });
    assert.deepEqual((await send('PUT', { language: 'de' })).body, { language: 'de' });
    assert.deepEqual(await get(), { language: 'de' });
  });

  test('preferences are separate for each user', async () => {
    const other = await app.signIn();
    await send('PUT', { theme: 'dark' });
    await send('PATCH', { theme: 'light' }, other);
    assert.deepEqual(await get(), { theme: 'dark' });
    assert.deepEqual(await get(other), { theme: 'light' });
  });

  test('concurrent changes of preferences are all stored', async () => {
    await send('PUT', {});
    const keys = Array.from({ length: 20 }, (_, i) => `key_${i}`);
    const responses = await Promise.all(keys.map((key) => send('PATCH', { [key]: true })));
    assert.ok(responses.every(({ status }) => status === 200));
    assert.deepEqual(Object.keys(await get()).sort(), keys.toSorted());
  });

  test('preferences have valid names and storable values (INP-2)', async () => {
    await send('PUT', { theme: 'dark' });
    for (const method of ['PUT', 'PATCH'] as const) {
      for (const key of ['', '1st', '_private', 'with space', 'x'.repeat(101)]) {
        const body = `{"preferences":{${JSON.stringify(key)}:1}}`;
        const response = await person.request(method, path, body);
        assertInvalid(response, `preferences.${key}`, key);
      }
      for (const value of ['a\u0000b', ['\ud800'], { deep: ['\udc00'] }, { 'k\u0000': 1 }, '\\\u0000'])
        assertInvalid(await send(method, { bad: value }), 'preferences.bad', JSON.stringify(value));
      assertInvalid(await send(method, null), 'preferences');
    }
    assert.deepEqual(await get(), { theme: 'dark' });
    assert.equal(
      (await send('PUT', { ['x'.repeat(100)]: 'fine: \\u0000 \\\\ud800 \ud83d\ude00' })).status,
      200,
    );
  });

  test(`preferences have at most ${maxBytes} bytes together`, async () => {
    const fixed = JSON.stringify({ a: '', b: '' }).length;
    const half = 'ä'.repeat((maxBytes - fixed) / 4);
    const most = { a: half, b: 'x'.repeat(maxBytes - fixed - half.length * 2) };
    assert.equal((await send('PUT', most)).status, 200);
    for (const preferences of [
      { ...most, a: `${half}x` },
      { ...most, c: 1 },
    ])
      assertProblem(await send('PUT', preferences), 422, 'preferences_too_large');
    assertProblem(await send('PATCH', { b: `${most.b}x` }), 422, 'preferences_too_large');
    assertProblem(await send('PATCH', { c: 1 }), 422, 'preferences_too_large');
    assert.deepEqual(await get(), most);
    assert.equal((await send('PATCH', { a: null, c: 1 })).status, 200);
  });
});
