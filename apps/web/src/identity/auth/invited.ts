import { post } from './post.ts';

/** What the link in the mail of an invitation carries: the proof stands in no other link. */
export interface MailedInvitation {
  token: string;
  proof: string;
}

/**
 * To which address the mail went, and whether that has an account.
 * @throws Problem 410 for a link that proves nothing, or no longer
 */
export async function describeInvited(
  link: MailedInvitation,
): Promise<{ email: string; hasAccount: boolean }> {
  const { email, has_account: hasAccount } = await post('sign-up/invitation', { ...link });
  return { email: typeof email === 'string' ? email : '', hasAccount: hasAccount === true };
}

/**
 * Makes the account, joins and signs in.
 * @returns the organization's id, for which the page has to start the session
 */
export async function signUpByInvitation(
  input: MailedInvitation & { name: string; password: string },
): Promise<string> {
  const { organization_id: id } = await post('sign-up/invited', { ...input });
  return typeof id === 'string' ? id : '';
}
