import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, suite, test } from 'node:test';
import { noticeableCost, useTestApp, type TestResponse } from '../../testing/app.ts';
import { insertRows } from '../../sample/rows.ts';
import { buildUser } from '../../sample/records.ts';
import { createAuthClient, goodPassword as password, newEmail } from '../../testing/auth-client.ts';

/**
 * Requests of each kind per measurement. The differences to detect, such as a skipped hash, are larger than the noise.
 */
const calls = 20;
/** Maximum measurements, since a busy machine may need several. */
const measurements = 12;

suite('answers for known and unknown addresses', () => {
  const app = useTestApp({ trustedProxies: ['127.0.0.1'] }, { limits: { passwordCost: noticeableCost } });
  let hash: string;
  before(async () => {
    hash = await app.services.passwords.hashUnlimited(password);
  });

  /** Adds a user with a password. All share one hash, since hashing takes as long as everything else. */
  const addUser = async (): Promise<string> => {
    const { id, email } = await buildUser(app.owner);
    await insertRows(app.owner, 'accounts', {
      id: randomUUID(),
      user_id: id,
      account_id: id,
      provider_id: 'credential',
      password: hash,
    });
    return email;
  };

  const kinds: [name: string, ask: (email: string) => Promise<TestResponse<unknown>>][] = [
    [
      'signing in with a wrong password',
      (email) => createAuthClient(app).post('sign-in/email', { email, password: 'not the password' }),
    ],
    ['signing up', (email) => createAuthClient(app).post('sign-up', { email, password, name: 'Ada' })],
    ['asking for a code', (email) => createAuthClient(app).post('sign-in/code', { email })],
    ['asking for a new password', (email) => createAuthClient(app).post('reset-password', { email })],
  ];

  for (const [name, ask] of kinds) {
    test(`${name} has identical responses for both (AUTH-2)`, async () => {
      const known = await ask(await addUser());
      const unknown = await ask(newEmail());
      assert.deepEqual(comparable(known), comparable(unknown));
      assert.equal(JSON.stringify(known.body), JSON.stringify(unknown.body));
    });

    test(`${name} takes the same time for both (AUTH-2)`, async () => {
      let seen = '';
      const all = { known: [] as number[], unknown: [] as number[] };
      for (let measurement = 0; measurement < measurements; measurement += 1) {
        const times = { known: [] as number[], unknown: [] as number[] };
        for (let call = 0; call < calls; call += 1) {
          const addresses = { known: await addUser(), unknown: newEmail() };
          // Alternates which kind comes first.
          const order = call % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
          for (const kind of order) {
            const started = performance.now();
            await ask(addresses[kind]);
            times[kind].push(performance.now() - started);
          }
        }
        all.known.push(...times.known);
        all.unknown.push(...times.unknown);
        // The fastest requests were least delayed by other load on the machine.
        for (const [known, unknown] of [
          [quantile(times.known, 0.5), quantile(times.unknown, 0.5)],
          [quantile(all.known, 0.25), quantile(all.unknown, 0.25)],
        ] as const) {
          seen = `${known.toFixed(2)} ms and ${unknown.toFixed(2)} ms`;
          if (Math.abs(known - unknown) / Math.max(known, unknown) < 0.1) return;
        }
      }
      assert.fail(`they differ by 10 % and more: ${seen}`);
    });
  }
});

const quantile = (values: number[], part: number): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

/** @returns the response without the parts that differ between any two responses */
function comparable({ status, headers }: TestResponse<unknown>) {
  const { date: _date, 'x-request-id': _request, 'set-cookie': cookies, ...rest } = headers;
  const shapes = [cookies ?? []]
    .flat()
    .map((cookie) => String(cookie).replace(/=[^;]*/, (value) => `=${value.length} characters`));
  return { status, headers: rest, cookies: shapes };
}
