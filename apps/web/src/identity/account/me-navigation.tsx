import {
  IconApi,
  IconDeviceDesktop,
  IconDownload,
  IconKey,
  IconLink,
  IconMapPin,
  IconAdjustments,
  IconShieldLock,
  IconUserCircle,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { SideNavigation } from '#web/ui/side-navigation.tsx';

const entries = [
  { name: 'profile', to: '/me/profile', icon: IconUserCircle },
  { name: 'addresses', to: '/me/addresses', icon: IconMapPin },
  { name: 'socials', to: '/me/socials', icon: IconLink },
  { name: 'password', to: '/me/password', icon: IconKey },
  { name: 'security', to: '/me/security', icon: IconShieldLock },
  { name: 'sessions', to: '/me/sessions', icon: IconDeviceDesktop },
  { name: 'apiKeys', to: '/me/api-keys', icon: IconApi },
  { name: 'preferences', to: '/me/preferences', icon: IconAdjustments },
  { name: 'data', to: '/me/data', icon: IconDownload },
] as const;

export function MeNavigation() {
  const { t } = useTranslation('account');
  return (
    <SideNavigation
      label={t('navigation')}
      entries={entries.map(({ name, ...entry }) => ({ ...entry, label: t(`entries.${name}`) }))}
    />
  );
}
