import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { apiErrors } from '@reachout/contract/errors.ts';
import { editedHelp } from '@reachout/contract/help.ts';
import { actions, subjects } from '@reachout/contract/abilities.ts';
import { tenantRecords, type OperationMeta } from '@reachout/contract/operation.ts';
import { describeIssues } from '../../platform/http/api-error.ts';
import { contractOperations, memberOperations, signInOperations } from '../../testing/contract-calls.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { words } from '../../testing/words.ts';

/** Operations without authentication. Think twice before adding one. */
const publicOperations = [
  'health.live',
  'health.ready',
  // The token in the address is the permission (TOK-1).
  'invitations.preview',
  'invitations.decline',
  'communicationPreferences.get',
  'communicationPreferences.update',
  'reference.countries',
  'reference.organizationSizes',
  'reference.organizationContactTypes',
  'reference.clientContactTypes',
  'help.pages',
  'help.faqCategories',
  // Lists that the software brings.
  'touchpointEventTypes.list',
  'touchpointEventActions.list',
  // The id in the address is the permission, beside a password.
  'content.describeShare',
  'content.openShare',
  // Available only on the operator's own machine.
  'systemMailbox.list',
  'systemMailbox.get',
];
/** Operations about the user's own data, in addition to all of `me`, and those for operators of the installation only. */
const userOperations = [
  'start',
  'organizations.list',
  'organizations.create',
  'invitations.accept',
  'invitations.join',
  ...Object.keys(editedHelp).map((name) => `editedHelp.${name}`),
  'rpc.updateUserPassword',
  'jobs.list',
  'jobs.figures',
  'jobs.retry',
  'operator.organizations',
  'operator.setOrganizationStatus',
  'operator.users',
  'operator.setUserStatus',
];

/** Columns that only the server writes (TEN-8); some are inputs of the operations listed beside them. */
const serverOwned: Record<string, string[]> = {
  // The credential that the browser reports.
  id: ['signIn.withPasskey'],
  organization_id: [],
  user_id: ['members.update'],
  // The role to grant; the operation checks whether the caller can grant it (TEN-9).
  role: ['members.update', 'invitations.create', 'content.createShare'],
  // Archives or reopens; both are checked against the table of transitions.
  status: [
    'campaigns.update',
    'touchpoints.update',
    'operator.setOrganizationStatus',
    'operator.setUserStatus',
  ],
  deleted: [],
  deleted_at: [],
  error_content: [],
  error: [],
  created_at: [],
  updated_at: [],
  inserted_at: [],
  send_number: [],
  send_date: [],
  end_date: [],
  recipients_total_count: [],
  recipients_total_sent_count: [],
  audience_breakdown: [],
  user_created: [],
  logo_url: [],
  // One of several touchpoints that accept messages; the operation checks which ones the member can use.
  touchpoint_id: ['messages.create'],
  worker_id: [],
  lease_until: [],
  // The secret of an emailed link, which it proves.
  token: [
    'signIn.confirmSignUp',
    'signIn.describeInvited',
    'signIn.signUpInvited',
    'signIn.resetPassword',
    'signIn.confirmEmail',
    'communicationPreferences.update',
  ],
};

