import { isUuid } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';

/** The token of an opened share. Its bearer can read the item until it expires. */
export interface ShareToken {
  organizationId: string;
  shareId: string;
  expiresAt: Date;
}

type Signer = Pick<Secrets, 'hash' | 'hashes'>;

const purpose = 'content shares';
const prefix = 'share_';

export const isShareToken = (token: string | undefined): token is string =>
  token?.startsWith(prefix) === true;

/** `share_<id>_<expiry in seconds, base 36>_<mac>`; valid for one organization. */
export const signShareToken = (secrets: Signer, token: ShareToken): string =>
  `${nameOf(token)}_${secrets.hash(purpose, `${token.organizationId} ${nameOf(token)}`)}`;

const nameOf = ({ shareId, expiresAt }: ShareToken): string =>
  `${prefix}${shareId}_${Math.floor(expiresAt.getTime() / 1_000).toString(36)}`;

/** @returns undefined unless exactly this token was signed for this organization; it may have expired */
export function verifyShareToken(
  secrets: Signer,
  organizationId: string,
  text: string,
): ShareToken | undefined {
  const [, name, shareId, seconds = '', mac = ''] =
    /^(share_([0-9a-f-]{36})_([0-9a-z]{1,9}))_([\w-]{20,100})$/.exec(text) ?? [];
  if (name === undefined || !isUuid(shareId)) return undefined;
  // The hashes are keyed, so the time of the comparison reveals nothing about the key.
  if (!secrets.hashes(purpose, `${organizationId} ${name}`).includes(mac)) return undefined;
  return { organizationId, shareId, expiresAt: new Date(Number.parseInt(seconds, 36) * 1_000) };
}
