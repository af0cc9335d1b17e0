import { inOrganization } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/ids.ts';
import type {
  ComposeAccountEmail,
  EmailLanguage,
  AccountEmailContent,
} from '../account-email/account-email.ts';
import { findInvitation, findInvitingOrganization } from './invitation-token.queries.ts';
import { invitationPlace, invitationUrl, openToken, withoutLinks } from './invitation.ts';

/** Nothing for an invitation that was answered, cancelled or has expired by now, or whose organization is gone. */
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
  return texts[job.language]({
    organization: withoutLinks(organization.name),
    inviter: withoutLinks(invitation.invited_by_name ?? ''),
    until: new Intl.DateTimeFormat(job.language, { dateStyle: 'long', timeZone: 'UTC' }).format(
      new Date(expires_at),
    ),
    url: invitationUrl(publicUrl, token),
  });
};

interface Words {
  organization: string;
  /** Empty when the account is gone. */
  inviter: string;
  until: string;
  url: string;
}

const texts: Record<EmailLanguage, (words: Words) => AccountEmailContent> = {
  en: ({ organization, inviter, until, url }) => ({
    subject: `Invitation to ${organization} on Reachout`,
    paragraphs: [
      inviter === ''
        ? `You are invited to join ${organization} on Reachout.`
        : `${inviter} invites you to join ${organization} on Reachout.`,
      'Sign in or sign up with this e-mail address to accept.',
    ],
    button: { label: 'See the invitation', url },
    notes: [
      `The invitation holds until ${until} and works once.`,
      'If you do not know who this is from, ignore this mail: nothing happens.',
    ],
  }),
  de: ({ organization, inviter, until, url }) => ({
    subject: `Einladung zu ${organization} bei Reachout`,
    paragraphs: [
      inviter === ''
        ? `Sie sind eingeladen, bei ${organization} in Reachout mitzuarbeiten.`
        : `${inviter} lädt Sie ein, bei ${organization} in Reachout mitzuarbeiten.`,
      'Melden Sie sich mit dieser E-Mail-Adresse an oder registrieren Sie sich, um anzunehmen.',
    ],
    button: { label: 'Einladung ansehen', url },
    notes: [
      `Die Einladung gilt bis ${until} und nur einmal.`,
      'Wenn Sie nicht wissen, von wem das kommt, ignorieren Sie diese Nachricht: Es passiert nichts.',
    ],
  }),
};
