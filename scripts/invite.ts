import { email as emailValue } from '@reachout/contract/values.ts';
import { inviteToSignUp } from '../apps/server/src/identity/auth/sign-in/sign-up-invitation.ts';
import { createSecrets } from '../apps/server/src/platform/secrets.ts';
import { runOperatorCommand, UsageError, wrongArgument } from './installation.ts';

// npm run invite -- ADDRESS: allows an address, such as the operator's own, to sign up if sign-up is by invitation only.

const usage = 'Usage: npm run invite -- name@example.com';

await runOperatorCommand(readAddress, async ({ authDb }, config, email) => {
  if (config.signUp === 'closed')
    throw new UsageError('SIGN_UP=closed takes no new accounts. Set SIGN_UP=invited first.');
  const secrets = createSecrets(config.secretKey, config.previousSecretKeys);
  if (!(await inviteToSignUp(authDb, secrets, email)))
    throw new UsageError(`${email} has an account already.`);
  const link = new URL('/sign-up', config.publicUrl);
  link.searchParams.set('email', email);
  return `${email} can sign up within 7 days, and confirms the address by email:\n  ${link.href}`;
});

function readAddress([given, ...more]: string[]): string {
  if (given === undefined) throw new UsageError(usage);
  const email = emailValue.toLowerCase().safeParse(given);
  if (!email.success) throw wrongArgument(`"${given}" is not an email address.`, usage);
  if (more.length > 0) throw wrongArgument('Only one address can be invited at a time.', usage);
  return email.data;
}
