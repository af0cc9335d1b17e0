import { post } from './endpoints.ts';

/** The parameters of the link in an invitation email; only that link contains the proof. */
export interface MailedInvitation {
  token: string;
  proof: string;
}

/**
 * @returns the address that the email was sent to, and whether it has an account
 * @throws Problem 410 if the link is invalid or has expired
 */
export async function describeInvited(
  link: MailedInvitation,
): Promise<{ email: string; hasAccount: boolean }> {
  const { email, has_account: hasAccount } = await post('sign-up/invitation', link);
  return { email, hasAccount };
}

/**
 * Creates the account, joins the organization and signs in.
 * @returns the organization's id; the page still has to start the session for it
 */
export async function signUpByInvitation(
  input: MailedInvitation & { name: string; password: string },
): Promise<string> {
  const { organization_id: id } = await post('sign-up/invited', input);
  return id;
}
