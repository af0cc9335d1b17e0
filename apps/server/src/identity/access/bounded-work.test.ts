import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { after, before, mock, suite, test } from 'node:test';
import { sql } from 'kysely';
import { Client } from 'pg';
import { contractOperations } from '../../testing/contract-calls.ts';
import { createTestApp, type Person, type TestApp, type TestResponse } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { makeKeyOf } from '../../testing/actors.ts';
import { buildOrganization } from '../../testing/builders.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { newId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { limitedTransaction, workloads } from './limited-transaction.ts';
import { createRequestLimits } from './request-limits.ts';

interface Tenant {
  organization_id: string;
  person: Person;
}

const signUpTenant = async (app: TestApp): Promise<Tenant> => {
  const { id } = await buildOrganization(app.owner);
  return { organization_id: id, person: await app.signInMember(id) };
};
const listCampaigns = (app: TestApp, { organization_id, person }: Tenant) =>
  app.request('GET', `/api/campaigns?organization_id=${organization_id}`, { as: person });
const statusesOf = (responses: TestResponse<unknown>[]) => responses.map(({ status }) => status);

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

function assertRefused(response: TestResponse<unknown>, status: 429 | 503): void {
  assertProblem(response, status, status === 429 ? 'too_many_requests' : 'unavailable');
  const seconds = Number(response.headers['retry-after']);
  assert.ok(seconds >= 1 && seconds <= 10, String(seconds));
}

