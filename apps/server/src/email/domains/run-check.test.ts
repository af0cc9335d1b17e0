import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import { startDnsServer, type DnsServer, type Zone } from '../../testing/dns-server.ts';
import { assertInTime } from '../../testing/in-time.ts';
import { findDnsFault } from './dns-fault.ts';
import { openFindings } from './findings.ts';
import { maxRecordBytes, queryLimits, withLookups, type Lookups } from './resolver.ts';
import { createCheckRunner, type DomainCheck } from './run-check.ts';

async function start(t: TestContext, zone: Zone): Promise<DnsServer> {
  const server = await startDnsServer(zone);
  t.after(server.close);
  return server;
}

const ask = <T>({ address }: DnsServer, work: (lookups: Lookups) => Promise<T>, limits = queryLimits) =>
  withLookups(address, limits, 5_000, work);

/** Passes if the record exists. */
const hasRecord: DomainCheck = async (lookups) => {
  const findings = openFindings();
  const answer = await lookups.txt('example.com');
  if (answer.outcome === 'temporary_error') findings.unanswered('example.com', answer.code);
  if (answer.outcome === 'absent')
    findings.fault('fail', 'record_missing', { type: 'TXT', name: 'example.com' });
  return findings.result([]);
};
const codes = ({ verdict, advice }: DomainCheckResult) => [verdict, ...advice.map(({ code }) => code)];

const present: Zone = { 'example.com': { TXT: ['hello'] } };
const silent: Zone = { 'example.com': 'silent' };
const failing: Zone = { 'example.com': 'SERVFAIL' };

suite('answers of a resolver (R5.1)', () => {
  test('a resolver that cannot be reached explains nothing', async () => {
    // Sockets refuse to connect to the address of a broadcast.
    assert.equal(
      await findDnsFault('255.255.255.255', { name: 'example.com', type: 'TXT' }, 1_000),
      undefined,
    );
  });

  test('an unknown name differs from one without such records', async (t) => {
    const server = await start(t, { 'www.example.com': { A: ['192.0.2.1'] } });
    await ask(server, async ({ txt, addresses }) => {
      assert.deepEqual(await txt('example.net'), { outcome: 'absent', reason: 'no_name' });
      assert.deepEqual(await txt('www.example.com'), { outcome: 'absent', reason: 'no_data' });
      assert.deepEqual(
        await txt('example.com'),
        { outcome: 'absent', reason: 'no_data' },
        'a name is below it',
      );
      assert.deepEqual(await addresses('www.example.com'), { outcome: 'found', values: ['192.0.2.1'] });
      assert.deepEqual(await txt(`${'x'.repeat(64)}.example`), { outcome: 'absent', reason: 'no_name' });
    });
  });

  test('strings of a record are joined, names are normalized', async (t) => {
    const server = await start(t, {
      'example.com': { TXT: [['v=DKIM1; p=', 'abc', 'def']], MX: ['20 B.Example.', '10 a.example'] },
      'www.example.com': { CNAME: 'Example.COM.' },
    });
    await ask(server, async ({ txt, mx, cname }) => {
      assert.deepEqual(await txt('Example.com.'), { outcome: 'found', values: ['v=DKIM1; p=abcdef'] });
      assert.deepEqual(await cname('www.example.com'), { outcome: 'found', values: ['example.com'] });
      assert.deepEqual(await mx('example.com'), {
        outcome: 'found',
        values: [
          { priority: 10, exchange: 'a.example' },
          { priority: 20, exchange: 'b.example' },
        ],
      });
    });
  });

  test('texts are UTF-8, or else keep their bytes', async (t) => {
    const server = await start(t, {
      'quoted.example': { TXT: ['“v=spf1 –all”', `${'x'.repeat(254)}é`] },
      'bytes.example': { TXT: [[Buffer.from('caf\u00e9', 'latin1')]] },
    });
    await ask(server, async ({ txt }) => {
      const values = ['“v=spf1 –all”', `${'x'.repeat(254)}é`];
      assert.deepEqual(await txt('quoted.example'), { outcome: 'found', values });
      assert.deepEqual(await txt('bytes.example'), { outcome: 'found', values: ['café'] });
    });
  });

  test('errors of servers are temporary', async (t) => {
    const server = await start(t, { 'a.example': 'SERVFAIL', 'b.example': 'REFUSED', 'c.example': 'silent' });
    // Only the last one is given up.
    for (const [name, code, limits] of [
      ['a.example', 'ESERVFAIL'],
      ['b.example', 'EREFUSED'],
      ['c.example', 'ETIMEOUT', { ...queryLimits, timeoutMs: 250, tries: 1 }],
    ] as const)
      assert.deepEqual(await ask(server, ({ txt }) => txt(name), limits), {
        outcome: 'temporary_error',
        code,
      });
    const closed = await startDnsServer({});
    closed.close();
    assert.deepEqual(await ask(closed, ({ txt }) => txt('example.com')), {
      outcome: 'temporary_error',
      code: 'ECONNREFUSED',
    });
  });

  test('answers and queries are bounded (OUT-7)', async (t) => {
    const server = await start(t, {
      'full.example': { TXT: ['x'.repeat(maxRecordBytes)] },
      'huge.example': { TXT: ['x'.repeat(maxRecordBytes + 1)] },
      'many.example': { TXT: Array.from({ length: 101 }, (_, n) => `${n}`) },
    });
    await ask(server, async ({ txt }) => {
      assert.equal((await txt('full.example')).outcome, 'found');
      for (const name of ['huge.example', 'many.example'])
        assert.deepEqual(await txt(name), { outcome: 'temporary_error', code: 'too_large' });
    });
    const before = server.queries.length;
    const last = await ask(
      server,
      async ({ txt }) => {
        for (let n = 0; n < 100; n += 1) await txt(`${n % 70}.example`);
        return await txt('one.more.example');
      },
      { ...queryLimits, maxQueries: 60 },
    );
    assert.deepEqual(last, { outcome: 'temporary_error', code: 'too_many_queries' });
    assert.equal(server.queries.length - before, 60);
  });
});

