import { tooManyAttempts } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { addToCounters } from '../../platform/rate-limits/rate-limits.queries.ts';
import type { Secrets } from '../../platform/secrets.ts';

/**
 * Emails to people who may not know us. By one organization; by one person, who can make many organizations; to
 * one address, no matter who invites it; and of one invitation that is sent again.
 */
const emailsPerDay = { ofOrganization: 50, byPerson: 50, toAddress: 5, again: 3 };
const dayMs = 86_400_000;

export interface InvitationEmails {
  organizationId: string;
  /** The inviting member. */
  userId: string;
  /** One mail each. */
  emails: readonly string[];
  /** The invitation, where it is one that is sent again. */
  again?: string;
}

/**
 * Counts invitations before they are mailed, as part of the transaction: those that come to nothing do not count. Until
 * it ends no other operation of the organization invites.
 * @throws 429 when this would be more than is allowed in a day
 */
export async function countInvitations(
  trx: Transaction,
  secrets: Secrets,
  { organizationId, userId, emails, again }: InvitationEmails,
): Promise<void> {
  const counters = new Map<string, number>();
  const limits = new Map<string, number>();
  const add = (key: string, mails: number, most: number) => {
    counters.set(key, mails + (counters.get(key) ?? 0));
    limits.set(key, most);
  };
  add(`invitations ${organizationId}`, emails.length, emailsPerDay.ofOrganization);
  add(`invitations by ${userId}`, emails.length, emailsPerDay.byPerson);
  for (const email of emails)
    add(`invitations to ${secrets.hash('invited address', mailboxOf(email))}`, 1, emailsPerDay.toAddress);
  if (again !== undefined) add(`invitations again ${again}`, 1, emailsPerDay.again);

  const counted = await addToCounters(trx, counters, { windowMs: dayMs, now: new Date() });
  const exceeded = counted.filter(({ key, points }) => points > (limits.get(key) ?? 0));
  if (exceeded.length > 0)
    throw tooManyAttempts(Math.ceil(Math.max(...exceeded.map(({ endsInMs }) => endsInMs)) / 1_000));
}

/** Addresses that differ only in what follows a `+` reach the same person. */
const mailboxOf = (email: string): string => email.toLowerCase().replace(/\+[^@]*(?=@)/, '');
