import { equalSecrets } from '../../platform/equal-secrets.ts';
import type { Secrets } from '../../platform/secrets.ts';

/** A row of an organization, in a public address. */
export interface RowRef {
  organizationId: string;
  id: string;
}

// Two ids of 16 bytes.
const tokenPattern = /^[\w-]{43}$/;

/** A token that names a row, and is no secret. */
export const toRowToken = ({ organizationId, id }: RowRef): string =>
  Buffer.from(`${organizationId}${id}`.replaceAll('-', ''), 'hex').toString('base64url');

/** @returns undefined for a text that is no token */
export function readRowToken(token: string): RowRef | undefined {
  if (!tokenPattern.test(token)) return undefined;
  const hex = Buffer.from(token, 'base64url').toString('hex');
  const toUuid = (digits: string) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const ref = { organizationId: toUuid(hex.slice(0, 32)), id: toUuid(hex.slice(32)) };
  // The last character has unused bits: one row has exactly one token.
  return toRowToken(ref) === token ? ref : undefined;
}

/**
 * A secret token for a row: its name and a keyed hash of it. It can be computed again with SECRET_KEY, so that it is stored
 * nowhere; a copy of the database does not contain what is needed for it.
 */
export const signRowToken = (secrets: Pick<Secrets, 'hash'>, purpose: string, ref: RowRef): string =>
  `${toRowToken(ref)}.${secrets.hash(purpose, toRowToken(ref))}`;

/** @returns undefined unless exactly this token was made for the purpose, with the current or a previous secret key */
export function verifyRowToken(
  secrets: Pick<Secrets, 'hashes'>,
  purpose: string,
  token: string,
): RowRef | undefined {
  const [name = '', hash = '', ...rest] = token.split('.');
  const ref = readRowToken(name);
  if (ref === undefined || rest.length > 0) return undefined;
  return secrets.hashes(purpose, name).some((expected) => equalSecrets(expected, hash)) ? ref : undefined;
}
