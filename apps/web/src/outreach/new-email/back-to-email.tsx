import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';

interface Props {
  email: string;
  /** Whether nothing else is left to do on the page. */
  isNext?: boolean;
}

/** Link back to the email, on pages that a user was sent to while writing it. */
export function BackToEmail({ email, isNext = false }: Props) {
  const { t } = useTranslation('common');
  const { orgId } = useOrganization();
  return (
    <LinkButton
      variant={isNext ? 'filled' : 'default'}
      to="/o/$orgId/touchpoints/$touchpointId/email"
      params={{ orgId, touchpointId: email }}
    >
      {t('backToEmail')}
    </LinkButton>
  );
}
