import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { newPassword, PasskeyAssertion, secondFactorCode } from './me.ts';
import { publicOperations, tooManyAttempts } from './operation.ts';
import { maxPasswordLength } from './rules/lengths.ts';
import { email as emailValue, id, name, timestamp } from './values.ts';

const email = emailValue.toLowerCase();
/** The secret of an emailed link. */
const token = z.string().min(1).max(200);
/** Passwords set under earlier rules are accepted; longer input is rejected without a check. */
const givenPassword = z
  .string()
  .min(1, 'Enter your password.')
  .max(maxPasswordLength, `Use at most ${maxPasswordLength} characters.`);

/** Whether this browser can open something, or needs its link first; null if it is not there. */
const offer = z.enum(['open', 'needs_link']).nullable();

/** The first step of a sign-in either starts a session or requires the second step; both set a cookie. */
const step = z.object({ status: z.enum(['signed_in', 'second_factor_needed']) });
const signedIn = z.object({ status: z.literal('signed_in') });
/** The response is the same whether or not the address has an account. */
const checkInbox = z.object({ status: z.literal('check_inbox') });

const forSignIn = publicOperations('Sign-in');

/**
 * Sign-in, and what people do with an account before it. They are declared apart from the router because the server mounts them
 * as plain routes: they set cookies, and some redirect. The web app uses only their types (`SignInCalls`).
 */
