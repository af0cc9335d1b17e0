import { mirroredCollections } from '@reachout/contract/rules/mirrored-collections.ts';
import { newToken } from '../../platform/secrets.ts';
import type { DirectusClient } from './directus-client.ts';
import { DirectusError } from './directus-error.ts';
import { make, type SetUpProgress } from './set-up-progress.ts';

interface AccessInput {
  organizationId: string;
  collections: readonly string[];
  /** Collections that are only read, by rules. */
  junctions: readonly string[];
  can_write: boolean;
  currentToken: { token: string; userId: string } | undefined;
}

interface Permission {
  collection: string;
  action: 'create' | 'read' | 'update' | 'delete';
}

const allActions = ['create', 'read', 'update', 'delete'] as const;

/** System collections that the token must be able to read. */
const systemCollections = [
  'directus_collections',
  'directus_fields',
  'directus_relations',
  'directus_presets',
];

/**
 * Creates a user with a role and a policy, or adds the missing permissions to the policy of the existing user.
 * @returns the token of this user: the stored one if it works, otherwise a new one
 */
export async function grantAccess(
  admin: DirectusClient,
  input: AccessInput,
  progress: SetUpProgress,
): Promise<string> {
  // example.com is reserved, so the address belongs to no real person.
  const email = `reachout-${input.organizationId.slice(-12)}@example.com`;
  const permissions = listPermissions(input);
  const [user] = await admin.custom(
    { path: `/users?fields=id,role&limit=1&filter=${encode({ email: { _eq: email } })}`, method: 'GET' },
    'list',
  );
  if (user === undefined) return await createRole(admin, { email, permissions }, progress);
  await addPermissions(admin, user, permissions, progress);
  const { id } = user;
  if (typeof id !== 'string' || !/^[\da-f-]{36}$/.test(id)) throw unexpected();
  if (input.currentToken?.userId === id) return input.currentToken.token;
  const token = newToken();
  await make(progress, [{ kind: 'token', name: email }], () =>
    admin.custom({ path: `/users/${id}`, method: 'PATCH', body: { token } }, 'any'),
  );
  return token;
}

const listPermissions = ({ collections, junctions, can_write }: AccessInput): Permission[] => [
  ...mirroredCollections.flatMap((collection) => allActions.map((action) => ({ collection, action }))),
  ...[...collections, 'directus_files'].flatMap((collection) =>
    (can_write ? allActions : (['read'] as const)).map((action) => ({ collection, action })),
  ),
  ...[...junctions, ...systemCollections].map((collection) => ({ collection, action: 'read' as const })),
];

/** No rules and all fields: from Directus 12 on, any other permission row requires a license. */
const toRow = (permission: Permission) => ({
  ...permission,
  permissions: null,
  validation: null,
  presets: null,
  fields: ['*'],
});

async function createRole(
  admin: DirectusClient,
  { email, permissions }: { email: string; permissions: Permission[] },
  progress: SetUpProgress,
): Promise<string> {
  const token = newToken();
  const only = (...rows: object[]) => ({ create: rows, update: [], delete: [] });
  const policy = {
    name: 'Reachout',
    icon: 'campaign',
    admin_access: false,
    app_access: false,
    permissions: only(...permissions.map(toRow)),
  };
  const user = { email, first_name: 'Reachout', status: 'active', token };
  const body = { name: 'Reachout', icon: 'campaign', policies: only({ policy }), users: only(user) };
  await make(progress, [{ kind: 'role', name: 'Reachout' }], () =>
    admin.custom({ path: '/roles', method: 'POST', body }, 'any', { isRepeatable: false }),
  );
  return token;
}

async function addPermissions(
  admin: DirectusClient,
  { role }: Record<string, unknown>,
  wanted: readonly Permission[],
  progress: SetUpProgress,
): Promise<void> {
  const [access] = await admin.custom(
    { path: `/access?fields=policy&limit=1&filter=${encode({ role: { _eq: role } })}`, method: 'GET' },
    'list',
  );
  const policy = access?.['policy'];
  if (typeof policy !== 'string') throw unexpected();
  const known = await admin.custom(
    {
      path: `/permissions?fields=collection,action&limit=-1&filter=${encode({ policy: { _eq: policy } })}`,
      method: 'GET',
    },
    'list',
  );
  const missing = wanted.filter(
    (each) =>
      !known.some(({ collection, action }) => collection === each.collection && action === each.action),
  );
  if (missing.length === 0) return;
  const body = missing.map((permission) => ({ ...toRow(permission), policy }));
  const steps = missing.map(({ collection, action }) => ({
    kind: 'permission' as const,
    name: `${collection} ${action}`,
  }));
  await make(progress, steps, () =>
    admin.custom({ path: '/permissions', method: 'POST', body }, 'any', { isRepeatable: false }),
  );
}

const encode = (filter: object): string => encodeURIComponent(JSON.stringify(filter));

const unexpected = () =>
  new DirectusError(
    'rejected',
    'The user “Reachout” of this Directus has no role of its own. Delete it first.',
  );
