import type { ReactNode } from 'react';
import { linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PermittedPage } from '#web/identity/organizations/permitted-page.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import type { SettingsSection } from './navigation-items.ts';
import { settingsPermissions } from './settings-permissions.ts';

interface Props {
  section: SettingsSection;
  primary?: ReactNode;
  children: ReactNode;
}

export function SettingsPage({ section, primary, children }: Props) {
  const { t } = useTranslation('settings');
  const { orgId } = useOrganization();
  return (
    <PermittedPage permission={settingsPermissions[section]}>
      <PageHeader
        title={t(`sections.${section}`)}
        section={t('words.settings')}
        note={t(`notes.${section}`)}
        crumbs={linkOptions([
          { to: '/o/$orgId/settings/general', params: { orgId }, label: t('words.settings') },
        ])}
        primary={primary}
      />
      {children}
    </PermittedPage>
  );
}