export const signIn = {
  options: forSignIn('GET /auth/options', 'The ways to sign in to this installation').output({
    providers: z.array(z.object({ id: z.string(), name: z.string() })),
    /** Who can create an account. */
    sign_up: z.enum(['open', 'invited', 'closed']),
    /** The platform’s own emails, at `/mailbox`. */
    local_mailbox: offer,
    demo: offer,
  }),
  signUp: forSignIn('POST /auth/sign-up', 'Request an email with a link that creates an account')
    .input({
      name,
      email,
      password: newPassword,
      /** Of an invitation link: sign-up may be allowed with it where it otherwise is not. */
      link_token: token.optional(),
    })
    .errors({ ...tooManyAttempts, ...pickErrors('sign_up_closed') })
    .output(checkInbox),
  confirmSignUp: forSignIn('POST /auth/sign-up/confirm', 'Create the account and sign in')
    .input({
      token,
      /** Required in another browser than the one used to sign up. */
      password: givenPassword.optional(),
    })
    .errors({
      ...tooManyAttempts,
      ...pickErrors('sign_up_closed', 'not_invited', 'link_expired', 'password_needed', 'wrong_password'),
    })
    .output(step),
  describeInvited: forSignIn('POST /auth/sign-up/invitation', 'The address that an invitation was sent to')
    .input({ token, proof: token })
    .errors(pickErrors('link_expired'))
    .output({ email: z.string(), has_account: z.boolean() }),
  signUpInvited: forSignIn(
    'POST /auth/sign-up/invited',
    'Create the account of an invited person, accept the invitation and sign in',
  )
    .input({ token, proof: token, name, password: newPassword })
    .errors({
      ...tooManyAttempts,
      ...pickErrors(
        'sign_up_closed',
        'organization_suspended',
        'account_exists',
        'not_pending',
        'link_expired',
      ),
    })
    .output(step.extend({ organization_id: id })),
  withPassword: forSignIn('POST /auth/sign-in/email', 'Sign in with a password')
    .input({ email, password: givenPassword })
    .errors({ ...tooManyAttempts, ...pickErrors('invalid_email_or_password') })
    .output(step),
  requestCode: forSignIn('POST /auth/sign-in/code', 'Request an email with a code to sign in')
    .input({ email })
    .errors(tooManyAttempts)
    .output(checkInbox.extend({ expires_in: z.number() })),
  withCode: forSignIn('POST /auth/sign-in/code/verify', 'Sign in with the emailed code')
    .input({ code: z.string().regex(/^\d{6}$/, 'Enter the six digits of the code.') })
    .errors({ ...tooManyAttempts, ...pickErrors('wrong_code', 'code_expired') })
    .output(step),
  secondFactors: forSignIn(
    'GET /auth/sign-in/second-factor',
    'The factors to choose from after the first step',
  )
    .errors(pickErrors('code_expired'))
    .output({ totp: z.boolean(), passkey: z.boolean(), recovery_code: z.boolean() }),
  withSecondFactor: forSignIn('POST /auth/sign-in/second-factor', 'Complete a sign-in with a code')
    .input({ code: secondFactorCode })
    .errors({
      ...tooManyAttempts,
      ...pickErrors('wrong_code', 'code_expired', 'authenticator_unreadable'),
    })
    .output(signedIn),
  passkeyOptions: forSignIn('POST /auth/sign-in/passkey/options', 'Get the options for a sign-in by passkey')
    .errors(tooManyAttempts)
    .output({
      challenge: z.string(),
      rpId: z.string().optional(),
      timeout: z.number().optional(),
      userVerification: z.string().optional(),
    }),
  withPasskey: forSignIn('POST /auth/sign-in/passkey', 'Sign in with a passkey')
    .input(PasskeyAssertion)
    .errors({ ...tooManyAttempts, ...pickErrors('unknown_passkey') })
    .output(signedIn),
  requestReset: forSignIn('POST /auth/reset-password', 'Request an email with a link for a new password')
    .input({ email })
    .errors(tooManyAttempts)
    .output(checkInbox),
  resetPassword: forSignIn('POST /auth/reset-password/new', 'Set a new password and end all sessions')
    .input({ token, password: newPassword })
    .errors(pickErrors('link_expired'))
    .output({
      status: z.literal('changed'),
      /** Number of the user’s API keys that remain valid. */
      api_keys: z.number(),
    }),
  confirmEmail: forSignIn('POST /auth/change-email/confirm', 'Confirm the new address of an account')
    .input({
      token,
      /** Required if the account is not signed in in this browser. */
      password: givenPassword.optional(),
    })
    .errors({ ...tooManyAttempts, ...pickErrors('link_expired', 'password_needed', 'wrong_password') })
    .output({ email: z.string() }),
  withProvider: forSignIn('POST /auth/sign-in/social', 'Get the address at which a provider signs in')
    .input({ provider: z.string().max(40), callbackURL: z.string().max(2_000) })
    .errors({ ...tooManyAttempts, ...pickErrors('not_found') })
    .output({ url: z.string(), redirect: z.boolean() }),
  providerCallback: forSignIn('GET /auth/callback/{provider}', 'Sign in and open the app, for a provider', {
    successStatus: 302,
  })
    // Providers add what they like.
    .input(z.looseObject({ provider: z.string() }))
    .errors(pickErrors('not_found')),
  signOut: forSignIn('POST /auth/sign-out', 'End the session').output({ success: z.boolean() }),
  session: forSignIn('GET /auth/get-session', 'The session, or null').output(
    z
      .object({
        user: z.object({ id, email: z.string(), name: z.string(), avatar_url: z.string().nullable() }),
        session: z.object({ id, expires_at: timestamp }),
      })
      .nullable(),
  ),
  withLink: forSignIn('GET /auth/magic-link/verify', 'Sign in and open the app, for a link of the operator', {
    successStatus: 302,
  }).input(z.looseObject({ token: z.string(), callbackURL: z.string().optional() })),
};
export type SignIn = typeof signIn;

type Inputs = InferContractRouterInputs<SignIn>;
type Outputs = InferContractRouterOutputs<SignIn>;

/** Input and output of each operation by its path below `/auth`, for callers that load no schemas. */
export type SignInCalls<Method extends 'GET' | 'POST'> = {
  [
    Name in keyof SignIn as SignIn[Name]['~orpc']['meta']['route'] extends `${Method} /auth/${infer Path}`
      ? Path
      : never
  ]: {
    input: unknown extends Inputs[Name] ? Record<string, never> : Inputs[Name];
    output: Outputs[Name];
  };
};
