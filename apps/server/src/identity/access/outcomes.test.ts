import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createTestApp, type Person, type TestAnswer, type TestApp } from '../../testing/app.ts';
import { contractCalls, isMissing, toRequest, type ContractCall } from '../../testing/contract-calls.ts';
import { createCast, createCastOfOne, type Cast } from '../../testing/actors.ts';
import { callers, outcomes, type CallerKind, type Outcome } from '../../testing/outcomes.ts';
import { personalInputs } from '../../testing/personal-inputs.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { digestTenant } from '../../testing/tenant.ts';

/** What the state of the sample forbids even those who may: its send has ended, its email has no template. */
const refusedByState = [
  'sends.start',
  'sends.pause',
  'sends.resume',
  'sends.cancel',
  'sends.resolveUncertain',
  'emails.preview',
  'filters.delete',
  // The last owner stays.
  'members.leave',
  'me.delete',
];

test('every call of the contract stands in the table of outcomes once, and nothing else does (TEN-1)', () => {
  assert.deepEqual(
    outcomes.map(({ call }) => call).toSorted(),
    contractCalls.map(({ name }) => name).toSorted(),
  );
});

suite('every call, by everybody (TEN-2)', () => {
  let app: TestApp;
  let shared: Cast;

  before(async () => {
    app = await createTestApp();
    shared = await createCast(app);
  });
  after(() => app.close());

  for (const { call: name, what, statusOf } of outcomes) {
    const call = contractCalls.find((each) => each.name === name);
    if (call === undefined) continue;
    test(`${name}: ${what}`, async () => {
      const refused = callers.filter((caller) => statusOf[caller] !== 200);
      const allowed = callers.filter((caller) => statusOf[caller] === 200);
      const digestBefore = await digestTenant(app.owner, shared.tenant.organizationId);
      for (const caller of refused) {
        const answer = await ask(call, caller, shared);
        // It answers 404 as well, which some callers are to get.
        assert.ok(!isMissing(answer), `${name} has no implementation`);
        assertOutcome(name, answer, caller, statusOf);
      }
      assert.deepEqual(await digestTenant(app.owner, shared.tenant.organizationId), digestBefore);
      const answers = await Promise.all(
        allowed.map(async (caller) => await ask(call, caller, await castFor(call, caller))),
      );
      assert.ok(!answers.some(isMissing), `${name} has no implementation`);
      for (const [index, caller] of allowed.entries()) assertOutcome(name, answers[index]!, caller, statusOf);
    });
  }

  /** What changes something has a tenant of its own, and a person of its own where it changes the person. */
  async function castFor(call: ContractCall, caller: CallerKind): Promise<Cast> {
    if (call.method === 'GET') return shared;
    if (call.access.who !== 'signed_in') return await createCastOfOne(app, shared, caller);
    const fresh = await app.signIn();
    return await createCastOfOne(app, { ...shared, people: { ...shared.people, [caller]: fresh } }, caller);
  }

  async function ask(
    call: ContractCall,
    caller: CallerKind,
    { people, tenant }: Cast,
  ): Promise<TestAnswer<unknown>> {
    const person: Person | undefined = people[caller];
    const input =
      sampleInputs[call.name]?.(tenant) ?? (await personalInputs[call.name]?.({ app, tenant, person })) ?? {};
    const { method, path, ...rest } = toRequest(call, input);
    return await app.request<unknown>(method, path, { ...rest, as: person });
  }

  function assertOutcome(
    name: string,
    answer: TestAnswer<unknown>,
    caller: CallerKind,
    statusOf: Outcome['statusOf'],
  ) {
    const { status, body } = answer;
    const told = `${caller}: ${status} ${JSON.stringify(body).slice(0, 300)}`;
    const expected = statusOf[caller];
    const code = (body as { code?: string } | undefined)?.code;
    if (expected === 401) assert.deepEqual([status, code], [401, 'not_signed_in'], told);
    else if (expected === 403) assert.deepEqual([status, code], [403, 'forbidden'], told);
    else if (expected === 404) assert.deepEqual([status, code], [404, 'not_found'], told);
    else assert.ok(status < 300 || (status === 409 && refusedByState.includes(name)), told);
  }
});
