import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';

interface Props {
  email: string;
  /** Whether nothing else is left to be done on the page. */
  isNext?: boolean;
}

/** On pages that somebody was led to while writing an email: the way back to it. */
export function BackToEmail({ email, isNext = false }: Props) {
  const { t } = useTranslation('common');
  const { orgId } = useOrganization();
  return (
    <LinkButton
      variant={isNext ? 'filled' : 'default'}
      to="/o/$orgId/emails/new"
      params={{ orgId }}
      search={{ email }}
    >
      {t('backToEmail')}
    </LinkButton>
  );
}
