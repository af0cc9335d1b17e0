import { IconShieldLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LinkButton } from '#web/platform/links.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useOrganization } from './use-organization.ts';

/** Replaces every page of an organization that requires a second factor, for members without one. */
export function SecondFactorNeeded() {
  const { t } = useTranslation('organizations');
  const { organization } = useOrganization();
  return (
    <EmptyState
      order={1}
      icon={IconShieldLock}
      title={t('secondFactor.title', { name: organization.name })}
      text={t('secondFactor.body')}
      actions={
        <LinkButton variant="filled" to="/me/security">
          {t('secondFactor.setUp')}
        </LinkButton>
      }
    />
  );
}
