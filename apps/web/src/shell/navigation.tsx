import {
  IconBuilding,
  IconCalendarEvent,
  IconDatabase,
  IconInbox,
  IconLayoutDashboard,
  IconMail,
  IconSettings,
  IconSpeakerphone,
  IconTemplate,
  IconUsers,
  IconUsersGroup,
  IconWorldCheck,
  type Icon,
} from '@tabler/icons-react';
import type { Subject } from '@reachout/contract/abilities.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { collectionsQuery } from '#web/content/collections/item-queries.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { SetupEntry } from '#web/operations/onboarding/setup-entry.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';
import { isCurrent } from './current.ts';
import { navigationItems, type NavigationItemName } from './navigation-items.ts';
import classes from './navigation.module.css';

interface Entry {
  name: NavigationItemName;
  icon: Icon;
  /** The subject that the user must be able to read for the entry to be shown. */
  reads: Subject;
}

const upperEntries: readonly Entry[] = [
  { name: 'dashboard', icon: IconLayoutDashboard, reads: 'Organization' },
  { name: 'clients', icon: IconBuilding, reads: 'Client' },
  { name: 'campaigns', icon: IconSpeakerphone, reads: 'Campaign' },
  { name: 'touchpoints', icon: IconMail, reads: 'Touchpoint' },
  { name: 'calendar', icon: IconCalendarEvent, reads: 'Touchpoint' },
  { name: 'templates', icon: IconTemplate, reads: 'Template' },
  { name: 'audiences', icon: IconUsersGroup, reads: 'Filter' },
  { name: 'contacts', icon: IconUsers, reads: 'Content' },
  { name: 'collections', icon: IconDatabase, reads: 'Content' },
  { name: 'domains', icon: IconWorldCheck, reads: 'Domain' },
  { name: 'mailbox', icon: IconInbox, reads: 'Touchpoint' },
];
/** At the bottom, separate from daily work. */
const lowerEntries: readonly Entry[] = [{ name: 'settings', icon: IconSettings, reads: 'Organization' }];

/** `isCurrent` decides which entry is current, not the router's prefix test. */
const exactly = { exact: true, includeSearch: false };

/**
 * In the collapsed sidebar the labels are visually hidden and shown as tooltips; screen readers read them in both states.
 */
export function Navigation({ onGo }: { onGo?: () => void }) {
  const { t } = useTranslation('shell');
  const { orgId } = useOrganization();
  const { pathname, search } = useLocation();
  const shown = useNavigationEntries();
  const items = navigationItems(`/o/${orgId}`);
  return (
    <nav aria-label={t('navigation')} className={classes.nav}>
      {[upperEntries, lowerEntries].map((group) => (
        <ul key={group[0]?.name} className={classes.list}>
          {group === lowerEntries && <SetupEntry classNames={classes} onGo={onGo} />}
          {shown
            .filter((entry) => group.includes(entry))
            .map(({ name, icon: EntryIcon }) => {
              const item = items[name];
              return (
                <li key={name}>
                  <Tooltip
                    label={t(`entries.${name}`)}
                    position="right"
                    classNames={{ tooltip: classes.tip ?? '' }}
                  >
                    <Link
                      to={item.href}
                      className={classes.entry}
                      aria-current={isCurrent(item, pathname, search) ? 'page' : undefined}
                      activeOptions={exactly}
                      onClick={onGo}
                    >
                      <EntryIcon size={18} stroke={1.75} aria-hidden />
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

/** The entries that lead to something that the user can see. */
export function useNavigationEntries(): readonly Entry[] {
  const { can } = useOrganization();
  const hasContent = useHasContent();
  return [...upperEntries, ...lowerEntries].filter(
    ({ name, reads }) => can('read', reads) && hasContent(name),
  );
}

/**
 * Whether an entry leads to any content. Members who are limited to clients may have no contacts, or no collections at all;
 * until that is known, the entries are not shown to them.
 */
function useHasContent(): (name: NavigationItemName) => boolean {
  const scope = useOrganization();
  const isLimited = scope.can('read', 'Content') && scope.readScopeOf('Content') !== 'all';
  const { data } = useQuery({ ...collectionsQuery(scope), enabled: isLimited });
  if (!isLimited) return () => true;
  const items = data?.items ?? [];
  const has = { contacts: items.some((list) => list.has_contacts), collections: items.length > 0 };
  return (name) => (name === 'contacts' || name === 'collections' ? has[name] : true);
}