suite('runs of a check (R5.2)', () => {
  test('a failure needs two resolvers that agree', async (t) => {
    const [one, other, empty] = [await start(t, present), await start(t, {}), await start(t, {})];
    const run = (...servers: DnsServer[]) =>
      createCheckRunner(servers.map(({ address }) => address))(hasRecord).then(codes);
    assert.deepEqual(await run(one, other), ['pass']);
    assert.equal(other.queries.length, 0, 'the first one suffices');
    assert.deepEqual(await run(other, one), ['temporary_error', 'resolvers_disagree']);
    assert.deepEqual(await run(other, empty), ['fail', 'record_missing']);
    assert.deepEqual(await run(other), ['fail', 'record_missing'], 'there is no other one to ask');
  });

  test('a resolver that fails is replaced', async (t) => {
    const [broken, good, empty] = [await start(t, failing), await start(t, present), await start(t, {})];
    const run = (...servers: DnsServer[]) =>
      createCheckRunner(servers.map(({ address }) => address))(hasRecord).then(codes);
    assert.deepEqual(await run(broken, good), ['pass']);
    assert.deepEqual(
      await run(broken, empty),
      ['temporary_error', 'dns_unavailable'],
      'only one has answered',
    );
    assert.deepEqual(await run(empty, broken), ['temporary_error', 'dns_unavailable']);
    assert.deepEqual(await run(broken, broken), ['temporary_error', 'dns_unavailable']);
  });

  test('silence ends a check, and leaves time for the next resolver (OUT-7)', async (t) => {
    const [mute, good] = [await start(t, silent), await start(t, present)];
    const run = createCheckRunner([mute.address], { totalMs: 200 });
    // Sooner than a query.
    await assertInTime(2_500, async () => {
      const startedAt = performance.now();
      assert.deepEqual(codes(await run(hasRecord)), ['temporary_error', 'check_too_slow']);
      return performance.now() - startedAt;
    });
    const before = mute.queries.length;
    // A busy machine may need most of a second to ask the next one.
    const both = createCheckRunner([mute.address, good.address], { totalMs: 2_000 });
    assert.deepEqual(codes(await both(hasRecord)), ['pass']);
    assert.deepEqual(mute.queries.slice(before), ['TXT example.com']);
  });

  test('silence delays no other checks while there are slots', async (t) => {
    const server = await start(t, { ...silent, 'other.example': { TXT: ['hello'] } });
    const run = createCheckRunner([server.address], {
      totalMs: 60_000,
      maxConcurrent: 2,
      // Longer than twenty answers take on a busy machine.
      timeoutMs: 3_000,
      tries: 1,
    });
    let running = 0;
    let most = 0;
    const counted: DomainCheck = async (lookups) => {
      running += 1;
      most = Math.max(most, running);
      const answer = await lookups.txt('other.example');
      running -= 1;
      assert.equal(answer.outcome, 'found');
      return openFindings().result([]);
    };
    let isSilentDone = false;
    const slow = run(hasRecord).finally(() => {
      isSilentDone = true;
    });
    await Promise.all(Array.from({ length: 20 }, () => run(counted)));
    assert.equal(isSilentDone, false);
    assert.equal(most, 1, 'of two slots, one is occupied');
    assert.equal((await slow).verdict, 'temporary_error');
  });
});