suite('expensive operations', () => {
  let app: TestApp;
  let logged = '';
  before(async () => {
    app = await createTestApp({}, { log: createLog('warn', { write: (line) => void (logged += line) }) });
  });
  after(() => app.close());

  test('of three accounts leave the lists of another tenant alone, and end within 2 s (RATE-1, TMO-2)', async () => {
    const guests = await Promise.all(Array.from({ length: 3 }, () => signUpTenant(app)));
    const other = await signUpTenant(app);
    // Counts that take until the test lets them go on.
    const holder = new Client({ connectionString: app.ownerUrl });
    await holder.connect();
    await holder.query('begin; lock table content_collections, content_fields in access exclusive mode');
    let ended = 0;
    const counts = Promise.all(
      Array.from({ length: 15 }, async (_, index) => {
        const { organization_id, person } = guests[index % guests.length]!;
        const response = await app.request('POST', '/api/filters/count', {
          body: { organization_id },
          as: person,
        });
        ended += 1;
        return response;
      }),
    );
    const countRunning = async () => {
      const { rows } = await sql<{ running: number }>`
        select count(*)::int as running from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and usename = 'reachout_app'
      `.execute(app.owner);
      return rows[0]!.running;
    };
    try {
      await waitUntil('counts are under way', async () => (await countRunning()) === 3);
      const lists = await Promise.all(Array.from({ length: 20 }, () => listCampaigns(app, other)));
      assert.deepEqual(new Set(statusesOf(lists)), new Set([200]));
      // Those that get no connection are told so while the first still hold theirs.
      await waitUntil('the others are refused', () => Promise.resolve(ended === 12));
      assert.equal(await countRunning(), 3);
    } finally {
      await holder.query('rollback');
      await holder.end();
    }
    const responses = await counts;
    const refused = responses.filter(({ status }) => status === 503);
    assert.equal(refused.length, 12);
    for (const response of refused) assertRefused(response, 503);
    assert.match(logged, /"bound":"expensive connections/);
  });

  test('are those whose time grows with the data, and every search (RATE-1)', async () => {
    assert.deepEqual(
      contractOperations.filter(({ isExpensive }) => isExpensive).map(({ name }) => name),
      [
        'me.export',
        'touchpoints.review',
        'emails.picture',
        'emails.preview',
        'emails.test',
        'sends.start',
        'sends.receipt',
        'filters.count',
        'templates.picture',
        'templates.preview',
        'content.collections',
        'content.createField',
        'content.updateField',
        'content.items',
        'statistics.emailStats',
        'statistics.emailChart',
        'statistics.emailLinks',
        'statistics.emailLinkMap',
        'statistics.emailProviders',
        'statistics.emailDevices',
        'statistics.emailComparison',
        'statistics.emailEvents',
        'dashboard.overview',
        'dashboard.results',
      ],
    );
    const tenant = await signUpTenant(app);
    const sleeping = limitedTransaction(
      app.services.expensiveDb,
      { userId: tenant.person.userId },
      (trx) => sql`select pg_sleep(2)`.execute(trx),
      'expensive',
    );
    const list = `/api/campaigns?organization_id=${tenant.organization_id}`;
    const [search, plain, personalData] = await Promise.all(
      [`${list}&search=spring`, `${list}&search=`, '/api/me/export'].map((path) =>
        app.request('GET', path, { as: tenant.person }),
      ),
    );
    assertRefused(search!, 503);
    assertRefused(personalData!, 503);
    assert.equal(plain!.status, 200);
    await sleeping;
  });

  test('run on one processor of the database each', async () => {
    const { rows } = await app.services.expensiveDb
      .transaction()
      .execute((trx) => sql`show max_parallel_workers_per_gather`.execute(trx));
    assert.deepEqual(rows, [{ max_parallel_workers_per_gather: '0' }]);
  });
});

suite('look-ups of who asks', () => {
  let app: TestApp;
  let tenant: Tenant;
  let logged = '';
  before(async () => {
    app = await createTestApp({}, { log: createLog('warn', { write: (line) => void (logged += line) }) });
    tenant = await signUpTenant(app);
  });
  after(() => app.close());

  test('need no connection that operations hold, which end with 503 within 2 s (TMO-2)', async () => {
    let areHeld = true;
    const held = Promise.all(
      Array.from({ length: 10 }, () =>
        limitedTransaction(app.services.db, { userId: newId() }, (trx) =>
          sql`select pg_sleep(3)`.execute(trx),
        ),
      ),
    ).then(() => (areHeld = false));
    const stranger = await app.request('GET', `/api/campaigns?organization_id=${newId()}`, {
      as: tenant.person,
    });
    assertProblem(stranger, 404, 'not_found');
    const refused = await Promise.all([
      listCampaigns(app, tenant),
      app.request('GET', '/api/organizations/invitations/unknown'),
    ]);
    for (const response of refused) assertRefused(response, 503);
    assert.ok(areHeld);
    // Nobody waits in the pool of the driver, whose errors look like those of a lost database.
    assert.doesNotMatch(logged, /database away/);
    await held;
  });

  test('of one session or key are few, however many requests come at once (RATE-1)', async () => {
    const { organization_id, person } = tenant;
    const key = await makeKeyOf(app, organization_id, person.userId);
    for (const [table, as] of [
      ['"sessions"', person],
      ['api_key_by_hash', key],
    ] as const) {
      // Once, so that what is written at the first use is done.
      await listCampaigns(app, { organization_id, person: as });
      const spy = mock.method(Client.prototype, 'query');
      const responses = await Promise.all(
        Array.from({ length: 40 }, () => listCampaigns(app, { organization_id, person: as })),
      );
      const statements = spy.mock.calls.map(({ arguments: [query] }) =>
        typeof query === 'string' ? query : String((query as { text?: string } | undefined)?.text),
      );
      spy.mock.restore();
      assert.deepEqual(new Set(statusesOf(responses)), new Set([200]));
      const lookups = statements.filter((text) => text.includes(table));
      assert.ok(lookups.length >= 1 && lookups.length <= 6, `${table}: ${lookups.length}`);
    }
  });
});

suite('waits of one request', () => {
  let app: TestApp;
  let tenant: Tenant;
  before(async () => {
    app = await createTestApp();
    tenant = await signUpTenant(app);
  });
  after(() => app.close());

  /** Keeps all connections of a pool, and the session look-ups, until each is released. */
  async function exhaust() {
    const { access, db } = app.services;
    const holders = await Promise.all(
      ['lock table sessions', 'select pg_advisory_xact_lock(1)', 'select pg_advisory_xact_lock(2)'].map(
        async (statement) => {
          const client = new Client({ connectionString: app.ownerUrl });
          await client.connect();
          await client.query(`begin; ${statement}`);
          return client;
        },
      ),
    );
    const occupy = (pool: typeof db, workload: 'access' | 'general', lock: number) =>
      Array.from({ length: workloads[workload].connections }, () =>
        limitedTransaction(
          pool,
          { userId: newId() },
          (trx) => sql`select pg_advisory_xact_lock_shared(${lock})`.execute(trx),
          workload,
        ),
      );
    const occupied = [...occupy(access.db, 'access', 1), ...occupy(db, 'general', 2)];
    const release = async (index: number) => await holders[index]!.end();
    return {
      releaseSessions: () => release(0),
      releaseAccess: () => release(1),
      releaseRest: () => release(2),
      occupied,
    };
  }

  test('for session, membership and operation in turn end within 2 s (TMO-2)', async () => {
    const { releaseSessions, releaseAccess, releaseRest, occupied } = await exhaust();
    const twoSeconds = delay(2_000, 'waits still');
    // With a body: what belongs to a request must outlast its reading.
    const response = app.request('POST', '/api/clients', {
      as: tenant.person,
      body: { organization_id: tenant.organization_id, name: 'Client' },
    });
    await delay(500);
    await releaseSessions();
    await delay(500);
    await releaseAccess();
    const first = await Promise.race([response, twoSeconds]);
    await releaseRest();
    await Promise.all(occupied);
    assert.notEqual(first, 'waits still');
    assertRefused(first as TestResponse<unknown>, 503);
  });
});

suite('look-ups of sessions', () => {
  test('that get no connection end with 503 within 2 s (TMO-2)', async () => {
    const app = await createTestApp();
    // More than the pool has connections, and one who asks for more while the first look-up is under way.
    const people = await Promise.all(Array.from({ length: 8 }, () => app.signIn()));
    people.push(people[0]!, people[0]!);
    const holder = new Client({ connectionString: app.ownerUrl });
    await holder.connect();
    await holder.query('begin; lock table sessions in access exclusive mode');
    const ended: TestResponse<unknown>[] = [];
    const requests = people.map(async (person) =>
      ended.push(await app.request('GET', '/api/me', { as: person })),
    );
    try {
      const first = await Promise.race([Promise.all(requests), delay(2_000, 'waits still')]);
      assert.notEqual(first, 'waits still');
      for (const response of ended) assertRefused(response, 503);
    } finally {
      await holder.query('rollback');
      await holder.end();
      await Promise.all(requests);
      // Their look-ups went on: these end after them.
      await Promise.all(people.map((person) => app.request('GET', '/api/me', { as: person })));
      await app.close();
    }
  });
});

suite('requests beyond the limits', () => {
  let app: TestApp;
  let logged = '';
  /** Requests that may come at once: ten seconds' worth. */
  const burst = { person: 50, organization: 70, network: 90 };
  /** Some are refused, unless the machine takes 20 s for all: as many are allowed anew in that time. */
  const tooMany = <T>(of: keyof typeof burst, call: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 3 * burst[of] }, (_, index) => call(index)));
  before(async () => {
    app = await createTestApp(
      {
        trustedProxies: ['127.0.0.1'],
        requestsPerMinute: {
          person: burst.person * 6,
          organization: burst.organization * 6,
          network: burst.network * 6,
        },
      },
      { log: createLog('warn', { write: (line) => void (logged += line) }) },
    );
  });
  after(() => app.close());

  let lastNetwork = 0;
  const newNetwork = () => {
    lastNetwork += 1;
    return `198.${18 + (lastNetwork >> 8)}.${lastNetwork & 255}.1`;
  };
  const ask = (network: string, path: string, as?: Person) =>
    app.request('GET', path, { as, headers: { 'x-forwarded-for': network } });

  test('of a network count in full, however their path is written (RATE-1)', async () => {
    const network = newNetwork();
    const responses = await tooMany('network', () => ask(network, '/%61pi/auth/get-session'));
    assert.ok(statusesOf(responses).includes(200));
    assert.ok(statusesOf(responses).includes(429));
  });

  test('of invented sessions take no memory to speak of (RATE-1)', async () => {
    const limits = createRequestLimits({
      requestsPerMinute: { person: 1_800, organization: 3_600, network: 7_200 },
    });
    const heapBefore = heapAfterCollection();
    // As long as a header can be.
    for (let index = 0; index < 3_000; index += 1)
      await limits.countCredential(Buffer.alloc(16_000, `${index} `).toString('latin1'));
    const growth = heapAfterCollection() - heapBefore;
    assert.ok(growth < 5_000_000, `${growth} bytes`);
    await limits.countCredential('the limits are still in use');
  });

  const cases: [of: keyof typeof burst, prepare: () => Promise<(index: number) => ReturnType<typeof ask>>][] =
    [
      [
        'person',
        async () => {
          const person = await app.signIn();
          return () => ask(newNetwork(), '/api/me', person);
        },
      ],
      [
        'organization',
        async () => {
          const { id } = await buildOrganization(app.owner);
          const people = [await app.signInMember(id), await app.signInMember(id)];
          return (index) =>
            ask(newNetwork(), `/api/campaigns?organization_id=${id}`, people[index % people.length]);
        },
      ],
      [
        'network',
        () => {
          const network = newNetwork();
          return Promise.resolve(() => ask(network, '/api/me'));
        },
      ],
    ];
  for (const [of, prepare] of cases) {
    test(`of one ${of} get 429 and the time to wait, which others do not (RATE-1)`, async () => {
      const call = await prepare();
      const startedAt = performance.now();
      const responses = await tooMany(of, call);
      const elapsedMs = performance.now() - startedAt;
      const refused = responses.filter(({ status }) => status === 429);
      const allowed = responses.length - refused.length;
      assert.ok(refused.length >= 1, 'none was refused');
      assert.ok(allowed >= burst[of], `${allowed} were allowed`);
      const allowedAnew = Math.ceil((elapsedMs * burst[of]) / 10_000);
      assert.ok(allowed <= burst[of] + allowedAnew, `${allowed} were allowed in ${elapsedMs} ms`);
      for (const response of refused) assertRefused(response, 429);
      const lines = logged.split('\n').filter((line) => line.includes(`"bound":"requests of one ${of}"`));
      assert.equal(lines.length, 1);
      const other = await signUpTenant(app);
      assert.equal((await ask(newNetwork(), '/api/me', other.person)).status, 200);
    });
  }

  test('of a network are none for its health checks, opens and pages of readers', async () => {
    const network = newNetwork();
    const paths = ['/api/health/live', '/t/o/unknown', '/u/unknown'];
    const responses = await Promise.all(
      Array.from({ length: 3 * burst.network }, (_, index) => ask(network, paths[index % paths.length]!)),
    );
    assert.equal(statusesOf(responses).filter((status) => status === 429).length, 0);
  });

  test('are allowed again when the time is over', async () => {
    const network = newNetwork();
    const responses = await tooMany('network', () => ask(network, '/api/me'));
    const refused = responses.find(({ status }) => status === 429);
    await delay(Number(refused!.headers['retry-after']) * 1_000);
    assert.equal((await ask(network, '/api/me')).status, 401);
  });
});
