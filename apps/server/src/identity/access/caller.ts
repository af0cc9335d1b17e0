import type { FastifyRequest } from 'fastify';

/** The caller of a request: a signed-in user, or an API key, which acts for the member who created it. */
export interface Caller {
  userId: string;
  /** Undefined for API keys. */
  session: { id: string; signedInAt: Date } | undefined;
  apiKey: { id: string; organizationId: string; scopes: readonly string[] } | undefined;
}

/** Origin of a request, for the audit log. */
export interface RequestOrigin {
  ipAddress: string | undefined;
  userAgent: string | undefined;
}

/** Origin of internal operations. */
export const internalOrigin: RequestOrigin = { ipAddress: undefined, userAgent: undefined };

export const originOf = (request: FastifyRequest): RequestOrigin => ({
  ipAddress: request.ip,
  userAgent: request.headers['user-agent'],
});

/** Changes of permissions require a sign-in no older than this. */
const reauthMaxAgeMs = 60 * 60_000;

export const isRecentlySignedIn = ({ session }: Caller, now: Date): boolean =>
  session !== undefined && now.getTime() - session.signedInAt.getTime() < reauthMaxAgeMs;
