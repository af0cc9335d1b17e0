import { sql } from 'kysely';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import type { invitationStatuses } from '@reachout/contract/invitations.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { RowOf, Transaction } from '../../platform/database/database.ts';
import { containsPattern, countRows, type Paging } from '../../platform/database/list-page.ts';
import { clientNames } from '../memberships/member-clients.queries.ts';

type Status = (typeof invitationStatuses)[number];

export type InvitationRow = RowOf<typeof selectInvitations>;

export interface NewInvitation {
  email: string;
  role: string;
  client_ids: readonly string[];
  language: 'en' | 'de';
  invited_by: string;
  token_hash: string;
  token_sealed: string;
  days: number;
}

const isExpired = sql<boolean>`(i.status = 'pending' and i.expires_at <= now())`;
const inDays = (days: number) => sql<string>`now() + make_interval(days => ${days}::int)`;

/** Invitations with the name of their role; `u` is the inviter. */
export const selectWithRoleAndInviter = (trx: Transaction) =>
  trx
    .selectFrom('organization_invitations as i')
    .leftJoin('organization_roles as r', (join) =>
      join.onRef('r.organization_id', '=', 'i.organization_id').onRef('r.role', '=', 'i.role'),
    )
    .leftJoin('users as u', 'u.id', 'i.invited_by')
    .select([
      'i.id',
      'i.email',
      'i.role',
      'r.name as role_name',
      'i.client_ids',
      'i.status',
      'i.token_sealed',
      'i.expires_at',
    ]);

const selectInvitations = (trx: Transaction, accessScope: AccessScope) =>
  selectWithRoleAndInviter(trx)
    .select([
      clientNames(sql`i.client_ids`, accessScope).as('clients'),
      isExpired.as('is_expired'),
      sql<{ id: string; full_name: string } | null>`case when u.id is not null
        then jsonb_build_object('id', u.id, 'full_name', u.full_name) end`.as('invited_by'),
      'i.created_at',
    ])
    .orderBy('i.created_at', 'desc')
    .orderBy('i.id', 'desc');

/** @param accessScope  the clients whose names may be shown */
export async function listInvitations(
  trx: Transaction,
  { status, search, page, page_size }: Paging & { status?: Status | undefined; search?: string | undefined },
  accessScope: AccessScope,
): Promise<{ items: InvitationRow[]; count: number }> {
  const matching = selectInvitations(trx, accessScope)
    .$if(status !== undefined, (query) => query.where('i.status', '=', status!))
    .$if(search !== undefined, (query) => query.where('i.email', 'ilike', containsPattern(search ?? '')));
  const items = await matching
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  return { items, count: await countRows(matching.clearOrderBy()) };
}

export const listInvitationsById = async (
  trx: Transaction,
  ids: readonly string[],
  accessScope: AccessScope,
): Promise<InvitationRow[]> =>
  ids.length === 0 ? [] : await selectInvitations(trx, accessScope).where('i.id', 'in', ids).execute();

/** The invited address, which never changes. @throws 404 */
export async function getInvitedEmail(trx: Transaction, id: string): Promise<string> {
  const { email } = await trx
    .selectFrom('organization_invitations')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound);
  return email;
}

/** Locks the invitation until the transaction ends. @throws 404 */
export const lockInvitation = (trx: Transaction, id: string) =>
  trx
    .selectFrom('organization_invitations')
    .select(['id', 'email', 'role', 'client_ids', 'language', 'status'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);

/** The pending invitations of these addresses, locked as by `lockInvitation`. */
export const lockPending = (trx: Transaction, emails: readonly string[]) =>
  trx
    .selectFrom('organization_invitations')
    .select(['id', 'email', 'role', 'client_ids'])
    .where('email', 'in', emails)
    .where('status', '=', 'pending')
    .orderBy('id')
    .forUpdate()
    .execute();

export async function insertInvitation(
  trx: Transaction,
  { days, client_ids, ...row }: NewInvitation & { id: string; organization_id: string },
): Promise<void> {
  await trx
    .insertInto('organization_invitations')
    .values({ ...row, client_ids: [...client_ids], expires_at: inDays(days) })
    .execute();
}

/** Renews an invitation; its previous token stops working. */
export async function renewInvitation(
  trx: Transaction,
  id: string,
  { days, client_ids, ...changes }: Omit<NewInvitation, 'email'>,
): Promise<void> {
  await trx
    .updateTable('organization_invitations')
    .set({ ...changes, client_ids: [...client_ids], expires_at: inDays(days), updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

/**
 * Ends a pending invitation; of concurrent requests, only one succeeds.
 * @param response.hashes  if given, one of them must be that of the invitation's token
 * @returns false if it is no longer pending or, with `hashes`, has expired
 */
export async function endInvitation(
  trx: Transaction,
  id: string,
  response: { status: Exclude<Status, 'pending'>; hashes?: readonly string[] },
): Promise<boolean> {
  const { status, hashes } = response;
  const result = await trx
    .updateTable('organization_invitations')
    .set({ status, token_sealed: null, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .$if(hashes !== undefined, (query) =>
      query.where('token_hash', 'in', hashes!).where('expires_at', '>', sql<string>`now()`),
    )
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/**
 * Cancels the pending invitations to an address, and those that a user sent.
 * @param of.email  in lower case
 */
export async function cancelInvitations(
  trx: Transaction,
  { email, invitedBy }: { email?: string; invitedBy?: string },
): Promise<void> {
  await trx
    .updateTable('organization_invitations')
    .set({ status: 'cancelled', token_sealed: null, updated_at: sql`now()` })
    .where('status', '=', 'pending')
    .where((eb) =>
      eb.or([
        ...(email === undefined ? [] : [eb('email', '=', email)]),
        ...(invitedBy === undefined ? [] : [eb('invited_by', '=', invitedBy)]),
      ]),
    )
    .execute();
}

/** Deletes permanently. */
export async function deleteInvitation(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('organization_invitations').where('id', '=', id).execute();
}
