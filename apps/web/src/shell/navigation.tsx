import { Tooltip } from '@mantine/core';
import {
  IconBuilding,
  IconDatabase,
  IconInbox,
  IconLayoutDashboard,
  IconMail,
  IconSettings,
  IconSpeakerphone,
  IconTemplate,
  IconUsersGroup,
  type Icon,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '../organizations/scope.ts';
import { isCurrent } from './current.ts';
import { entryPlaces, type PlaceName } from './places.ts';
import classes from './navigation.module.css';

interface Entry {
  name: PlaceName;
  icon: Icon;
}

const entries: readonly Entry[] = [
  { name: 'dashboard', icon: IconLayoutDashboard },
  { name: 'clients', icon: IconBuilding },
  { name: 'campaigns', icon: IconSpeakerphone },
  { name: 'touchpoints', icon: IconMail },
  { name: 'templates', icon: IconTemplate },
  { name: 'audiences', icon: IconUsersGroup },
  { name: 'collections', icon: IconDatabase },
  { name: 'mailbox', icon: IconInbox },
];
/** At the lower end, apart from the daily work. */
const lowerEntries: readonly Entry[] = [{ name: 'settings', icon: IconSettings }];

/** `isCurrent` decides what is current; the router's own prefix test must not. */
const exactly = { exact: true, includeSearch: false };

/** In the rail the words are visually hidden and come as tooltips; for a screen reader nothing changes. */
export function Navigation({ onGo }: { onGo?: () => void }) {
  const { t } = useTranslation('shell');
  const { orgId } = useOrganization();
  const { pathname } = useLocation();
  const places = entryPlaces(`/o/${orgId}`);
  return (
    <nav aria-label={t('navigation')} className={classes.nav}>
      {[entries, lowerEntries].map((group) => (
        <ul key={group[0]?.name} className={classes.list}>
          {group.map(({ name, icon: Mark }) => {
            const place = places[name];
            return (
              <li key={name}>
                <Tooltip
                  label={t(`entries.${name}`)}
                  position="right"
                  classNames={{ tooltip: classes.tip ?? '' }}
                >
                  <Link
                    to={place.href}
                    className={classes.entry}
                    aria-current={isCurrent(place, pathname) ? 'page' : undefined}
                    activeOptions={exactly}
                    onClick={onGo}
                  >
                    <Mark size={18} stroke={1.75} aria-hidden />
                    <span className={classes.word}>{t(`entries.${name}`)}</span>
                  </Link>
                </Tooltip>
              </li>
            );
          })}
        </ul>
      ))}
    </nav>
  );
}
