import { Link } from '@tanstack/react-router';
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
import classes from './me-navigation.module.css';

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
    <nav aria-label={t('navigation')} className={classes.navigation}>
      <ul className={classes.list}>
        {entries.map(({ name, to, icon: EntryIcon }) => (
          <li key={name}>
            <Link to={to} className={classes.entry}>
              <EntryIcon size={18} stroke={1.75} aria-hidden />
              {t(`entries.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
