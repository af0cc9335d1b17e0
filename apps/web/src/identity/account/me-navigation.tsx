import {
  IconApi,
  IconBook,
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
  { name: 'profile', href: '/me/profile', icon: IconUserCircle },
  { name: 'addresses', href: '/me/addresses', icon: IconMapPin },
  { name: 'socials', href: '/me/socials', icon: IconLink },
  { name: 'password', href: '/me/password', icon: IconKey },
  { name: 'security', href: '/me/security', icon: IconShieldLock },
  { name: 'sessions', href: '/me/sessions', icon: IconDeviceDesktop },
  { name: 'apiKeys', href: '/me/api-keys', icon: IconApi },
  { name: 'apiDocs', href: '/api/docs', icon: IconBook, external: true },
  { name: 'preferences', href: '/me/preferences', icon: IconAdjustments },
  { name: 'data', href: '/me/data', icon: IconDownload },
] as const;

export function MeNavigation() {
  const { t } = useTranslation('account');
  return (
    <SideNavigation
      label={t('account')}
      entries={entries.map(({ name, ...entry }) => ({ ...entry, label: t(`entries.${name}`) }))}
    />
  );
}
