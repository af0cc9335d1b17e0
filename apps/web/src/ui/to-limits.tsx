import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LinkButton } from '#web/platform/links.tsx';

/** Link to the organization's usage and limits. */
export default function ToLimits() {
  const { t } = useTranslation();
  const { orgId } = useParams({ strict: false });
  if (orgId === undefined) return null;
  return (
    <LinkButton to="/o/$orgId/settings/general" params={{ orgId }} hash="limits" size="xs">
      {t('toLimits')}
    </LinkButton>
  );
}
