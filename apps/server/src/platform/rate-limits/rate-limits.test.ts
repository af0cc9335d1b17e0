import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { useTestApp } from '../../testing/app.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { limits as rules } from '../../identity/access/rate-limits.ts';
import { createRateLimits, rateLimitPrefixOf } from './rate-limits.ts';
import { createSecrets } from '../secrets.ts';

suite('attempt limits', () => {
  const app = useTestApp();

  const refusalOf = async (work: Promise<void>) =>
    await work.then(
      () => undefined,
      (error: unknown) => error as { code: string; status: number; data: { retry_after: number } },
    );

  test('limits apply across processes and concurrent attempts (AUTH-7)', async () => {
    const { limits, secrets } = app.services;
    const other = createRateLimits({ limits: rules, authUrl: app.authUrl, secrets, onError: () => {} });
    const email = `${randomUUID()}@people.example`;
    const tries = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        refusalOf((index % 2 === 0 ? limits : other).count(['failed_sign_ins_of_account', email])),
      ),
    );
    await other.close();
    assert.equal(tries.filter((refusal) => refusal === undefined).length, 10);
    for (const refusal of tries) {
      if (refusal === undefined) continue;
      assert.equal(refusal.status, 429);
      assert.equal(refusal.code, 'too_many_attempts');
      assert.ok(refusal.data.retry_after > 0 && refusal.data.retry_after <= 900);
    }
    assert.equal(await refusalOf(limits.count(['failed_sign_ins_of_account', randomUUID()])), undefined);
    assert.notEqual(
      await refusalOf(limits.count(['failed_sign_ins_of_account', email.toUpperCase()])),
      undefined,
    );
  });

  test('successes do not count, and limits reset in time', async () => {
    const { limits } = app.services;
    const of = randomUUID();
    for (let count = 0; count < 30; count += 1) {
      await limits.count(['failed_sign_ins_of_account', of]);
      await limits.refund(['failed_sign_ins_of_account', of]);
    }
    for (let count = 0; count < 10; count += 1) await limits.count(['failed_sign_ins_of_account', of]);
    assert.notEqual(await refusalOf(limits.count(['failed_sign_ins_of_account', of])), undefined);
    await updateRows(app.owner, 'rate_limits', {}, { expire: Date.now() - 1 });
    assert.equal(await refusalOf(limits.count(['failed_sign_ins_of_account', of])), undefined);
  });

  test('the first reached limit spares the following ones', async () => {
    const { limits } = app.services;
    const network = randomUUID();
    const email = randomUUID();
    for (let count = 0; count < 50; count += 1) await limits.count(['failed_sign_ins_of_ip_prefix', network]);
    for (let count = 0; count < 20; count += 1) {
      const refusal = await refusalOf(
        limits.count(['failed_sign_ins_of_ip_prefix', network], ['failed_sign_ins_of_account', email]),
      );
      assert.notEqual(refusal, undefined);
    }
    assert.equal(await refusalOf(limits.count(['failed_sign_ins_of_account', email])), undefined);
  });

  test('a refused attempt counts for no limit (AUTH-7)', async () => {
    const { limits } = app.services;
    const network = randomUUID();
    const email = randomUUID();
    for (let count = 0; count < 10; count += 1) await limits.count(['failed_sign_ins_of_account', email]);
    for (let count = 0; count < 60; count += 1) {
      const refusal = await refusalOf(
        limits.count(['failed_sign_ins_of_ip_prefix', network], ['failed_sign_ins_of_account', email]),
      );
      assert.notEqual(refusal, undefined);
    }
    assert.equal(await refusalOf(limits.count(['failed_sign_ins_of_ip_prefix', network])), undefined);
  });

  test('addresses with tags count as one (RATE-2)', async () => {
    const { limits } = app.services;
    const name = randomUUID();
    for (let count = 0; count < 5; count += 1)
      await limits.count(['mails_to_address', `sign_up ${name}+${count}@people.example`]);
    for (const email of [`${name}@people.example`, `${name}+more+tags@people.example`])
      assert.notEqual(await refusalOf(limits.count(['mails_to_address', `sign_up ${email}`])), undefined);
    for (const other of [`sign_up ${name}@people+x.example`, `sign_up other+${name}@people.example`])
      assert.equal(await refusalOf(limits.count(['mails_to_address', other])), undefined, other);
  });

  test('an IPv6 site has its own limit (AUTH-7)', async () => {
    const { limits } = app.services;
    let refused = 0;
    for (let line = 0; line < 90; line += 1) {
      const of = rateLimitPrefixOf(`2001:db8:77:${line.toString(16)}::1`);
      if ((await refusalOf(limits.count(['mails_for_ip_prefix', of]))) !== undefined) refused += 1;
    }
    assert.equal(refused, 10);
    assert.equal(
      await refusalOf(limits.count(['mails_for_ip_prefix', rateLimitPrefixOf('2001:db8:78::1')])),
      undefined,
    );
  });

  test('counters store no address in clear', async () => {
    const email = `${randomUUID()}@people.example`;
    await app.services.limits.count(['mails_to_address', email]);
    const stored = JSON.stringify(await listRows(app.owner, 'rate_limits', '*'));
    assert.ok(stored.includes('mails_to_address'));
    assert.ok(!stored.includes(email));
  });

  test('an unavailable database does not look like a limit', async () => {
    const secrets = createSecrets(randomBytes(32).toString('base64url'));
    const away = createRateLimits({
      limits: rules,
      authUrl: 'postgres://nobody@127.0.0.1:1/none',
      secrets,
      onError: () => {},
    });
    const refusal = await refusalOf(away.count(['failed_sign_ins', '']));
    await away.close();
    assert.equal(refusal?.code, 'ECONNREFUSED');
  });

  test('customers count by network prefix', () => {
    for (const [address, network] of [
      ['203.0.113.7', '203.0.113.7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:0DB8:1:2::1', '2001:db8:1:2::/64'],
      ['2001:db8::1', '2001:db8::/64'],
      ['::1', '::/64'],
      ['fe80::1%eth0', 'fe80::/64'],
      // As proxies write them.
      ['203.0.113.7:4711', '203.0.113.7'],
      ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
      ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
      ['::FFFF:203.0.113.7', '203.0.113.7'],
      ['::ffff:cb00:7107', '203.0.113.7'],
      ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
      ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
      ['64:ff9b::203.0.113.7', '64:ff9b::/64'],
      // All invalid addresses share one counter.
      ['', 'unknown'],
      ['unknown', 'unknown'],
      ['_hidden', 'unknown'],
      ['1.2.3.4.5', 'unknown'],
      ['999.1.1.1', 'unknown'],
      ['2001:db8:::1', 'unknown'],
      ['1:2:3', 'unknown'],
    ] as const)
      assert.equal(rateLimitPrefixOf(address), network, address);
  });
});
