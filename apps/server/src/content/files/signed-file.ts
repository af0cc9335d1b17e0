import { isUuid } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';

/** What a signed address opens, for everyone who has it. */
export interface SignedFile {
  organizationId: string;
  /** Of its bytes: an address that was given for one content never opens another. */
  bytesId: string;
  expiresAt: Date;
}

type Signer = Pick<Secrets, 'hash' | 'hashes'>;

const purpose = 'signed addresses of files';

/** `<organization>.<bytes>.<expiry in seconds, base 36>.<mac>` */
export const signFile = (secrets: Signer, file: SignedFile): string =>
  `${nameOf(file)}.${secrets.hash(purpose, nameOf(file))}`;

const nameOf = ({ organizationId, bytesId, expiresAt }: SignedFile): string =>
  [organizationId, bytesId, Math.floor(expiresAt.getTime() / 1_000).toString(36)].join('.');

/** @returns undefined unless exactly this token was signed here, and has not expired */
export function verifySignedFile(secrets: Signer, token: string, now: Date): SignedFile | undefined {
  const [, name, organizationId, bytesId, seconds = '', mac = ''] =
    /^(([0-9a-f-]{36})\.([0-9a-f-]{36})\.([0-9a-z]{1,9}))\.([\w-]{43})$/.exec(token) ?? [];
  if (name === undefined || !isUuid(organizationId) || !isUuid(bytesId)) return undefined;
  // The hashes are keyed, so the time of the comparison reveals nothing about the key.
  if (!secrets.hashes(purpose, name).includes(mac)) return undefined;
  const expiresAt = new Date(Number.parseInt(seconds, 36) * 1_000);
  return expiresAt > now ? { organizationId, bytesId, expiresAt } : undefined;
}
