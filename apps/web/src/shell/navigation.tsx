import {
  IconBuilding,
  IconCalendarEvent,
  IconDatabase,
  IconInbox,
  IconLayoutDashboard,
  IconMail,
  IconSettings,
  IconSitemap,
  IconSpeakerphone,
  IconTemplate,
  IconUsers,
  IconUsersGroup,
  IconWorldCheck,
  type Icon,
} from '@tabler/icons-react';
import type { Subject } from '@reachout/contract/abilities.ts';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { collectionsQuery } from '#web/content/collections/item-queries.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { SetupEntry } from '#web/operations/onboarding/setup-entry.tsx';
import { isProblem, type Problem } from '#web/platform/problem.ts';
import { NavigationLink } from '#web/ui/navigation-link.tsx';
import { useProblemText } from '#web/ui/problem-text.ts';
import { Tooltip } from '#web/ui/tooltip.tsx';
import { isCurrent, type NavigationItem } from './current.ts';
import { navigationItems, type NavigationItemName } from './navigation-items.ts';
import classes from './navigation.module.css';

interface Entry {
  name: NavigationItemName;
  icon: Icon;
  /** The subject that the user must be able to read for the entry to be shown. */
  reads: Subject;
}

interface ShownEntry extends Entry {
  /** Why it cannot be used at present: its pages would only show an error. */
  disabled: string | undefined;
}

const upperEntries: readonly Entry[] = [
  { name: 'dashboard', icon: IconLayoutDashboard, reads: 'Organization' },
  { name: 'clients', icon: IconBuilding, reads: 'Client' },
  { name: 'campaigns', icon: IconSpeakerphone, reads: 'Campaign' },
  { name: 'touchpoints', icon: IconMail, reads: 'Touchpoint' },
  { name: 'events', icon: IconSitemap, reads: 'Touchpoint' },
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
  const scope = useOrganization();
  const { orgId } = scope;
  const { pathname, search } = useLocation();
  const shown = useNavigationEntries();
  const { data } = useQuery({ ...collectionsQuery(scope), enabled: false });
  const contactLists = data?.items.filter((list) => list.has_contacts).map((list) => list.collection);
  const items = navigationItems(`/o/${orgId}`, contactLists);
  return (
    <nav aria-label={t('navigation')} className={classes.nav}>
      {[upperEntries, lowerEntries].map((group) => (
        <ul key={group[0]?.name} className={classes.list}>
          {group === lowerEntries && <SetupEntry classNames={classes} onGo={onGo} />}
          {shown
            .filter(({ name }) => group.some((entry) => entry.name === name))
            .map(({ name, icon, disabled }) => {
              const item: NavigationItem = items[name];
              const label = t(`words.${name}`);
              return (
                <li key={name}>
                  <Tooltip
                    label={disabled === undefined ? label : `${label}: ${disabled}`}
                    position="right"
                    multiline
                    maw={320}
                    // The sidebar has the labels already, unless it is collapsed.
                    classNames={{ tooltip: disabled === undefined ? (classes.tip ?? '') : '' }}
                  >
                    <NavigationLink
                      href={item.href}
                      label={label}
                      icon={icon}
                      disabled={disabled}
                      className={classes.entry}
                      wordClass={classes.word}
                      aria-current={isCurrent(item, pathname, search) ? 'page' : undefined}
                      activeOptions={exactly}
                      onClick={onGo}
                    />
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
export function useNavigationEntries(): readonly ShownEntry[] {
  const { t } = useTranslation('organizations');
  const { organization, can } = useOrganization();
  const { hasContent, failure } = useContent();
  const problemText = useProblemText();
  return [...upperEntries, ...lowerEntries]
    .filter(({ name, reads }) => can('read', reads) && hasContent(name))
    .map((entry) => ({
      ...entry,
      disabled: organization.lacks_second_factor
        ? t('secondFactor.body')
        : failure && isOfContent(entry.name)
          ? problemText(failure)
          : undefined,
    }));
}

const isOfContent = (name: NavigationItemName): name is 'contacts' | 'collections' =>
  name === 'contacts' || name === 'collections';

const askAgainMs = 30_000;

/**
 * Whether an entry leads to any content. Members who are limited to clients may have no contacts, or no collections at all;
 * until that is known, the entries are not shown to them. For others it is only known that the backend cannot be used once a page
 * has asked it; until it can be, it is then asked again.
 */
function useContent() {
  const scope = useOrganization();
  const isLimited = scope.can('read', 'Content') && scope.readScopeOf('Content') !== 'all';
  const { data, error } = useQuery({
    ...collectionsQuery(scope),
    enabled: ({ state }) => isLimited || failureOf(state) !== undefined,
    refetchInterval: ({ state }) => failureOf(state) !== undefined && askAgainMs,
  });
  const failure = failureOf({ data, error });
  const items = data?.items ?? [];
  const has = { contacts: items.some((list) => list.has_contacts), collections: items.length > 0 };
  const isShown = (name: NavigationItemName) =>
    !isLimited || failure !== undefined || !isOfContent(name) || has[name];
  return { hasContent: isShown, failure };
}

/** What was loaded before the backend failed is still shown. */
const failureOf = ({ data, error }: { data: unknown; error: unknown }): Problem | undefined =>
  data === undefined && isProblem(error) && error.code === 'backend_failed' ? error : undefined;
