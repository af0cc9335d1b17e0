import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from './platform/log.ts';
import { makeKeyOf } from './testing/actors.ts';
import { createTestApp, type Person, type TestApp } from './testing/app.ts';
import { contractOperations } from './testing/contract-calls.ts';
import { unsortedMarks } from './testing/naughty-values.ts';
import {
  createFuzzClient,
  listCalls,
  makeRequest,
  randomOf,
  type FuzzCall,
  type FuzzRequest,
  type FuzzResponse,
  type OpenApiDocument,
} from './testing/openapi-fuzz.ts';
import { personalInputs } from './testing/personal-inputs.ts';
import { sampleInputs } from './testing/sample-inputs.ts';
import { buildTenant } from './testing/tenant.ts';

// FUZZ_REQUESTS=25000 makes a long run, and FUZZ_SEED reproduces one.
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 1_500);
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Maximum response time. On a busy machine, the same request must be fast at another time. */
const hangMs = 2_000;
const mostTries = 4;
const giveUpMs = 60_000;
const sideBySide = 6;
/** Maximum time for which one request may block others: `/api/health/live` responds within it. */
const maxBlockedMs = 250;

/** Endpoints for readers of messages, which the document does not list, and further calls of files. */
const otherCalls: FuzzCall[] = [
  page('GET', '/api/organizations/{id}/audit_log/export', ['id'], ['search', 'from', 'action']),
  page('GET', '/api/sends/{id}/deliveries/export', ['id'], ['state', 'search']),
  page(
    'GET',
    '/api/content/{organization_id}/exports/{collection}',
    ['organization_id', 'collection'],
    ['format', 'filter', 'search'],
  ),
  page('GET', '/api/content/{organization_id}/imports/{id}/rejected', ['organization_id', 'id'], []),
  page('GET', '/api/storage/avatars/{path}', ['path'], []),
  page('GET', '/api/storage/signed/{token}', ['token'], []),
  page('GET', '/t/o/{token}', ['token'], []),
  page('GET', '/t/c/{token}', ['token'], []),
  page('GET', '/u/{token}', ['token'], []),
  page('POST', '/u/{token}', ['token'], []),
  page('GET', '/p/{token}', ['token'], []),
  page('POST', '/p/{token}', ['token'], []),
  page('GET', '/v/{token}', ['token'], []),
  page('GET', '/hooks/transports/{address}', ['address'], []),
  page('POST', '/hooks/transports/{address}', ['address'], []),
];

function page(method: string, path: string, pathFields: string[], queryFields: string[]): FuzzCall {
  return { method, path, pathFields, queryFields, body: undefined };
}

/** A user with an organization, and a valid input for each operation. */
interface World {
  callers: Record<string, string>[];
  inputOf: (call: FuzzCall) => Record<string, unknown>;
}

