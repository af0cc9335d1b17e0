import { email as emailValue } from '@reachout/contract/values.ts';
import { inviteToSignUp } from '../apps/server/src/identity/auth/sign-in/sign-up-invitation.ts';
import { createSecrets } from '../apps/server/src/platform/secrets.ts';
import { runOperatorCommand, UsageError } from './installation.ts';

// npm run invite -- ADDRESS: lets an address sign up where sign-up is for invited people, such as the operator's own.

await runOperatorCommand(async ({ authDb }, config, [given = '', ...more]) => {
  const email = emailValue.toLowerCase().safeParse(given);
  if (!email.success || more.length > 0) throw new UsageError('Usage: npm run invite -- name@example.com');
  if (config.signUp === 'closed')
    throw new UsageError('SIGN_UP=closed takes no new accounts. Set SIGN_UP=invited first.');
  const secrets = createSecrets(config.secretKey, config.previousSecretKeys);
  if (!(await inviteToSignUp(authDb, secrets, email.data)))
    throw new UsageError(`${email.data} has an account already.`);
  const link = new URL('/sign-up', config.publicUrl);
  link.searchParams.set('email', email.data);
  return `${email.data} can sign up within 7 days, and confirms the address by email:\n  ${link.href}`;
});
