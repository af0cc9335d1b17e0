import { z } from 'zod';
import { actions, subjects } from './abilities.ts';
import { pickErrors } from './errors.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import { limitedRecord, list, name, plainJson } from './values.ts';

/** A built-in role, or the `role` of a custom role. */
export const role = z
  .string()
  .max(40, { error: 'Choose a role.', abort: true })
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'Choose a role.');

export const RolePermission = z.strictObject({
  action: z.enum(actions),
  subject: z.enum(subjects),
  /** `{"client_id": {"$in": [...]}}` or `{"brand_id": ...}`; the placeholders are `${organization_id}`, `${client_ids}`. */
  conditions: limitedRecord(z.string().max(40), plainJson(50_000), 10).nullable().default(null),
  inverted: z.boolean().default(false),
});
export type RolePermission = z.infer<typeof RolePermission>;

/** A role without rules would be read-only, which an empty list does not suggest. */
const rolePermissions = z.array(RolePermission).min(1, 'Say what this role may do.').max(200);

export const RoleDetails = z.object({
  role: z.string(),
  /** English for the built-in roles; the screens have their own names for those. */
  name: z.string(),
  built_in: z.boolean(),
  /** Whether the caller can grant this role. */
  grantable: z.boolean(),
  rules: z.array(
    z.object({
      ...RolePermission.shape,
      conditions: z.record(z.string(), z.json()).nullable(),
      inverted: z.boolean(),
    }),
  ),
  member_count: z.number(),
});
export type RoleDetails = z.infer<typeof RoleDetails>;

const onMembers = memberOperations('Members', 'organizations');

export const organizationRoles = {
  list: onMembers(
    'GET /organizations/{id}/roles',
    'Built-in and custom roles with their rules',
    'read Member',
  ).output(list(RoleDetails)),
  create: onMembers('POST /organizations/{id}/roles', 'Create a role', 'update Member', {
    requiresReauth: true,
  })
    .input({
      name,
      rules: rolePermissions,
    })
    .errors({ ...pickErrors('beyond_own_rights', 'name_taken'), ...tooManyRecords })
    .output(RoleDetails),
  update: onMembers(
    'PATCH /organizations/{id}/roles/{role}',
    'Change name and rules of a custom role',
    'update Member',
    { requiresReauth: true },
  )
    .input({
      role,
      name: name.optional(),
      rules: rolePermissions.optional(),
    })
    .errors(pickErrors('beyond_own_rights', 'name_taken'))
    .output(RoleDetails),
  delete: onMembers(
    'DELETE /organizations/{id}/roles/{role}',
    'Delete an unused custom role',
    'update Member',
    { requiresReauth: true },
  )
    .input({ role })
    .errors(pickErrors('role_in_use'))
    .output({ role: z.string() }),
};
