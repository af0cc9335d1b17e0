import { IconBuilding, IconHelp, IconStack2, IconUsers } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { SideNavigation } from '#web/ui/side-navigation.tsx';

const entries = [
  { name: 'jobs', href: '/operator/jobs', icon: IconStack2 },
  { name: 'organizations', href: '/operator/organizations', icon: IconBuilding },
  { name: 'users', href: '/operator/users', icon: IconUsers },
  { name: 'help', href: '/operator/help', icon: IconHelp },
] as const;

export function OperatorNavigation() {
  const { t } = useTranslation('operator');
  return (
    <SideNavigation
      label={t('navigation')}
      entries={entries.map(({ name, ...entry }) => ({ ...entry, label: t(`entries.${name}`) }))}
    />
  );
}
