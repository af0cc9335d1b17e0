import { createFileRoute, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { loadSettingsTexts } from '#web/i18n/i18n.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { settingsPermissions } from '#web/shell/settings-permissions.ts';
import { settingsHref, settingsSections } from '#web/shell/navigation-items.ts';
import { TabStrip } from '#web/ui/tab-strip.tsx';

export const Route = createFileRoute('/o/$orgId/settings')({
  beforeLoad: loadSettingsTexts,
  component: Settings,
});

function Settings() {
  const { t } = useTranslation('settings');
  const { orgId, can } = useOrganization();
  const readable = settingsSections.filter((section) =>
    settingsPermissions[section].every(([action, subject]) => can(action, subject)),
  );
  return (
    <>
      <TabStrip
        label={t('words.settings')}
        tabs={readable.map((section) => ({
          href: settingsHref(orgId, section),
          name: t(`sections.${section}`),
        }))}
      />
      <Outlet />
    </>
  );
}
