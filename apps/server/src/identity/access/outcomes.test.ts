import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { z } from 'zod';
import { createTestApp, type Person, type TestResponse, type TestApp } from '../../testing/app.ts';
import {
  contractOperations,
  isMissing,
  toRequest,
  type ContractOperation,
} from '../../testing/contract-calls.ts';
import { createActors, createActorsForCaller, type Actors } from '../../testing/actors.ts';
import { callers, outcomes, type CallerKind, type Outcome } from '../../testing/outcomes.ts';
import { personalInputs } from '../../testing/personal-inputs.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { digestTenant } from '../../testing/tenant.ts';
import { untilServed } from '../../testing/wait-until.ts';

/** Operations that the sample's state rejects for all: its send has ended, its email has no template and is not active. */
const refusedByState = [
  'sends.start',
  'sends.pause',
  'sends.resume',
  'sends.cancel',
  'sends.resolveUncertain',
  'sends.followUp',
  'messages.create',
  'emails.test',
  'emails.preview',
  'filters.delete',
  'content.deleteCollection',
  // The last owner stays.
  'members.leave',
  'me.delete',
  // The sample's file has already been imported.
  'content.startImport',
  'content.cancelImport',
  // Requests to the sample's address are blocked.
  'contentBackend.connect',
  'contentBackend.setUp',
];

test('every operation of the contract stands in the table of outcomes once, and nothing else does (TEN-1)', () => {
  assert.deepEqual(
    outcomes.map(({ operation }) => operation).toSorted(),
    contractOperations.map(({ name }) => name).toSorted(),
  );
});

suite('every operation, by everybody (TEN-2)', () => {
  let app: TestApp;
  let shared: Actors;
  /** Digest of the shared tenant, which no request must change. */
  let digest: Record<string, string>;

  before(async () => {
    app = await createTestApp();
    shared = await createActors(app);
    digest = await digestTenant(app.owner, shared.tenant.organizationId);
  });
  after(() => app.close());

  for (const { operation: name, what, statusOf } of outcomes) {
    const operation = contractOperations.find((each) => each.name === name);
    if (operation === undefined) continue;
    test(`${name}: ${what}`, async () => {
      const refused = callers.filter((caller) => statusOf[caller] !== 200);
      const allowed = callers.filter((caller) => statusOf[caller] === 200);
      for (const caller of refused) {
        const response = await ask(operation, caller, shared);
        // A missing operation responds with 404, too, which is the expected status for some callers.
        assert.ok(!isMissing(response), `${name} has no implementation`);
        assertOutcome(operation, response, caller, statusOf);
      }
      assert.deepEqual(await digestTenant(app.owner, shared.tenant.organizationId), digest);
      const responses = await Promise.all(
        allowed.map(async (caller) => await ask(operation, caller, await actorsFor(operation, caller))),
      );
      assert.ok(!responses.some(isMissing), `${name} has no implementation`);
      for (const [index, caller] of allowed.entries())
        assertOutcome(operation, responses[index]!, caller, statusOf);
    });
  }

  /** Operations that change something get their own tenant, and their own user if they change the user. */
  async function actorsFor(operation: ContractOperation, caller: CallerKind): Promise<Actors> {
    if (operation.method === 'GET') return shared;
    if (operation.access.who !== 'signed_in') return await createActorsForCaller(app, shared, caller);
    const fresh = await app.signIn();
    return await createActorsForCaller(
      app,
      { ...shared, people: { ...shared.people, [caller]: fresh } },
      caller,
    );
  }

  async function ask(
    operation: ContractOperation,
    caller: CallerKind,
    { people, tenant }: Actors,
  ): Promise<TestResponse<unknown>> {
    const person: Person | undefined = people[caller];
    const input =
      sampleInputs[operation.name]?.(tenant) ??
      (await personalInputs[operation.name]?.({ app, tenant, person })) ??
      {};
    const { method, path, ...rest } = toRequest(operation, input);
    // On a busy machine, waiting requests fail with 503 and have no effect.
    return await untilServed(() => app.request<unknown>(method, path, { ...rest, as: person }));
  }

  function assertOutcome(
    { name, errors }: ContractOperation,
    response: TestResponse<unknown>,
    caller: CallerKind,
    statusOf: Outcome['statusOf'],
  ) {
    const { status, body } = response;
    const told = `${caller}: ${status} ${JSON.stringify(body).slice(0, 300)}`;
    const expected = statusOf[caller];
    const { code, data } = (body ?? {}) as { code?: string; data?: unknown };
    const schema = code === undefined ? undefined : (errors[code]?.data as z.ZodType | undefined);
    assert.equal((schema ?? z.undefined()).safeParse(status < 400 ? undefined : data).success, true, told);
    if (expected === 401) assert.deepEqual([status, code], [401, 'not_signed_in'], told);
    else if (expected === 403) assert.deepEqual([status, code], [403, 'forbidden'], told);
    else if (expected === 404) assert.deepEqual([status, code], [404, 'not_found'], told);
    else if (expected === 422) assert.deepEqual([status, code], [422, 'invalid_input'], told);
    else assert.ok(status < 300 || ([409, 424].includes(status) && refusedByState.includes(name)), told);
  }
});
