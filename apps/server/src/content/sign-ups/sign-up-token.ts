import { equalSecrets } from '../../platform/equal-secrets.ts';
import type { Secrets } from '../../platform/secrets.ts';

/** A row of an organization, in a public address. */
export interface Place {
  organizationId: string;
  id: string;
}

// Two ids of 16 bytes have 43 characters.
const placeLength = 43;

/** The token of a form names it, and is no secret: whoever has it may only see the form and sign up. */
export const toFormToken = ({ organizationId, id }: Place): string =>
  Buffer.from(`${organizationId}${id}`.replaceAll('-', ''), 'hex').toString('base64url');

/** @returns undefined for a text that is no token */
export function readFormToken(token: string): Place | undefined {
  if (token.length !== placeLength || !/^[\w-]+$/.test(token)) return undefined;
  const hex = Buffer.from(token, 'base64url').toString('hex');
  const toUuid = (part: string) =>
    `${part.slice(0, 8)}-${part.slice(8, 12)}-${part.slice(12, 16)}-${part.slice(16, 20)}-${part.slice(20)}`;
  const place = { organizationId: toUuid(hex.slice(0, 32)), id: toUuid(hex.slice(32)) };
  // The last character has unused bits: one place has exactly one token.
  return toFormToken(place) === token ? place : undefined;
}

const confirmation = 'confirmation of a sign-up';

/** The secret link in the mail that asks to confirm. It is computed from the sign-up, so that it is stored nowhere. */
export const toConfirmationToken = (secrets: Secrets, place: Place): string =>
  `${toFormToken(place)}.${secrets.hash(confirmation, toFormToken(place))}`;

/** @returns undefined unless exactly this token was made, with the current or a previous secret key */
export function readConfirmationToken(secrets: Secrets, token: string): Place | undefined {
  const [name = '', hash = '', ...rest] = token.split('.');
  const place = readFormToken(name);
  if (place === undefined || rest.length > 0) return undefined;
  return secrets.hashes(confirmation, name).some((expected) => equalSecrets(expected, hash))
    ? place
    : undefined;
}
