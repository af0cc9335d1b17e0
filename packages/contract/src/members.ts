import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { memberOperations } from './operation.ts';
import { role } from './roles.ts';
import { deleted, id, list, order, paging, search, timestamp } from './values.ts';

/** The clients that a member is limited to. */
export const clientIds = z.array(id).max(500);

export const Member = z.object({
  organization_id: id,
  user_id: id,
  role: z.string(),
  role_name: z.string().nullable(),
  /** The clients that a `guest`, or a member whose role has `${client_ids}` in its rules, is limited to. */
  clients: z.array(z.object({ id, name: z.string() })),
  joined_at: timestamp,
  last_seen_at: timestamp.nullable(),
  user: z.object({
    id,
    full_name: z.string(),
    email: z.string(),
    avatar_url: z.string().nullable(),
  }),
});
export type Member = z.infer<typeof Member>;

const onMembers = memberOperations('Members', 'organizations');

export const members = {
  list: onMembers('GET /organizations/{id}/members', 'Members of an organization', 'read Member')
    .input({
      search,
      role: role.optional(),
      order: order(['full_name', 'role', 'joined_at', 'last_seen_at'], 'full_name.asc'),
      ...paging(),
    })
    .output(list(Member)),
  update: onMembers(
    'PUT /organizations/{id}/members/{user_id}',
    'Set a member’s role and assigned clients; people become members by an invitation alone',
    'update Member',
    { requiresReauth: true },
  )
    .input({
      user_id: id,
      role,
      /** If missing, the member keeps them. */
      client_ids: clientIds.optional(),
    })
    .errors(pickErrors('beyond_own_rights', 'last_owner', 'not_a_member'))
    .output(Member),
  remove: onMembers('DELETE /organizations/{id}/members/{user_id}', 'Remove a member', 'delete Member', {
    requiresReauth: true,
  })
    .input({ user_id: id })
    .errors(pickErrors('beyond_own_rights', 'last_owner'))
    .output({ user_id: id }),
  leave: onMembers('POST /organizations/{id}/leave', 'Leave an organization', 'read Organization', {
    requiresReauth: true,
  })
    .errors(pickErrors('last_owner'))
    .output(deleted),
};