suite('arbitrary input', { timeout: 120_000 + requests * 60 }, () => {
  const logged: string[] = [];
  let app: TestApp;
  let client: ReturnType<typeof createFuzzClient>;
  let calls: FuzzCall[];

  before(async () => {
    app = await createTestApp({}, { log: createLog('error', { write: (line) => logged.push(line) }) });
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    client = createFuzzClient((app.app.server.address() as AddressInfo).port, { timeoutMs: giveUpMs });
    const document = await app.request<OpenApiDocument>('GET', '/api/openapi.json');
    // A round runs all of them. Destructive ones come last, so that the records of the others still exist.
    calls = [...listCalls(document.body), ...otherCalls].sort((a, b) => Number(ends(a)) - Number(ends(b)));
  });
  after(async () => {
    client.close();
    await app.close();
  });

  async function buildWorld(): Promise<World> {
    const tenant = await buildTenant(app.owner);
    const person: Person = await app.signInMember(tenant.organizationId);
    const key = await makeKeyOf(app, tenant.organizationId, person.userId);
    const inputs = new Map<string, Record<string, unknown>>();
    for (const { name, method, path } of contractOperations) {
      const input =
        sampleInputs[name]?.(tenant) ?? (await personalInputs[name]?.({ app, tenant, person })) ?? {};
      inputs.set(`${method} /api${path}`, input);
    }
    const json = { 'content-type': 'application/json' };
    return {
      // Mostly as the owner, who has all permissions.
      callers: [...Array.from({ length: 8 }, () => person.headers), key.headers, {}].map((headers) => ({
        ...json,
        ...headers,
      })),
      inputOf: ({ method, path }) => inputs.get(`${method} ${path}`) ?? { id: tenant.organizationId },
    };
  }

  test('texts of 600 kB are rejected quickly (INP-1)', async () => {
    const { callers, inputOf } = await buildWorld();
    const marks = unsortedMarks(600_000 / 2);
    for (const call of calls) {
      const names = Object.keys(call.body?.properties ?? {});
      if (names.length === 0 || !Object.values(call.body?.properties ?? {}).some(takesText)) continue;
      const input = inputOf(call);
      const path = call.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => String(input[name]));
      const isId = (name: string) => name.endsWith('_id') && name in input;
      if (names.every(isId)) continue;
      const share = marks.slice(0, Math.floor(marks.length / names.length));
      const body = JSON.stringify(
        Object.fromEntries(names.map((name) => [name, isId(name) ? input[name] : share])),
      );
      const request = { method: call.method, url: path, headers: callers[0]!, body };
      let { status, busyMs } = await measure(request);
      // Other load on the same CPU increases the CPU time of the same work.
      for (let tries = 1; busyMs >= maxBlockedMs && tries < mostTries; tries += 1)
        ({ status, busyMs } = await measure(request));
      assert.ok(status >= 400 && status < 500, `${call.method} ${call.path} responded ${status}`);
      assert.ok(busyMs < maxBlockedMs, `${call.method} ${call.path} took ${busyMs} ms`);
    }
  });

  /** Sends a request, and a liveness request right after it. */
  async function measure(request: FuzzRequest) {
    const usedBefore = process.cpuUsage();
    const [{ status }, live] = await Promise.all([
      client.send(request),
      client.send({ method: 'GET', url: '/api/health/live', headers: {}, body: undefined }),
    ]);
    assert.equal(live.status, 200);
    const { user, system } = process.cpuUsage(usedBefore);
    // CPU time until both have responses: it does not depend on other load, and bounds how long the process was blocked.
    return { status, busyMs: (user + system) / 1_000 };
  }

  test('random requests are answered in time (INP-1, INP-2)', async (t: TestContext) => {
    t.diagnostic(`${requests} requests, FUZZ_SEED=${seed}`);
    const statuses = new Map<number, number>();
    const findings: string[] = [];
    for (let done = 0; done < requests; done += calls.length) {
      const world = await buildWorld();
      let index = done;
      const sendAll = async () => {
        while (index < Math.min(done + calls.length, requests)) {
          const at = index;
          index += 1;
          const random = randomOf(seed, at);
          const call = calls[at % calls.length]!;
          const request = makeRequest(random, call, world.inputOf(call), random.pick(world.callers));
          const { finding, status } = await examine(request);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (finding !== undefined) findings.push(`${at}: ${finding}`);
        }
      };
      await Promise.all(Array.from({ length: sideBySide }, sendAll));
      if (findings.length > 20) break;
    }
    t.diagnostic(
      [...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
    );
    // Values that only the database found out of range are answered with 422, and logged like a defect.
    const defects = logged.filter((line) => line.includes('operation failed'));
    assert.deepEqual([...findings, ...defects], [], `FUZZ_SEED=${seed}\n${logged.slice(0, 20).join('')}`);
    const unavailable = statuses.get(503) ?? 0;
    assert.ok(unavailable <= requests / 50, `${unavailable} of ${requests} requests got 503`);
  });

  async function examine(request: FuzzRequest): Promise<{ status: number; finding?: string }> {
    const summary = `${request.method} ${request.url.slice(0, 500)} ${String(request.body).slice(0, 1_000)}`;
    try {
      let response = await sendAgainOnReset(request);
      for (let tries = 1; response.elapsedMs > hangMs && tries < mostTries; tries += 1)
        response = await client.send(request);
      const { status, elapsedMs } = response;
      if (elapsedMs > hangMs) return { status, finding: `${elapsedMs} ms: ${summary}` };
      if (status >= 500 && status !== 503) return { status, finding: `${status}: ${summary}` };
      return { status };
    } catch (error) {
      return { status: 0, finding: `${error instanceof Error ? error.message : 'failed'}: ${summary}` };
    }
  }

  /** A too large body is not read completely, so the connection may be reset before the response is read. */
  async function sendAgainOnReset(request: FuzzRequest): Promise<FuzzResponse> {
    try {
      return await client.send(request);
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error;
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') throw error;
      await sleep(10);
      const alive = await client.send({
        method: 'GET',
        url: '/api/health/live',
        headers: {},
        body: undefined,
      });
      return request.body === undefined ? await client.send(request) : { ...alive, status: 413 };
    }
  }
});

/** Deletes records, or ends sessions and memberships. */
const ends = ({ method, path }: FuzzCall): boolean =>
  method === 'DELETE' || /update_user_password|leave$|sign-out$/.test(path);

const takesText = (schema: { type?: string; anyOf?: { type?: string }[] }): boolean =>
  schema.type === 'string' || schema.anyOf?.some(({ type }) => type === 'string') === true;
