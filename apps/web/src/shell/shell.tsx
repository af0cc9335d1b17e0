import { ActionIcon, Burger, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconLayoutSidebar, IconSearch } from '@tabler/icons-react';
import { useLocation, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { loadPageTexts, loadSettingsTexts } from '#web/i18n/i18n.ts';
import { loadChunk, loadWithTexts } from '#web/platform/lazy-chunks.ts';
import { loadLater } from '#web/platform/load-later.ts';
import { readLocal, writeLocal } from '#web/platform/local.ts';
import { NotificationArea } from '#web/ui/notification-area.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';
import { TopBar } from '#web/ui/top-bar.tsx';
import { ClientSwitch } from './client-switch.tsx';
import { Navigation } from './navigation.tsx';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { useFocusAfterNavigation } from './use-focus-after-navigation.ts';
import { UserMenu } from './user-menu.tsx';
import { useGlobalShortcuts } from './use-global-shortcuts.ts';
import { useHelpPanel } from './use-help-panel.tsx';
import classes from './shell.module.css';

const loadDrawer = () => import('./navigation-drawer.tsx');
const NavigationDrawer = lazy(() => loadChunk(loadDrawer));
const loadShortcutHelp = () => import('./shortcut-help.tsx');
const ShortcutHelp = lazy(() => loadWithTexts(loadShortcutHelp, loadPageTexts));
const loadPalette = () => import('./command-palette.tsx');
const CommandPalette = lazy(() => loadWithTexts(loadPalette, loadSettingsTexts));
const DeveloperPanel = lazy(() =>
  loadWithTexts(() => import('./developer/developer-panel.tsx'), loadSettingsTexts),
);

/** Popups that a click on any page may open. */
const popups = [
  () => import('./organization-menu.tsx'),
  () => import('./client-menu.tsx'),
  () => import('./user-panel.tsx'),
  () => import('#web/ui/tooltip-bubble.tsx'),
  () => import('#web/ui/notification-list.tsx'),
  loadDrawer,
];
/** What other pages need, and what keys open. */
const onUse = [loadPageTexts, loadPalette, loadShortcutHelp];

/** Side navigation, header bar and main, with landmarks and skip link. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation(['shell', 'common']);
  const { pathname } = useLocation();
  const navigating = useRouterState({ select: (state) => state.status === 'pending' });
  const main = useRef<HTMLElement>(null);
  const [drawer, { open, close, toggle }] = useDisclosure(false);
  const [narrow, setNarrow] = useState(readLocal('sidebar') === 'narrow');
  useFocusAfterNavigation(pathname, main);
  const [help, setHelp] = useState(false);
  // Hidden until it is asked for; closed, it still says that states are forced.
  const [developer, setDeveloper] = useState<'open' | 'closed'>();
  const openDeveloper = () => setDeveloper('open');
  useGlobalShortcuts(() => setHelp(true));
  const [palette, setPalette] = useState(false);
  const helpPanel = useHelpPanel();

  useEffect(() => loadLater(popups, onUse), []);
  const toggleSidebar = () => {
    setNarrow(!narrow);
    writeLocal('sidebar', narrow ? 'wide' : 'narrow');
  };
  useHotkeys(
    [
      ['mod+B', () => (window.matchMedia('(min-width: 75em)').matches ? toggleSidebar() : toggle())],
      ['mod+K', () => setPalette(true)],
    ],
    [],
  );

  return (
    <div className={classes.shell} data-narrow={narrow}>
      <a href="#main" className={classes.skip}>
        {t('skip')}
      </a>
      <TopBar navigating={navigating} />
      <NotificationArea />
      <aside className={classes.side}>
        <OrganizationSwitcher />
        <ClientSwitch />
        <Navigation />
      </aside>
      {drawer && (
        <Suspense fallback={null}>
          <NavigationDrawer onClose={close} />
        </Suspense>
      )}
      {help && (
        <Suspense fallback={null}>
          <ShortcutHelp onClose={() => setHelp(false)} />
        </Suspense>
      )}
      {palette && (
        <Suspense fallback={null}>
          <CommandPalette
            onClose={() => setPalette(false)}
            onShortcuts={() => setHelp(true)}
            onHelp={helpPanel.open}
            onDeveloper={openDeveloper}
          />
        </Suspense>
      )}
      {developer && (
        <Suspense fallback={null}>
          <DeveloperPanel
            isOpen={developer === 'open'}
            onOpen={openDeveloper}
            onClose={() => setDeveloper('closed')}
          />
        </Suspense>
      )}
      <header className={classes.bar}>
        <Burger className={classes.burger} size="sm" opened={drawer} onClick={open} aria-label={t('menu')} />
        <Tooltip label={t('toggle')}>
          <ActionIcon
            className={classes.toggle}
            variant="subtle"
            color="gray"
            size={32}
            aria-label={t('toggle')}
            aria-pressed={narrow}
            onClick={toggleSidebar}
          >
            <IconLayoutSidebar size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
        <div id="page-crumbs" className={classes.crumbs} />
        <UnstyledButton
          className={classes.search}
          aria-label={t('palette.open')}
          aria-keyshortcuts="Control+K Meta+K"
          aria-haspopup="dialog"
          onClick={() => setPalette(true)}
        >
          <IconSearch size={16} stroke={1.75} aria-hidden />
          <span>{t('palette.short')}</span>
          <kbd>{t('shortcuts.ctrl')} K</kbd>
        </UnstyledButton>
        {helpPanel.button}
        <UserMenu onShortcuts={() => setHelp(true)} />
      </header>
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <div className={classes.page}>{children}</div>
      </main>
      {helpPanel.panel}
    </div>
  );
}