suite('operation contract', () => {
  test('each operation declares its callers and its tenant (TEN-1)', () => {
    const namesOf = (who: string) =>
      contractOperations.filter(({ access }) => access.who === who).map(({ name }) => name);
    assert.deepEqual(namesOf('public').sort(), publicOperations.toSorted());
    const signedIn = namesOf('signed_in');
    assert.deepEqual(
      signedIn.filter((name) => !name.startsWith('me.')),
      userOperations,
    );
    assert.deepEqual(
      contractOperations.filter(({ name }) => name.startsWith('me.') && !signedIn.includes(name)),
      [],
    );
    assert.ok(memberOperations.length > 50);
    for (const { name, access, input } of memberOperations) {
      const [action, subject] = access.permission;
      assert.ok(actions.includes(action), name);
      assert.ok(subjects.includes(subject) && subject !== 'all', name);
      assert.ok(
        access.tenant === 'organization_id' || (tenantRecords as readonly string[]).includes(access.tenant),
        name,
      );
      const key = access.tenantInput;
      const field = input?.shape[key];
      assert.ok(field !== undefined, `${name} has no ${key}`);
      assert.equal(field.safeParse(undefined).success, false, `${name} can be called without ${key}`);
    }
  });

  test('what is missing or of another kind is said in plain words', () => {
    for (const { name, input } of [...contractOperations, ...signInOperations]) {
      const fields = Object.keys(input?.shape ?? {});
      for (const wrong of [undefined, null, '', [], {}, 1.5, true, 'x'.repeat(3_000)]) {
        const { error } = input?.safeParse(Object.fromEntries(fields.map((field) => [field, wrong]))) ?? {};
        for (const { path, message } of describeIssues(error?.issues ?? []))
          assert.doesNotMatch(
            message,
            /^Invalid|^Too |expected (?!format)|received|undefined|NaN/,
            `${name} ${path}`,
          );
      }
    }
  });

  test('operations that change something require more than reading', () => {
    // The first four only compute and store nothing; every member can leave an organization; who reads a file can send it.
    const computing = [
      'emails.preview',
      'filters.count',
      'rpc.getAvailableDomains',
      'templates.preview',
      'members.leave',
      'storage.createSignedUrl',
    ];
    // The user's own views and tokens; shared views, and keys, require more.
    const own = [
      'content.createPreset',
      'content.updatePreset',
      'content.deletePreset',
      'apiKeys.createContentToken',
    ];
    const reading = [...computing, ...own];
    for (const { name, method, access } of memberOperations) {
      const [action] = access.permission;
      // Deleted records are visible to members who can delete and restore.
      if (name === 'organizations.trash') assert.equal(action, 'delete');
      // The address and the state of a Directus are visible to members who can connect it.
      else if (['contentBackend.get', 'contentBackend.copies', 'transports.list'].includes(name))
        assert.equal(action, 'update');
      // Whoever knows the id of a share can open it.
      else if (name === 'content.shares') assert.equal(action, 'update');
      else if (method === 'GET') assert.equal(action, 'read', name);
      else if (!reading.includes(name)) assert.notEqual(action, 'read', name);
    }
  });

  test('operations on rights or permanent deletions require a recent sign-in (SES-3)', () => {
    const operationsThat = (needed: OperationMeta['requiresReauth']) =>
      contractOperations.filter(({ requiresReauth }) => requiresReauth === needed).map(({ name }) => name);
    assert.deepEqual(operationsThat('above_guest'), ['invitations.create', 'invitations.resend']);
    assert.deepEqual(
      operationsThat(true),
      words(`
      me.delete me.export me.changeEmail me.revokeApiKey me.revokeApiKeys me.startTotp me.confirmTotp
      me.removeTotp me.startPasskey me.addPasskey me.removePasskey me.renewRecoveryCodes
      organizations.requireSecondFactor organizations.delete members.update members.remove
      members.leave organizationRoles.create organizationRoles.update organizationRoles.delete
      invitations.renewLink apiKeys.create apiKeys.createContentToken apiKeys.revoke contentBackend.connect contentBackend.setUp
      contentBackend.disconnect transports.create transports.update transports.delete transports.test transports.choose
      transports.setElasticEmailKey transports.deleteElasticEmailKey operator.setOrganizationStatus operator.setUserStatus
    `),
    );
  });

  test('operations have unique routes, and inputs for path parameters', () => {
    const operations = [...contractOperations, ...signInOperations];
    const addresses = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    assert.deepEqual(
      addresses.filter((address, i) => addresses.indexOf(address) !== i),
      [],
    );
    for (const { name, path, input } of operations) {
      for (const [, parameter] of path.matchAll(/\{(\w+)\}/g))
        assert.ok(input?.shape[parameter ?? ''] !== undefined, `${name}: ${parameter}`);
    }
  });

  test('inputs reject fields that the server sets (TEN-8)', () => {
    for (const { name, method, path, input, access } of [...contractOperations, ...signInOperations]) {
      // Providers and links of the operator add what Better Auth reads.
      if (input === undefined || ['signIn.providerCallback', 'signIn.withLink'].includes(name)) continue;
      const sample = sampleInputs[name]?.(new Proxy({}, { get: () => undefined }) as never) ?? { name: 'x' };
      const { error } = input.safeParse({ ...sample, no_such_key: 1 });
      assert.ok(
        error?.issues.some(
          (issue) => issue.code === 'unrecognized_keys' && issue.keys.includes('no_such_key'),
        ),
        `${name} takes unknown keys`,
      );
      if (method === 'GET') continue;
      for (const [column, callsThatTakeIt] of Object.entries(serverOwned)) {
        if (callsThatTakeIt.includes(name)) continue;
        const inPath = path.includes(`{${column}}`);
        const isTenant = access.who === 'member' && access.tenant === column;
        if (inPath || isTenant) continue;
        assert.equal(column in input.shape, false, `${name} takes ${column}`);
      }
    }
  });

  test('sample inputs exist for exactly the member operations', () => {
    assert.deepEqual(Object.keys(sampleInputs).sort(), memberOperations.map(({ name }) => name).sort());
  });

  test('each error code has one status', () => {
    const statusOf = new Map<string, number | undefined>();
    for (const { name, errors } of [...contractOperations, ...signInOperations]) {
      for (const [code, declared] of Object.entries(errors)) {
        assert.match(code, /^[a-z][a-z_]+$/, name);
        assert.ok((declared?.status ?? 0) >= 400 && declared?.message, `${name}: ${code}`);
        assert.equal(statusOf.get(code) ?? declared?.status, declared?.status, `${name}: ${code}`);
        statusOf.set(code, declared?.status);
      }
    }
  });
});

test('docs/error-codes.md lists all codes with their status', async () => {
  const root = join(import.meta.dirname, '../../../../..');
  const text = await readFile(join(root, 'docs/error-codes.md'), 'utf8');
  const listed = [...text.matchAll(/^\| `([a-z_]+)` *\| (\d{3}) *\|/gm)].map(
    ([, code, status]) => `${status} ${code}`,
  );
  const declared = contractOperations.flatMap(({ errors }) =>
    Object.entries(errors).map(([code, error]) => `${error?.status} ${code}`),
  );
  const thrown = Object.entries(apiErrors).map(([code, { status }]) => `${status} ${code}`);
  await assertErrorsFromContract(join(root, 'apps/server/src'));
  assert.deepEqual(listed.sort(), [...new Set([...declared, ...thrown])].sort());
});

/** Asserts that all error codes and statuses are those of the contract. */
async function assertErrorsFromContract(folder: string): Promise<void> {
  for await (const file of glob('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts', 'testing/**'] })) {
    const source = await readFile(join(folder, file), 'utf8');
    const isOwn = file === join('platform', 'http', 'api-error.ts');
    assert.equal(!isOwn && source.includes('new ORPCError('), false, `${file} makes its own error`);
  }
}
