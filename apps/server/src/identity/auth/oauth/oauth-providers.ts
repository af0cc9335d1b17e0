import { setTimeout as delay } from 'node:timers/promises';
import type { BetterAuthOptions } from 'better-auth';
import { getOAuthState } from 'better-auth/api';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { OAuthConfig, SignUp } from '../../../platform/config.ts';
import { transactionAs, type Database } from '../../../platform/database/database.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { hashesOfLink, isInvited } from '../sign-in/sign-up-invitation.ts';

export interface OfferedProvider {
  /** As in `sign-in/social` and in the callback URL. */
  id: string;
  name: string;
}

/** Better Auth's built-in providers; they return only the profile data requested here. */
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

/** The generic provider, with the endpoints and keys of its discovery document. */
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
          // Without an explicit `true`, the address counts as unverified.
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
 * Allows creating and linking accounts only for addresses that the provider has verified; ours always are. New accounts
 * are created only if sign-up is open, or for invited users. A linked account is found by the provider's own id.
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

/** Hashes of the invitation link that the user followed before the current sign-in at a provider. */
export const findLinkHashes = async (secrets: Secrets): Promise<string[]> =>
  hashesOfLink(secrets, linkTokenOf((await getOAuthState())?.callbackURL));

/** Users who followed an invitation link return to it after the sign-in. */
const linkTokenOf = (callbackUrl: string | undefined): string | undefined =>
  /^https?:\/\/[^/]+\/join\/([\w-]{1,200})$/.exec(callbackUrl ?? '')?.[1];

const discoveryLimitMs = 10_000;
const withoutSlash = (address: string) => address.replace(/\/+$/, '');

/**
 * Whether Better Auth has discovered the generic provider with the configured issuer: a document with another issuer is
 * rejected (OpenID Connect Discovery 4.3).
 */
export async function isDiscovered(
  context: Promise<{ socialProviders: { id: string; issuer?: string | undefined }[] }>,
  { issuer }: NonNullable<OAuthConfig['oidc']>,
): Promise<boolean> {
  const found = await Promise.race([context, delay(discoveryLimitMs, undefined, { ref: false })]);
  const provider = found?.socialProviders.find(({ id }) => id === 'oidc');
  return provider?.issuer !== undefined && withoutSlash(provider.issuer) === withoutSlash(issuer);
}

/** @param isOidcReady  false until its discovery document has been read */
export const listProviders = (
  { oidc, google, microsoft, github }: OAuthConfig,
  isOidcReady: boolean,
): OfferedProvider[] => [
  ...(oidc !== undefined && isOidcReady ? [{ id: 'oidc', name: oidc.name }] : []),
  ...(google === undefined ? [] : [{ id: 'google', name: 'Google' }]),
  ...(microsoft === undefined ? [] : [{ id: 'microsoft', name: 'Microsoft' }]),
  ...(github === undefined ? [] : [{ id: 'github', name: 'GitHub' }]),
];
