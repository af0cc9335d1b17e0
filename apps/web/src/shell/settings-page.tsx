import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PermittedPage } from '#web/identity/organizations/permitted-page.tsx';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
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
        section={t('title')}
        note={t(`notes.${section}`)}
        crumbs={[
          <LinkAnchor key="settings" to="/o/$orgId/settings/general" params={{ orgId }}>
            {t('title')}
          </LinkAnchor>,
        ]}
        primary={primary}
      />
      {children}
    </PermittedPage>
  );
}
