import { IconBuilding, IconStack2, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '#web/identity/account/me-navigation.module.css';

const entries = [
  { name: 'jobs', to: '/operator/jobs', icon: IconStack2 },
  { name: 'organizations', to: '/operator/organizations', icon: IconBuilding },
  { name: 'users', to: '/operator/users', icon: IconUsers },
] as const;

export function OperatorNavigation() {
  const { t } = useTranslation('operator');
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
