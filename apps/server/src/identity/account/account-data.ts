import { internalOrigin } from '../access/caller.ts';
import type { User } from '@reachout/contract/me.ts';
import { writeAuditEntry } from '../access/audit.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { enterOrganization, type Transaction } from '../../platform/database/database.ts';
import { eraseNameFromAuditLog } from '../access/audit.queries.ts';
import { deleteKeysOf } from '../access/idempotency.queries.ts';
import { deleteEmailsOf } from '../account-email/account-email.queries.ts';
import {
  deleteTokensOf,
  deleteVerificationsOf,
  listTokenIdsOf,
  deleteUser,
} from '../auth/users/user.queries.ts';
import { deleteLinkOf } from '../invitations/invitation-link.queries.ts';
import { cancelInvitations, deleteInvitation } from '../invitations/invitation.queries.ts';
import { lockActiveOwners } from '../memberships/member.queries.ts';
import { findUserData, listPersonalData, type PersonalData } from './account-data.queries.ts';

type Person = Pick<User, 'id' | 'email'>;

/** Erasure of personal data that higher layers store. */
export interface EraseElsewhere {
  /** Deletes messages to these addresses from the local mailbox. */
  deleteMessagesTo: (trx: Transaction, recipients: readonly string[]) => Promise<void>;
  /** Erases email tests to this address in the organization of the transaction. */
  eraseTestsTo: (trx: Transaction, address: string) => Promise<void>;
}

const listNames = {
  membership: 'memberships',
  invitation: 'invitations',
  sent_invitation: 'sent_invitations',
  invitation_link: 'invitation_links',
  api_key: 'api_keys',
  audit_entry: 'audit_entries',
  send: 'sends',
  import: 'imports',
} as const satisfies Record<PersonalData['kind'], string>;

/** @returns all data stored about the acting user and no other user; without secrets */
export async function exportAccount(trx: Transaction, person: Person): Promise<Record<string, unknown>> {
  const userData = await findUserData(trx, person);
  const personalData = Map.groupBy(await listPersonalData(trx), ({ kind }) => kind);
  const lists = Object.entries(listNames).map(([kind, listName]) => [
    listName,
    (personalData.get(kind as PersonalData['kind']) ?? []).map(({ organization_id, data }) => ({
      organization_id,
      ...data,
    })),
  ]);
  return { exported_at: new Date().toISOString(), ...userData, ...Object.fromEntries(lists) };
}

/** Checked at the start of a deletion. @throws 409 `last_owner` if an organization would be left without an owner */
export async function denyLastOwner(trx: Transaction, person: Person): Promise<void> {
  const organizations: { id: string; name: unknown }[] = [];
  for (const { organization_id: id, data } of currentMemberships(await listPersonalData(trx))) {
    if (data['role'] !== 'owner') continue;
    await enterOrganization(trx, id);
    const owners = await lockActiveOwners(trx);
    if (owners.every((owner) => owner === person.id)) organizations.push({ id, name: data['organization'] });
  }
  if (organizations.length > 0) {
    throw apiError('last_owner', { organizations });
  }
}

/**
 * Erases the acting user: the account with all dependent rows, and the name and address wherever else they are stored.
 * The user's audit log entries stay, under an id that no longer identifies anyone. Files are not touched.
 * @throws 409 `last_owner`
 */
export async function eraseAccount(
  trx: Transaction,
  person: Person,
  { deleteMessagesTo, eraseTestsTo }: EraseElsewhere,
): Promise<void> {
  await denyLastOwner(trx, person);
  const personalData = await listPersonalData(trx);
  await eraseNameFromAuditLog(trx);
  for (const { organization_id } of currentMemberships(personalData)) {
    await enterOrganization(trx, organization_id);
    // Invitations and invitation links created by the user stop working.
    await cancelInvitations(trx, { invitedBy: person.id });
    await deleteLinkOf(trx, person.id);
    const who = { userId: person.id, organizationId: organization_id, origin: internalOrigin };
    await writeAuditEntry(trx, who, 'me.delete', { record_type: 'members', record_id: person.id });
  }
  for (const { organization_id, data } of personalData.filter(({ kind }) => kind === 'invitation')) {
    await enterOrganization(trx, organization_id);
    await deleteInvitation(trx, String(data['id']));
  }
  for (const organizationId of new Set(
    personalData.map(({ organization_id }) => organization_id).toSorted(),
  )) {
    await enterOrganization(trx, organizationId);
    await eraseTestsTo(trx, person.email);
  }
  await deleteKeysOf(trx, person.id);
  const tokenIds = await listTokenIdsOf(trx, person);
  await deleteMessagesTo(trx, await deleteEmailsOf(trx, { ...person, tokenIds }));
  await deleteTokensOf(trx, person);
  await deleteVerificationsOf(trx, person);
  await deleteUser(trx, person.id);
}

/** Sorted by id: concurrent deletions that share organizations lock them in the same order and do not deadlock. */
const currentMemberships = (personalData: PersonalData[]): PersonalData[] =>
  personalData
    .filter(({ kind, data }) => kind === 'membership' && data['organization_deleted'] === false)
    .sort((one, other) => (one.organization_id < other.organization_id ? -1 : 1));
