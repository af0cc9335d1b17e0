import { tooManyAttempts } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { addToCounters } from '../../platform/rate-limits/rate-limits.queries.ts';
import type { Secrets } from '../../platform/secrets.ts';

/**
 * Maximum emails per day to people who may not know us: per organization; per user, who can create many organizations;
 * per address, regardless of the inviter; and per invitation that is sent again.
 */
const emailsPerDay = { ofOrganization: 50, byPerson: 50, toAddress: 5, again: 3 };
const dayMs = 86_400_000;

export interface InvitationEmails {
  organizationId: string;
  /** The inviting member. */
  userId: string;
  /** One email to each. */
  emails: readonly string[];
  /** The invitation, if it is sent again. */
  again?: string;
}

/**
 * Counts invitations before they are emailed, in the same transaction: rolled-back invitations do not count. Until the
 * transaction ends, other invitations of the organization wait.
 * @throws 429 if the daily limit would be exceeded
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

/** Addresses that differ only in the part after a `+` reach the same person. */
const mailboxOf = (email: string): string => email.toLowerCase().replace(/\+[^@]*(?=@)/, '');
