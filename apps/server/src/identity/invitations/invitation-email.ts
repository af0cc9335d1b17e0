import { inOrganization } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/ids.ts';
import {
  withoutLinks,
  type ComposeAccountEmail,
  type EmailLanguage,
  type AccountEmailContent,
} from '../account-email/account-email.ts';
import { findInvitation, findInvitingOrganization } from './invitation-token.queries.ts';
import { invitationPlace, mailedInvitationUrl, openToken } from './invitation.ts';

/** Undefined if the invitation is no longer pending or has expired, or the organization is deleted. */
export const composeInvitation: ComposeAccountEmail = async ({ db, secrets, publicUrl }, job) => {
  const { organization_id, invitation_id } = job.payload;
  if (!isUuid(organization_id) || !isUuid(invitation_id)) return undefined;
  const [organization, invitation] = await inOrganization(
    db,
    organization_id,
    async (trx) =>
      [
        await findInvitingOrganization(trx, organization_id),
        await findInvitation(trx, invitation_id),
      ] as const,
  );
  if (organization === undefined || invitation === undefined) return undefined;
  const { status, is_past, token_sealed, email, expires_at } = invitation;
  if (status !== 'pending' || is_past || token_sealed === null || email !== job.recipient) return undefined;
  const token = openToken(secrets, invitationPlace(organization_id, invitation_id), token_sealed);
  if (token === undefined) return undefined;
  return invitationTexts[job.language]({
    organization: withoutLinks(organization.name),
    inviter: withoutLinks(invitation.invited_by_name ?? ''),
    until: writeInstant(job.language, new Date(expires_at)),
    url: mailedInvitationUrl(secrets, publicUrl, token),
  });
};

/** With the time zone: the recipient's is unknown, and a date alone could be off by a day there. */
const writeInstant = (language: EmailLanguage, at: Date): string =>
  new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(at);

interface Words {
  organization: string;
  /** Empty if the account is deleted. */
  inviter: string;
  until: string;
  url: string;
}

export const invitationTexts: Record<EmailLanguage, (words: Words) => AccountEmailContent> = {
  en: ({ organization, inviter, until, url }) => ({
    subject: `Invitation to ${organization} on Reachout`,
    paragraphs: [
      inviter === ''
        ? `You are invited to join ${organization} on Reachout.`
        : `${inviter} invites you to join ${organization} on Reachout.`,
      'Open the invitation to accept it. If you have no account yet, all you need is a name and a password.',
    ],
    button: { label: 'View invitation', url },
    notes: [
      `This invitation expires on ${until} and works once.`,
      'If you don’t know the sender, ignore this email.',
    ],
  }),
  de: ({ organization, inviter, until, url }) => ({
    subject: `Einladung zu ${organization} bei Reachout`,
    paragraphs: [
      inviter === ''
        ? `Sie sind eingeladen, bei ${organization} in Reachout mitzuarbeiten.`
        : `${inviter} lädt Sie ein, bei ${organization} in Reachout mitzuarbeiten.`,
      'Öffnen Sie die Einladung, um sie anzunehmen. Ohne Konto brauchen Sie nur einen Namen und ein Passwort.',
    ],
    button: { label: 'Einladung ansehen', url },
    notes: [
      `Diese Einladung läuft am ${until} ab und funktioniert einmal.`,
      'Falls Sie den Absender nicht kennen, ignorieren Sie diese E-Mail.',
    ],
  }),
};
