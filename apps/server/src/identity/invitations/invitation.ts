import { attempt } from '../../platform/attempt.ts';
import { equalSecrets } from '../../platform/equal-secrets.ts';
import type { SealPlace, Secrets } from '../../platform/secrets.ts';

export const invitationDays = 7;

// Tokens of invitations and of links have different hash purposes: one does not work in place of the other.
export const invitationHash = 'invitation';
export const linkHash = 'invitation link';

export const invitationPlace = (organizationId: string, id: string): SealPlace => ({
  table: 'organization_invitations',
  column: 'token_sealed',
  id,
  organizationId,
});

export const linkPlace = (organizationId: string): SealPlace => ({
  table: 'organization_invitation_links',
  column: 'token_sealed',
  id: organizationId,
  organizationId,
});

export const invitationUrl = (publicUrl: string, token: string): string =>
  new URL(`/invitation/${token}`, publicUrl).href;

const mailHash = 'invitation mail';

/**
 * A proof contained only in the invitation email: a person who has it can read the invited address. Inviters see the
 * token and pass it on, but cannot compute the proof.
 */
export const mailProof = (secrets: Secrets, token: string): string => secrets.hash(mailHash, token);

export const isMailProof = (secrets: Secrets, token: string, proof: string): boolean =>
  secrets.hashes(mailHash, token).some((expected) => equalSecrets(expected, proof));

/** The link in the email. */
export function mailedInvitationUrl(secrets: Secrets, publicUrl: string, token: string): string {
  const url = new URL(invitationUrl(publicUrl, token));
  url.searchParams.set('proof', mailProof(secrets, token));
  return url.href;
}

export const linkUrl = (publicUrl: string, token: string): string =>
  new URL(`/join/${token}`, publicUrl).href;

/** Undefined if it was sealed with a key that is no longer known: then its hash matches nothing either. */
export const openToken = (secrets: Secrets, place: SealPlace, sealed: string): string | undefined =>
  attempt(() => secrets.open(place, sealed), undefined);
