import { setTimeout as delay } from 'node:timers/promises';
import type { BetterAuthOptions } from 'better-auth';
import { getOAuthState } from 'better-auth/api';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { OAuthConfig, SignUp } from '../../../platform/config.ts';
import { transactionAs, type Database } from '../../../platform/database/database.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { hashesOfLink, isInvited } from '../sign-in/sign-up-invitation.ts';

export interface OfferedProvider {
  /** As in `sign-in/social` and in the callback's address. */
  id: string;
  name: string;
}

/** Better Auth's own; what they say of people is only what is asked for here. */
export const builtInProviders = ({ google, microsoft, github }: OAuthConfig) =>
  ({
    ...(google && { google }),
    ...(microsoft && {
      microsoft: {
        clientId: microsoft.clientId,
        clientSecret: microsoft.clientSecret,
        tenantId: microsoft.tenant,
        disableProfilePhoto: true,
      },
    }),
    ...(github && { github }),
  }) satisfies BetterAuthOptions['socialProviders'];

/** The generic provider, whose endpoints and keys its discovery document names. */
export function discoveredProvider({ oidc }: OAuthConfig) {
  if (oidc === undefined) return [];
  return [
    genericOAuth({
      config: [
        {
          providerId: 'oidc',
          name: oidc.name,
          clientId: oidc.clientId,
          clientSecret: oidc.clientSecret,
          discoveryUrl: `${oidc.issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
          scopes: ['openid', 'profile', 'email'],
          pkce: true,
          requireIdTokenVerification: true,
          // Without a plain statement the address counts as unverified.
          mapProfileToUser: (profile: Record<string, unknown>) => ({
            emailVerified: profile['email_verified'] === true,
            name: typeof profile['name'] === 'string' ? profile['name'] : '',
          }),
        },
      ],
    }),
  ];
}

/**
 * Accounts are made and linked for addresses that the provider has verified, and for no others; ours always are. New ones
 * only where sign-up is open, or for invited people.
 * Somebody whose account is linked already is known by the provider's own id.
 */
export function createUserCheck({
  authDb,
  secrets,
  signUp,
}: {
  authDb: Database;
  secrets: Secrets;
  signUp: SignUp;
}): NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']> {
  return async ({ user, source }) => {
    if (source.method !== 'oauth' || source.action === 'sign-in') return undefined;
    if (user.emailVerified !== true) return { error: 'email_not_verified' };
    if (source.action !== 'create-user' || signUp === 'open') return undefined;
    if (signUp === 'closed') return { error: 'sign_up_closed' };
    const linkHashes = await findLinkHashes(secrets);
    const email = String(user.email).toLowerCase();
    return (await transactionAs(authDb, {}, (trx) => isInvited(trx, { email, linkHashes })))
      ? undefined
      : { error: 'not_invited' };
  };
}

/** Of the invitation link by which the person came who signs in at a provider now. */
export const findLinkHashes = async (secrets: Secrets): Promise<string[]> =>
  hashesOfLink(secrets, linkTokenOf((await getOAuthState())?.callbackURL));

/** People who came by an invitation link go back to it after the sign-in. */
const linkTokenOf = (callbackUrl: string | undefined): string | undefined =>
  /^https?:\/\/[^/]+\/join\/([\w-]{1,200})$/.exec(callbackUrl ?? '')?.[1];

const discoveryLimitMs = 10_000;
const withoutSlash = (address: string) => address.replace(/\/+$/, '');

/**
 * Whether Better Auth has found the generic provider, and it is the one that was meant: a document that names another
 * issuer is rejected (OpenID Connect Discovery 4.3).
 */
export async function isDiscovered(
  context: Promise<{ socialProviders: { id: string; issuer?: string | undefined }[] }>,
  { issuer }: NonNullable<OAuthConfig['oidc']>,
): Promise<boolean> {
  const found = await Promise.race([context, delay(discoveryLimitMs, undefined, { ref: false })]);
  const provider = found?.socialProviders.find(({ id }) => id === 'oidc');
  return provider?.issuer !== undefined && withoutSlash(provider.issuer) === withoutSlash(issuer);
}

/** @param isOidcReady  false while its discovery document has not been read */
export function listProviders(
  { oidc, google, microsoft, github }: OAuthConfig,
  isOidcReady: boolean,
): OfferedProvider[] {
  return [
    ...(oidc !== undefined && isOidcReady ? [{ id: 'oidc', name: oidc.name }] : []),
    ...(google === undefined ? [] : [{ id: 'google', name: 'Google' }]),
    ...(microsoft === undefined ? [] : [{ id: 'microsoft', name: 'Microsoft' }]),
    ...(github === undefined ? [] : [{ id: 'github', name: 'GitHub' }]),
  ];
}
