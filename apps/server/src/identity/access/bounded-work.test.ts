import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { before, mock, suite, test } from 'node:test';
import { Client } from 'pg';
import { contractOperations } from '../../testing/contract-calls.ts';
import {
  createTestApp,
  useTestApp,
  type Person,
  type TestApp,
  type TestResponse,
} from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { makeKeyOf } from '../../testing/actors.ts';
import { buildOrganization } from '../../sample/records.ts';
import { assertInTime } from '../../testing/in-time.ts';
import { letLocksWait } from '../../testing/wait-for-lock.ts';
import { untilServed, waitUntil } from '../../testing/wait-until.ts';
import { words } from '../../testing/words.ts';
import { execute, onlyValueOf, type Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { maxWaitMs } from '../../platform/wait-budget.ts';
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
  person.request('GET', `/api/campaigns?organization_id=${organization_id}`);
const statusesOf = (responses: TestResponse<unknown>[]) => responses.map(({ status }) => status);

/** Uses the product's maximum wait. */
const limits = { maxWaitMs };

/** Makes transactions of the app wait for the lock until it is released. */
async function holdLock({ ownerUrl }: TestApp, lock: number) {
  const holder = new Client({ connectionString: ownerUrl });
  await holder.connect();
  await holder.query('select pg_advisory_lock($1)', [lock]);
  return {
    waitFor: (trx: Transaction) => execute(trx)`select pg_advisory_xact_lock_shared(${lock})`,
    release: () => holder.end(),
  };
}

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
  let logged = '';
  const log = createLog('warn', { write: (line) => void (logged += line) });
  const app = useTestApp({}, { log, limits });
  before(async () => {
    await letLocksWait(app);
  });

  test('expensive operations leave connections for other tenants within 2 s (RATE-1, TMO-2)', async () => {
    const guests = await Promise.all(Array.from({ length: 3 }, () => signUpTenant(app)));
    const other = await signUpTenant(app);
    // Blocks counts until the test releases the lock.
    const holder = new Client({ connectionString: app.ownerUrl });
    await holder.connect();
    await holder.query('begin; lock table content_collections, content_fields in access exclusive mode');
    let ended = 0;
    const counts = Promise.all(
      Array.from({ length: 15 }, async (_, index) => {
        const { organization_id, person } = guests[index % guests.length]!;
        const response = await person.request('POST', '/api/filters/count', { organization_id });
        ended += 1;
        return response;
      }),
    );
    const countRunning = () => onlyValueOf<number>(app.owner)`
        select count(*)::int as running from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and usename = 'reachout_app'
      `;
    try {
      await waitUntil('counts are under way', async () => (await countRunning()) === 3);
      const lists = await Promise.all(
        Array.from({ length: 20 }, () => untilServed(() => listCampaigns(app, other))),
      );
      assert.deepEqual(new Set(statusesOf(lists)), new Set([200]));
      // Requests without a connection fail while the first ones still hold theirs.
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

  test('operations that grow with the data are expensive (RATE-1)', async () => {
    assert.deepEqual(
      contractOperations.filter(({ isExpensive }) => isExpensive).map(({ name }) => name),
      words(`
      me.export topics.list campaigns.rehearseGraph touchpoints.review emails.picture emails.preview emails.test touchpointEvents.list touchpointEvents.get touchpointEvents.effect touchpointEvents.matches reactions.list sends.start sends.receipt schedules.create schedules.preview schedules.queueItems schedules.changes schedules.confirm schedules.occurrences
      filters.count templates.picture templates.starterPicture templates.preview content.collections content.createField
      content.updateField content.items content.updateItems content.deleteItems suppressions.list
      suppressions.lift statistics.recordCounts statistics.emailMetrics statistics.emailFailureChart statistics.emailStats statistics.emailChart statistics.emailLinks
      statistics.emailLinkMap statistics.emailProviders statistics.emailFailures statistics.emailDevices statistics.emailCountries
      statistics.emailComparison statistics.emailEvents statistics.campaignFunnel statistics.websiteStats
      statistics.websiteMetrics statistics.websiteEventChart statistics.websiteChart statistics.websiteOverview
      statistics.websiteBreakdown statistics.websiteConversions dashboard.overview dashboard.results
      dashboard.emails
    `),
    );
    const tenant = await signUpTenant(app);
    const { expensiveDb } = app.services;
    const lock = await holdLock(app, 1);
    const waiting = limitedTransaction(expensiveDb, tenant.person, lock.waitFor, 'expensive');
    try {
      const list = `/api/campaigns?organization_id=${tenant.organization_id}`;
      const get = (path: string) => tenant.person.request('GET', path);
      const refused = [`${list}&search=spring`, '/api/me/export'].map(get);
      assert.equal((await untilServed(() => get(`${list}&search=`))).status, 200);
      for (const response of await Promise.all(refused)) assertRefused(response, 503);
    } finally {
      await lock.release();
    }
    await waiting;
  });

  test('expensive statements use no parallel workers', async () => {
    const processes = await app.services.expensiveDb
      .transaction()
      .execute((trx) => onlyValueOf(trx)`show max_parallel_workers_per_gather`);
    assert.equal(processes, '0');
  });
});

suite('identity look-ups', () => {
  let tenant: Tenant;
  let logged = '';
  const log = createLog('warn', { write: (line) => void (logged += line) });
  const app = useTestApp({}, { log, limits });
  before(async () => {
    await letLocksWait(app);
    tenant = await signUpTenant(app);
  });

  test('identity look-ups use their own connections, and waits end within 2 s (TMO-2)', async () => {
    const lock = await holdLock(app, 1);
    const held = Array.from({ length: workloads.general.connections }, () =>
      limitedTransaction(app.services.db, { userId: newId() }, lock.waitFor),
    );
    try {
      const elsewhere = `/api/campaigns?organization_id=${newId()}`;
      const stranger = await untilServed(() => tenant.person.request('GET', elsewhere));
      assertProblem(stranger, 404, 'not_found');
      await assertInTime(2_000, async () => {
        const started = performance.now();
        const refused = await Promise.all([
          listCampaigns(app, tenant),
          app.request('GET', '/api/organizations/invitations/unknown'),
        ]);
        for (const response of refused) assertRefused(response, 503);
        return performance.now() - started;
      });
    } finally {
      await lock.release();
    }
    // No request waits in the driver's pool, whose errors look like those of an unavailable database.
    assert.doesNotMatch(logged, /database away/);
    await Promise.all(held);
  });

  test('concurrent requests of one session share look-ups (RATE-1)', async () => {
    const { organization_id, person } = tenant;
    const roomy = await createTestApp({}, { beside: app });
    const key = await makeKeyOf(app, organization_id, person.userId);
    for (const [table, as] of [
      ['"sessions"', person],
      ['api_key_by_hash', key],
    ] as const) {
      // Warm-up: completes the writes of the first use.
      await listCampaigns(roomy, { organization_id, person: as });
      const spy = mock.method(Client.prototype, 'query');
      const responses = await Promise.all(
        Array.from({ length: 40 }, () => listCampaigns(roomy, { organization_id, person: as })),
      );
      const statements = spy.mock.calls.map(({ arguments: [query] }) =>
        typeof query === 'string' ? query : String((query as { text?: string } | undefined)?.text),
      );
      spy.mock.restore();
      assert.deepEqual(new Set(statusesOf(responses)), new Set([200]));
      const lookups = statements.filter((text) => text.includes(table));
      assert.ok(lookups.length >= 1 && lookups.length <= 6, `${table}: ${lookups.length}`);
    }
    await roomy.close();
  });
});

suite('waits of one request', () => {
  const app = useTestApp({}, { limits });
  let tenant: Tenant;
  before(async () => {
    await letLocksWait(app);
    tenant = await signUpTenant(app);
  });

  /** Occupies all connections of a pool, and the session look-ups, until each is released. */
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
          (trx) => execute(trx)`select pg_advisory_xact_lock_shared(${lock})`,
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

  test('all waits of one request end within 2 s (TMO-2)', () => assertInTime(2_000, timeOfWaits));

  test('saving waits for requests of the same person longer than for others (TMO-2)', async () => {
    const other = await signUpTenant(app);
    const { organization_id, person } = tenant;
    const lock = await holdLock(app, 3);
    const { connections, perPerson } = workloads.general;
    const held = Array.from({ length: connections }, (_, index) =>
      limitedTransaction(
        app.services.db,
        { userId: index < perPerson ? person.userId : newId() },
        lock.waitFor,
      ),
    );
    const body = { organization_id, name: 'Client' };
    const saving = person.request('POST', '/api/clients', body);
    try {
      assertRefused(await listCampaigns(app, other), 503);
    } finally {
      await lock.release();
    }
    assert.equal((await saving).status, 200);
    await Promise.all(held);
  });

  async function timeOfWaits(): Promise<number> {
    const { releaseSessions, releaseAccess, releaseRest, occupied } = await exhaust();
    const started = performance.now();
    // With a body: the request's context must survive reading it.
    const response = tenant.person.request('POST', '/api/clients', {
      organization_id: tenant.organization_id,
      name: 'Client',
    });
    await delay(500);
    await releaseSessions();
    await delay(500);
    await releaseAccess();
    assertRefused(await response, 503);
    const tookMs = performance.now() - started;
    await releaseRest();
    await Promise.all(occupied);
    return tookMs;
  }
});

suite('session look-ups', () => {
  test('session look-ups without a connection fail within 2 s (TMO-2)', async () => {
    const app = await createTestApp({}, { limits });
    await assertInTime(2_000, () => timeOfRefusals(app));
    await app.close();
  });

  async function timeOfRefusals(app: TestApp): Promise<number> {
    // More users than the pool has connections, one of whom sends further requests during the first look-up.
    const people = await Promise.all(Array.from({ length: 8 }, () => app.signIn()));
    people.push(people[0]!, people[0]!);
    const holder = new Client({ connectionString: app.ownerUrl });
    await holder.connect();
    await holder.query('begin; lock table sessions in access exclusive mode');
    const started = performance.now();
    const responses = await Promise.all(people.map((person) => person.request('GET', '/api/me')));
    const tookMs = performance.now() - started;
    await holder.query('rollback');
    await holder.end();
    for (const response of responses) assertRefused(response, 503);
    // Waits for their session look-ups, which continued.
    await Promise.all(people.map((person) => person.request('GET', '/api/me')));
    return tookMs;
  }
});

suite('request limits', () => {
  let logged = '';
  /** Burst size: the requests of ten seconds. */
  const burst = { person: 15, organization: 20, network: 30 };
  const app = useTestApp(
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
  /** Some requests exceed the limit, unless the machine takes 20 s for all: that time allows as many more. */
  const tooMany = <T>(of: keyof typeof burst, call: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 3 * burst[of] }, (_, index) => call(index)));

  let lastNetwork = 0;
  const newNetwork = () => {
    lastNetwork += 1;
    return `198.${18 + (lastNetwork >> 8)}.${lastNetwork & 255}.1`;
  };
  const ask = (network: string, path: string, as?: Person) =>
    app.request('GET', path, { as, headers: { 'x-forwarded-for': network } });

  test('requests count for their network under any path spelling (RATE-1)', async () => {
    const network = newNetwork();
    const responses = await tooMany('network', () => ask(network, '/%61pi/auth/get-session'));
    assert.ok(statusesOf(responses).includes(200));
    assert.ok(statusesOf(responses).includes(429));
  });

  test('invented sessions use bounded memory (RATE-1)', async () => {
    const requestLimits = createRequestLimits({
      requestsPerMinute: { person: 1_800, organization: 3_600, network: 7_200 },
    });
    const heapBefore = heapAfterCollection();
    // The maximum length of a header.
    for (let index = 0; index < 3_000; index += 1)
      await requestLimits.countCredential(Buffer.alloc(16_000, `${index} `).toString('latin1'));
    const growth = heapAfterCollection() - heapBefore;
    assert.ok(growth < 5_000_000, `${growth} bytes`);
    await requestLimits.countCredential('the limits are still in use');
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
    test(`requests of one ${of} get 429 with Retry-After (RATE-1)`, async () => {
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

  test('health checks, opens and reader pages have no network limit', async () => {
    const network = newNetwork();
    const paths = ['/api/health/live', '/t/o/unknown', '/u/unknown'];
    const responses = await Promise.all(
      Array.from({ length: 3 * burst.network }, (_, index) => ask(network, paths[index % paths.length]!)),
    );
    assert.equal(statusesOf(responses).filter((status) => status === 429).length, 0);
  });

  test('requests are accepted again after Retry-After', async () => {
    const network = newNetwork();
    const responses = await tooMany('network', () => ask(network, '/api/me'));
    const refused = responses.find(({ status }) => status === 429);
    await delay(Number(refused!.headers['retry-after']) * 1_000);
    assert.equal((await ask(network, '/api/me')).status, 401);
  });
});
