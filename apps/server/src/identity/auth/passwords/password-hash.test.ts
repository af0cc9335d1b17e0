import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hashPassword } from 'better-auth/crypto';
import { newId } from '../../../platform/ids.ts';
import { useTestApp } from '../../../testing/app.ts';
import { insertRows } from '../../../sample/rows.ts';
import { getRow } from '../../../testing/rows.ts';
import { createAuthClient, goodPassword, newEmail } from '../../../testing/auth-client.ts';
import { buildUser } from '../../../sample/records.ts';
import { recommendedCost } from './password-hash.ts';

suite('password hashes', () => {
  const app = useTestApp({}, { limits: { passwordCost: recommendedCost } });

  const findHash = async (userId: string) =>
    (await getRow(app.owner, 'accounts', ['password'], { user_id: userId })).password;
  const signIn = async (email: string, password: string) =>
    (await createAuthClient(app).post('sign-in/email', { email, password })).status;

  test('a password hash uses 128 MB (AUTH-1)', async () => {
    const email = newEmail();
    const userId = await app.services.auth.createUser({ email, password: goodPassword, name: 'Ada' });
    const hash = await findHash(userId);
    assert.match(hash ?? '', /^\$scrypt\$ln=17,r=8,p=1\$/);
    assert.equal(await signIn(email, goodPassword), 200);
    assert.equal(await findHash(userId), hash);
  });

  test('hashes of lower cost are renewed on sign-in (AUTH-1)', async () => {
    const { id, email } = await buildUser(app.owner);
    const password = await hashPassword(goodPassword);
    await insertRows(app.owner, 'accounts', {
      id: newId(),
      user_id: id,
      account_id: id,
      provider_id: 'credential',
      password,
    });
    assert.equal(await signIn(email, `${goodPassword}x`), 401);
    assert.equal(await findHash(id), password);
    assert.equal(await signIn(email, goodPassword), 200);
    assert.match((await findHash(id)) ?? '', /^\$scrypt\$ln=17,r=8,p=1\$/);
    assert.equal(await signIn(email, `${goodPassword}x`), 401);
    assert.equal(await signIn(email, goodPassword), 200);
  });
});
