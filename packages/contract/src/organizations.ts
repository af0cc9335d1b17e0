import { z } from 'zod';
import { memberCall, userCall } from './call.ts';
import { organizationStatuses } from './statuses.ts';
import { deleted, email, id, instant, name } from './values.ts';

export const User = z.object({ id, email, full_name: z.string(), inserted_at: instant });
export type User = z.infer<typeof User>;

export const Organization = z.object({
  id,
  name: z.string(),
  logo_url: z.string().nullable(),
  status: z.enum(organizationStatuses),
  /** The role of whoever asks; `abilityFor(role)` says what it may do. */
  role: z.string(),
  created_at: instant,
});
export type Organization = z.infer<typeof Organization>;

const rule = z.object({
  action: z.union([z.string(), z.array(z.string())]),
  subject: z.union([z.string(), z.array(z.string())]),
  inverted: z.boolean().optional(),
});

const tag = 'Organizations';

export const me = {
  get: userCall({ method: 'GET', path: '/me', summary: 'Who is signed in', tag: 'Me' }).output(User),
};

export const organizations = {
  list: userCall({ method: 'GET', path: '/organizations', summary: 'My organizations', tag }).output(
    z.object({ items: z.array(Organization), count: z.number() }),
  ),
  create: userCall({
    method: 'POST',
    path: '/organizations',
    summary: 'Create an organization and become its owner',
    tag,
  })
    .input(z.strictObject({ name }))
    .output(Organization),
  get: memberCall({
    method: 'GET',
    path: '/organizations/{id}',
    summary: 'One organization',
    tag,
    needs: ['read', 'Organization'],
    tenant: 'organizations',
  })
    .input(z.strictObject({ id }))
    .output(Organization),
  update: memberCall({
    method: 'PATCH',
    path: '/organizations/{id}',
    summary: 'Rename an organization',
    tag,
    needs: ['update', 'Organization'],
    tenant: 'organizations',
  })
    .input(z.strictObject({ id, name: name.optional() }))
    .output(Organization),
  delete: memberCall({
    method: 'DELETE',
    path: '/organizations/{id}',
    summary: 'Delete an organization',
    tag,
    needs: ['delete', 'Organization'],
    tenant: 'organizations',
  })
    .input(z.strictObject({ id }))
    .errors({
      send_in_progress: {
        status: 409,
        message: 'Something in this organization is being sent. Cancel the send first.',
      },
    })
    .output(deleted),
  permissions: memberCall({
    method: 'GET',
    path: '/organizations/{id}/permissions',
    summary: 'My permission rules in an organization',
    tag,
    needs: ['read', 'Organization'],
    tenant: 'organizations',
  })
    .input(z.strictObject({ id }))
    .output(z.object({ rules: z.array(rule) })),
};
