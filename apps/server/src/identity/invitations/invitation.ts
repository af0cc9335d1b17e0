import { equalSecrets } from '../../platform/equal-secrets.ts';
import type { SealPlace, Secrets } from '../../platform/secrets.ts';

export const invitationDays = 7;

// An invitation and the link of an organization are found by different hashes: neither works in place of the other.
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
 * What only the mail of an invitation has: whoever knows it reads the invited address. Those who invite see the token
 * and pass it on, but cannot compute this.
 */
export const mailProof = (secrets: Secrets, token: string): string => secrets.hash(mailHash, token);

export const isMailProof = (secrets: Secrets, token: string, proof: string): boolean =>
  secrets.hashes(mailHash, token).some((expected) => equalSecrets(expected, proof));

/** The link of the mail. */
export function mailedInvitationUrl(secrets: Secrets, publicUrl: string, token: string): string {
  const url = new URL(invitationUrl(publicUrl, token));
  url.searchParams.set('proof', mailProof(secrets, token));
  return url.href;
}

export const linkUrl = (publicUrl: string, token: string): string =>
  new URL(`/join/${token}`, publicUrl).href;

/**
 * A name in a mail to strangers, in a form that no mail program makes a link of: without schemes, and with a
 * space behind each dot.
 */
export const withoutLinks = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/[a-z][a-z0-9+.-]*:\/*/gi, '')
    .replaceAll(/[.。｡](?=\S)/g, '. ')
    .replaceAll('@', ' at ')
    .slice(0, 80);

/** Undefined for what was sealed with a key that is no longer known: then its hash finds nothing either. */
export function openToken(secrets: Secrets, place: SealPlace, sealed: string): string | undefined {
  try {
    return secrets.open(place, sealed);
  } catch {
    return undefined;
  }
}
