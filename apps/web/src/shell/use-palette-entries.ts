import {
  IconBook,
  IconBuildingSkyscraper,
  IconCode,
  IconFileImport,
  IconHelp,
  IconKeyboard,
  IconLanguage,
  IconMailPlus,
  IconMoon,
  IconSettings,
  IconSun,
  IconUserCircle,
  type Icon,
} from '@tabler/icons-react';
import { useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useChangePreferences } from '#web/identity/account/preferences.ts';
import { organizationsQuery } from '#web/identity/organizations/organizations.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useNavigationEntries } from './navigation.tsx';
import { navigationItems, settingsHref, settingsSections } from './navigation-items.ts';
import { settingsPermissions } from './settings-permissions.ts';

export interface PaletteEntry {
  id: string;
  label: string;
  /** Where it belongs, or what it does. */
  detail?: string | undefined;
  icon: Icon;
  run: () => void;
  /** Listed only if its name was typed. */
  isRare?: boolean;
}

/** What the palette opens within the page. */
export interface PaletteOpens {
  onShortcuts: () => void;
  onHelp: () => void;
  onDeveloper: () => void;
}

/** The actions and pages that the user may use; they need no search on the server. */
export function usePaletteEntries({ onShortcuts, onHelp, onDeveloper }: PaletteOpens): {
  actions: PaletteEntry[];
  pages: PaletteEntry[];
} {
  const { t, i18n } = useTranslation(['shell', 'palette', 'settings', 'common']);
  const { orgId, can } = useOrganization();
  const shown = useNavigationEntries();
  const navigate = useNavigate();
  const { colorScheme } = useMantineColorScheme();
  const preferences = useChangePreferences();
  const { data: organizations } = useQuery(organizationsQuery);
  const goTo = (to: string) => () => void navigate({ to });

  const theme = colorScheme === 'dark' ? 'light' : 'dark';
  const language = i18n.language === 'de' ? 'en' : 'de';
  const actions: (PaletteEntry | false)[] = [
    can('create', 'Touchpoint') && {
      id: 'new-email',
      label: t('words.newEmail'),
      icon: IconMailPlus,
      run: () => void navigate({ to: '/o/$orgId/emails/new', params: { orgId } }),
    },
    can('create', 'Content') && {
      id: 'import',
      label: t('words.importContacts'),
      icon: IconFileImport,
      run: () =>
        void navigate({
          to: '/o/$orgId/collections/$collection/import',
          params: { orgId, collection: 'contacts' },
        }),
    },
    {
      id: 'theme',
      label: t(`palette:theme.${theme}`),
      icon: theme === 'dark' ? IconMoon : IconSun,
      run: () => preferences.change({ theme }),
    },
    {
      id: 'language',
      label: t(`palette:language.${language}`),
      icon: IconLanguage,
      run: () => preferences.change({ language }),
    },
    { id: 'help', label: t('words.help'), icon: IconHelp, run: onHelp },
    { id: 'shortcuts', label: t('shortcuts.title'), icon: IconKeyboard, run: onShortcuts },
    { id: 'developer', label: t('words.developerPanel'), icon: IconCode, isRare: true, run: onDeveloper },
    ...(organizations?.items ?? [])
      .filter(({ id }) => id !== orgId)
      .map(({ id, name }) => ({
        id: `organization-${id}`,
        label: t('palette:switchTo', { name }),
        icon: IconBuildingSkyscraper,
        isRare: true,
        run: () => void navigate({ to: '/o/$orgId', params: { orgId: id } }),
      })),
  ];

  const items = navigationItems(`/o/${orgId}`);
  const pages: PaletteEntry[] = [
    ...shown
      .filter(({ disabled }) => disabled === undefined)
      .map(({ name, icon }) => ({
        id: `page-${name}`,
        label: t(`words.${name}`),
        icon,
        run: goTo(items[name].href),
      })),
    ...settingsSections
      .filter((section) => settingsPermissions[section].every(([action, subject]) => can(action, subject)))
      .map((section) => ({
        id: `settings-${section}`,
        label: t(`settings:sections.${section}`),
        detail: t('words.settings'),
        icon: IconSettings,
        run: goTo(settingsHref(orgId, section)),
      })),
    ...(['profile', 'preferences'] as const).map((page) => ({
      id: `account-${page}`,
      label: t(`accountMenu.${page}`),
      icon: IconUserCircle,
      run: goTo(`/me/${page}`),
    })),
    {
      id: 'api-docs',
      label: t('words.apiReference'),
      detail: t('words.opensNew'),
      icon: IconBook,
      run: () => window.open('/api/docs', '_blank', 'noopener'),
    },
  ];
  return { actions: actions.filter((entry) => entry !== false), pages };
}
