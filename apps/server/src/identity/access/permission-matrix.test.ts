import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { z } from 'zod';
import { createTestApp, type Person, type TestResponse, type TestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import {
  contractOperations,
  isMissing,
  memberOperations,
  splitInput,
  toRequest,
  type ContractOperation,
  type MemberOperation,
} from '../../testing/contract-calls.ts';
import { createActors, enterAs, type Actors } from '../../testing/actors.ts';
import { buildMember } from '../../sample/records.ts';
import { copyTenant, pictureTenant, type TenantPicture } from '../../testing/copy-tenant.ts';
import { callers, outcomes, type CallerKind, type Outcome } from '../../testing/outcomes.ts';
import { personalInputs } from '../../testing/personal-inputs.ts';
import { updateRows } from '../../testing/rows.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { buildTenant, digestTenant, type Tenant } from '../../testing/tenant.ts';
import { useOpened } from '../../testing/use-made.ts';
import { untilServed } from '../../testing/wait-until.ts';

/** Operations that the sample's state rejects for all: its send has ended, its email has no template and is not active. */
const refusedByState = [
  // An email is no website that could be started.
  'websites.start',
  'websites.pause',
  'sends.start',
  'sends.pause',
  'sends.resume',
  'sends.cancel',
  'sends.resolveUncertain',
  'sends.followUp',
  'schedules.create',
  'schedules.queueItems',
  'schedules.confirm',
  'schedules.update',
  'messages.create',
  'emails.test',
  'emails.preview',
  'filters.delete',
  // The operator has not set what these need.
  'domains.checkSpf',
  'domains.checkDmarc',
  'domains.checkTracking',
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
  'transports.create',
  'transports.update',
  'transports.test',
  'transports.setElasticEmailKey',
];

const unknownId = '01900000-0000-7000-8000-000000000000';
/** Unknown values of parameters that are not ids. */
const unknownValueOf: Record<string, unknown> = {
  collection: 'things_unknown',
  role: 'unknown_role',
  unless: { event_type: 'CLICK', touchpoint_id: unknownId },
  changes: { keys: [unknownId], data: { city: 'Rome' } },
};
/** Each caller sends another one, and each of them all of these in the course of the operations. */
const malformedIds = ['x', '0', `${unknownId}0`, "' or true --"];

/** Tables whose rows can be deleted softly, with everything below them. */
const deletable = ['clients', 'brands', 'campaigns', 'touchpoints'] as const;

/** Digests take longer than requests, so the requests of several operations share one. */
const operationsPerDigest = 30;

test('the permission matrix lists every operation exactly once (TEN-1)', () => {
  assert.deepEqual(
    outcomes.map(({ operation }) => operation).toSorted(),
    contractOperations.map(({ name }) => name).toSorted(),
  );
});

/** Every operation × caller × owner of the record. */
suite('permission matrix (TEN-2)', () => {
  /** The tenant `one`, with a member of each kind; `stranger` owns the tenant `other`. */
  let actors: Actors;
  let one: Tenant;
  let other: Tenant;
  /** A tenant whose rows are all soft-deleted. */
  let gone: Tenant;
  let ownerOfGone: Person;
  /** Not a member of any organization. */
  let outsider: Person;
  /** The tenant `one`, for copies with the same members. */
  let picture: TenantPicture<Tenant>;
  /** Digests of all three tenants, which no rejected request must change. */
  let digestsBefore: Record<string, string>[];

  const app = useOpened(() => createTestApp());
  before(async () => {
    actors = await createActors(app);
    one = actors.tenant;
    picture = await pictureTenant(app.owner, one, { newPeople: false });
    other = await buildTenant(app.owner);
    await buildMember(app.owner, {
      organization_id: other.organizationId,
      user_id: actors.people.stranger!.userId,
    });
    gone = await buildTenant(app.owner);
    ownerOfGone = await app.signInMember(gone.organizationId, 'owner');
    await deleteAll(app, gone);
    outsider = await app.signIn();
    digestsBefore = await digests();
  });

  const digests = () =>
    Promise.all([one, other, gone].map(({ organizationId }) => digestTenant(app.owner, organizationId)));
  const copy = () => copyTenant(app.owner, picture);

  /** Requests that must not change anything, of the operations since the last comparison of digests. */
  let refused: { operation: string; repeat: () => Promise<unknown> }[] = [];
  const changesNothing = async (operation: string, repeat: () => Promise<unknown>) => {
    refused.push({ operation, repeat });
    await repeat();
  };
  /** @throws AssertionError with the operation that changed something, which is found by repeating the requests */
  const compareDigests = async () => {
    const asked = refused;
    refused = [];
    const now = await digests();
    if (JSON.stringify(now) === JSON.stringify(digestsBefore)) return;
    const names = [...new Set(asked.map(({ operation }) => operation))];
    let digest = JSON.stringify(now);
    for (const { operation, repeat } of asked) {
      await repeat();
      const then = JSON.stringify(await digests());
      if (then !== digest) assert.deepEqual(JSON.parse(then), digestsBefore, `changed by ${operation}`);
      digest = then;
    }
    assert.deepEqual(now, digestsBefore, `changed by one of ${names.join(', ')}`);
  };

  for (const [index, outcome] of outcomes.entries()) {
    const operation = contractOperations.find(({ name }) => name === outcome.operation);
    if (operation === undefined) continue;
    test(`${operation.name}: ${outcome.what}`, () => assertOutcomes(operation, outcome));
    const ofMembers = memberOperations.find(({ name }) => name === operation.name);
    if (ofMembers !== undefined) testTenants(ofMembers, index);
    if (index % operationsPerDigest === operationsPerDigest - 1 || index === outcomes.length - 1)
      test(`rejected requests up to ${operation.name} change nothing`, compareDigests);
  }

  async function assertOutcomes(operation: ContractOperation, { statusOf }: Outcome): Promise<void> {
    const allowed = callers.filter((caller) => statusOf[caller] === 200);
    for (const caller of callers.filter((each) => statusOf[each] !== 200)) {
      let response!: TestResponse<unknown>;
      await changesNothing(operation.name, async () => (response = await ask(operation, caller, actors)));
      assertOutcome(operation, response, caller, statusOf);
    }
    const responses = await Promise.all(
      allowed.map(async (caller) => await ask(operation, caller, await actorsFor(operation, caller))),
    );
    for (const [index, caller] of allowed.entries())
      assertOutcome(operation, responses[index]!, caller, statusOf);
  }

  /** Operations that change something get their own tenant, and their own user if they change the user. */
  async function actorsFor(operation: ContractOperation, caller: CallerKind): Promise<Actors> {
    // The check of a domain is stored.
    if (operation.method === 'GET' && operation.name !== 'domains.checkDkim') return actors;
    const tenant = await copy();
    const { people } = actors;
    const isPersonal = operation.access.who === 'signed_in';
    if (!isPersonal && caller !== 'api_key') return { tenant, people };
    const person = isPersonal ? await app.signIn() : undefined;
    return { tenant, people: { ...people, [caller]: await enterAs(app, caller, tenant, person) } };
  }

  async function ask(
    operation: ContractOperation,
    caller: CallerKind,
    { people, tenant }: Actors,
  ): Promise<TestResponse<unknown>> {
    const person = people[caller];
    const input =
      sampleInputs[operation.name]?.(tenant) ??
      (await personalInputs[operation.name]?.({ app, tenant, person })) ??
      {};
    // On a busy machine, waiting requests fail with 503 and have no effect.
    return await untilServed(() => send(operation, input, person));
  }

  function send(operation: ContractOperation, input: Record<string, unknown>, as?: Person) {
    const { method, path, ...rest } = toRequest(operation, input);
    return app.request<unknown>(method, path, { ...rest, as });
  }

  /** @param index  place of the operation among all */
  function testTenants(operation: MemberOperation, index: number): void {
    const { name, access } = operation;
    const key = access.tenantInput;
    const sample = (tenant: Tenant, changes: Record<string, unknown> = {}) => ({
      ...sampleInputs[name]?.(tenant),
      ...changes,
    });

    test(`${name} finds only records of the caller’s organization`, async () => {
      assert.ok(name in sampleInputs, `${name} has no sample in testing/sample-inputs.ts`);
      const { owner, analyst, stranger } = actors.people;
      const unknown = await send(operation, sample(one, { [key]: unknownId }), owner);
      assertProblem(unknown, 404, 'not_found');
      await changesNothing(name, async () => {
        for (const id of [unknownId, 'x'])
          assertProblem(await send(operation, sample(one, { [key]: id })), 401, 'not_signed_in');
        const ofOthers = [sample(one)[key], sample(gone)[key]];
        const asked = [
          ['outsider', outsider, ofOthers],
          ['stranger', stranger, ofOthers],
          ['analyst', analyst, [sample(other)[key]]],
          ['owner', owner, [sample(other)[key]]],
        ] as const;
        for (const [place, [who, person, records]] of asked.entries())
          for (const id of [...records, unknownId, malformedIds[(index + place) % malformedIds.length]])
            assertSame(
              await send(operation, sample(one, { [key]: id }), person),
              unknown,
              `${who} asks for ${String(id)}`,
            );
        if (key === 'organization_id' || access.tenant === 'organizations')
          assertSame(await send(operation, sample(gone), ownerOfGone), unknown, 'a deleted organization');
      });
    });

    test(`${name} treats records of others in its input as unknown`, async () => {
      const theirs = sample(other);
      let spare: Tenant | undefined;
      const askWith = async (input: string, value: unknown) => {
        const own = sample((spare ??= await copy()));
        // Also within lists of ids.
        const put = Array.isArray(own[input]) ? [value].flat() : value;
        const response = await send(operation, { ...own, [input]: put }, actors.people.owner);
        if (response.status < 400) spare = undefined;
        return response;
      };
      for (const [input, own] of Object.entries(sample(one))) {
        if (input === key || JSON.stringify(own) === JSON.stringify(theirs[input])) continue;
        let foreign!: TestResponse<unknown>;
        await changesNothing(name, async () => (foreign = await askWith(input, theirs[input])));
        const unknown = await askWith(input, unknownValueOf[input] ?? unknownId);
        assert.deepEqual(mask(foreign), mask(unknown), `${input} of another organization`);
      }
    });

    const table = deletable.find((each) => each === access.tenant);
    if (table !== undefined && !name.endsWith('.restore'))
      test(`${name} finds nothing that was deleted`, async () => {
        const tenant = await copy();
        const input = sample(tenant);
        await app.owner
          .updateTable(table)
          .set({ deleted: true })
          .where('id', '=', String(input[key]))
          .execute();
        const digest = await digestTenant(app.owner, tenant.organizationId);
        const deleted = await send(operation, input, actors.people.owner);
        const unknown = await send(operation, { ...input, [key]: unknownId }, actors.people.owner);
        assertSame(deleted, unknown, splitInput(operation, input).path);
        assert.equal(unknown.status, 404);
        assert.deepEqual(await digestTenant(app.owner, tenant.organizationId), digest);
      });
  }

  function assertOutcome(
    { name, errors }: ContractOperation,
    response: TestResponse<unknown>,
    caller: CallerKind,
    statusOf: Outcome['statusOf'],
  ) {
    // A missing operation responds with 404, too, which is the expected status for some callers.
    assert.ok(!isMissing(response), `${name} has no implementation`);
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

function assertSame(response: TestResponse<unknown>, expected: TestResponse<unknown>, what: string) {
  const parts = ({ status, body }: TestResponse<unknown>) => ({ status, body });
  assert.deepEqual(parts(response), parts(expected), what);
}

async function deleteAll(app: TestApp, tenant: Tenant): Promise<void> {
  for (const table of deletable) {
    await app.owner
      .updateTable(table)
      .set({ deleted: true })
      .where('organization_id', '=', tenant.organizationId)
      .execute();
  }
  await updateRows(app.owner, 'organizations', { id: tenant.organizationId }, { deleted: true });
}

/** Masks ids, names and times, which differ between requests; everything else must be equal. */
const mask = ({ status, body }: TestResponse<unknown>) => ({
  status,
  body: JSON.stringify(body ?? null)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/(Organization|Client|Brand|Campaign|Touchpoint|Audience) [0-9a-f]{8}/g, '<name>')
    .replaceAll(/things_[0-9a-z]+/g, '<collection>'),
});
