import { maxSessionMs } from '../sessions/session.ts';

/** Our names for Better Auth's tables and columns. */
export const authTables = {
  user: {
    modelName: 'users',
    fields: {
      name: 'full_name',
      emailVerified: 'email_verified',
      image: 'avatar_url',
      createdAt: 'inserted_at',
      updatedAt: 'updated_at',
    },
    additionalFields: { status: { type: 'string', required: false, input: false } },
  },
  session: {
    modelName: 'sessions',
    // Lifetime of the cookie. The row expires earlier, a week after its last use (`createAuthHooks`, `touchSession`),
    // so that the cookie need not be set again while the session is in use.
    expiresIn: maxSessionMs / 1_000,
    disableSessionRefresh: true,
    fields: {
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
    additionalFields: {
      lastUsedAt: { type: 'date', required: false, input: false, fieldName: 'last_used_at' },
    },
  },
  account: {
    modelName: 'accounts',
    fields: {
      userId: 'user_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
    // Provider tokens are not stored: no request is sent to a provider after the sign-in.
    updateAccountOnSignIn: false,
  },
  verification: {
    modelName: 'verifications',
    fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
} as const;
