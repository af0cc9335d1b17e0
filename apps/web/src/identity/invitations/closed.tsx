import { Stack, Text } from '@mantine/core';
import type { InvitationPreview } from '@reachout/contract/members.ts';
import { useTranslation } from 'react-i18next';
import { LinkButton } from '#web/platform/links.tsx';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';

type Reason = Exclude<InvitationPreview['status'], 'pending'> | 'unknown';

/** Why there is nothing to accept, and what to do. */
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
    <AuthFrame title={t(`${key}.title`)}>
      <Stack gap="md" align="flex-start">
        <Text>{body}</Text>
        <LinkButton to="/organizations" variant="default">
          {t('toOrganizations')}
        </LinkButton>
      </Stack>
    </AuthFrame>
  );
}
