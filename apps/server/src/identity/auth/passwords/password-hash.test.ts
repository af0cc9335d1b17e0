import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { hashPassword } from 'better-auth/crypto';
import { newId } from '../../../platform/ids.ts';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { createAuthClient, goodPassword, newEmail } from '../../../testing/auth-client.ts';
import { buildUser } from '../../../testing/builders.ts';
import { recommendedCost } from './password-hash.ts';

suite('hashes of passwords', () => {
  let app: TestApp;
  before(async () => {
    app = await createTestApp({}, { limits: { passwordCost: recommendedCost } });
  });
  after(() => app.close());

  const findHash = async (userId: string) =>
    (
      await app.owner
        .selectFrom('accounts')
        .select('password')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
    ).password;
  const signIn = async (email: string, password: string) =>
    (await createAuthClient(app).post('sign-in/email', { email, password })).status;

  test('take 128 MB each (AUTH-1)', async () => {
    const email = newEmail();
    const userId = await app.services.auth.createUser({ email, password: goodPassword, name: 'Ada' });
    const hash = await findHash(userId);
    assert.match(hash ?? '', /^\$scrypt\$ln=17,r=8,p=1\$/);
    assert.equal(await signIn(email, goodPassword), 200);
    assert.equal(await findHash(userId), hash);
  });

  test('of an earlier cost work, and are made anew at the next sign-in (AUTH-1)', async () => {
    const { id, email } = await buildUser(app.owner);
    const password = await hashPassword(goodPassword);
    await app.owner
      .insertInto('accounts')
      .values({ id: newId(), user_id: id, account_id: id, provider_id: 'credential', password })
      .execute();
    assert.equal(await signIn(email, `${goodPassword}x`), 401);
    assert.equal(await findHash(id), password);
    assert.equal(await signIn(email, goodPassword), 200);
    assert.match((await findHash(id)) ?? '', /^\$scrypt\$ln=17,r=8,p=1\$/);
    assert.equal(await signIn(email, `${goodPassword}x`), 401);
    assert.equal(await signIn(email, goodPassword), 200);
  });
});
