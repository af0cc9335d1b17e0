import { useDocumentTitle } from '@mantine/hooks';
import { IconBuilding, IconStack2, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { meQuery } from '#web/identity/account/me-query.ts';
import classes from '#web/identity/account/me-navigation.module.css';
import { AccountFrame } from '#web/shell/account-frame.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ForbiddenState } from '#web/ui/states.tsx';

const entries = [
  { name: 'jobs', to: '/operator/jobs', icon: IconStack2 },
  { name: 'organizations', to: '/operator/organizations', icon: IconBuilding },
  { name: 'users', to: '/operator/users', icon: IconUsers },
] as const;

/** The pages of operators of the installation; others learn why they see nothing. */
export function OperatorFrame() {
  const { t } = useTranslation(['operator', 'common']);
  useDocumentTitle(`${t('navigation')} · ${t('common:product')}`);
  const query = useQuery(meQuery);
  return (
    <AccountFrame navigation={query.data?.is_operator === true ? <Navigation /> : undefined}>
      <AsyncRegion page query={query} what={t('navigation')}>
        {({ is_operator }) => (is_operator ? <Outlet /> : <ForbiddenState text={t('denied')} />)}
      </AsyncRegion>
    </AccountFrame>
  );
}

function Navigation() {
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
