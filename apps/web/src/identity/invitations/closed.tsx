import type { InvitationPreview } from '@reachout/contract/invitations.ts';
import { useTranslation } from 'react-i18next';
import { LinkButton } from '#web/platform/links.tsx';
import { LinkResult } from '#web/identity/auth/link-result.tsx';

type Reason = Exclude<InvitationPreview['status'], 'pending'> | 'unknown';

/** Explains why the invitation cannot be accepted, and what to do. */
export function Closed({ reason, preview }: { reason: Reason; preview?: InvitationPreview }) {
  const { t } = useTranslation('invitations');
  const key = reason === 'used_up' ? 'usedUp' : reason;
  const inviter = preview?.invited_by_name;
  const body =
    reason === 'expired'
      ? inviter
        ? t('expired.body', { name: inviter })
        : t('expired.bodyPlain')
      : t(`${key as Exclude<typeof key, 'expired'>}.body`);
  return (
    <LinkResult
      title={t(`${key}.title`)}
      text={body}
      action={
        <LinkButton to="/organizations" variant="default">
          {t('toOrganizations')}
        </LinkButton>
      }
    />
  );
}
