import { UnstyledButton } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import { FinePrint } from '#web/ui/text.ts';
import { WithPopup } from '#web/ui/with-popup.tsx';
import classes from './organization-switcher.module.css';

const OrganizationMenu = lazy(() => loadChunk(() => import('./organization-menu.tsx')));

/** The current organization, with a menu to switch to another. */
export function OrganizationSwitcher() {
  const { t } = useTranslation('shell');
  const { organization } = useOrganization();
  const roleName = useRoleName();
  return (
    <WithPopup kind="menu" popup={(popup) => <OrganizationMenu {...popup} />}>
      <UnstyledButton className={classes.button} aria-label={t('switcher', { name: organization.name })}>
        <Logo name={organization.name} logo={organization.logo_url} size={32} />
        <span className={classes.words}>
          <span className={classes.name} title={organization.name}>
            {organization.name}
          </span>
          <FinePrint span>{roleName(organization)}</FinePrint>
        </span>
        <IconSelector size={16} className={classes.sign} aria-hidden />
      </UnstyledButton>
    </WithPopup>
  );
}
