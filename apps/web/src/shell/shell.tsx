import { ActionIcon, Burger, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconLayoutSidebar, IconSearch } from '@tabler/icons-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { loadPageTexts, loadSettingsTexts } from '#web/i18n/i18n.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { loadLater } from '#web/platform/load-later.ts';
import { readLocal, writeLocal } from '#web/platform/local.ts';
import { NotificationArea } from '#web/ui/notification-area.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';
import { ClientSwitch } from './client-switch.tsx';
import { FrameTop, Main } from './frame-parts.tsx';
import { Navigation } from './navigation.tsx';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { UserMenu } from './user-menu.tsx';
import { useGlobalShortcuts } from './use-global-shortcuts.ts';
import { useHelpPanel } from './use-help-panel.tsx';
import classes from './shell.module.css';

const loadDrawer = () => import('./navigation-drawer.tsx');
const NavigationDrawer = lazyPart(loadDrawer);
const loadShortcutHelp = () => import('./shortcut-help.tsx');
const ShortcutHelp = lazyPart(loadShortcutHelp, { texts: loadPageTexts });
const loadPalette = () => import('./command-palette.tsx');
const CommandPalette = lazyPart(loadPalette, { texts: loadSettingsTexts });
const DeveloperPanel = lazyPart(() => import('./developer/developer-panel.tsx'), {
  texts: loadSettingsTexts,
});

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
  const [drawer, { open, close, toggle }] = useDisclosure(false);
  const [narrow, setNarrow] = useState(readLocal('sidebar') === 'narrow');
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
      <FrameTop />
      <NotificationArea />
      <aside className={classes.side}>
        <OrganizationSwitcher />
        <ClientSwitch />
        <Navigation />
      </aside>
      {drawer && <NavigationDrawer onClose={close} />}
      {help && <ShortcutHelp onClose={() => setHelp(false)} />}
      {palette && (
        <CommandPalette
          onClose={() => setPalette(false)}
          onShortcuts={() => setHelp(true)}
          onHelp={helpPanel.open}
          onDeveloper={openDeveloper}
        />
      )}
      {developer && (
        <DeveloperPanel
          isOpen={developer === 'open'}
          onOpen={openDeveloper}
          onClose={() => setDeveloper('closed')}
        />
      )}
      <header className={classes.bar}>
        <Burger className={classes.burger} size="sm" opened={drawer} onClick={open} aria-label={t('menu')} />
        <Tooltip label={t('toggle')}>
          <ActionIcon
            className={classes.toggle}
            size={32}
            aria-label={t('toggle')}
            aria-pressed={narrow}
            onClick={toggleSidebar}
          >
            <IconLayoutSidebar size={18} />
          </ActionIcon>
        </Tooltip>
        <div id="page-crumbs" className={classes.crumbs} />
        <UnstyledButton
          className={classes.search}
          aria-label={t('words.searchEverything')}
          aria-keyshortcuts="Control+K Meta+K"
          aria-haspopup="dialog"
          onClick={() => setPalette(true)}
        >
          <IconSearch size={16} aria-hidden />
          <span>{t('palette.short')}</span>
          <kbd>{t('shortcuts.ctrl')} K</kbd>
        </UnstyledButton>
        {helpPanel.button}
        <UserMenu onShortcuts={() => setHelp(true)} />
      </header>
      <Main className={classes.main}>
        <div className={classes.page}>{children}</div>
      </Main>
      {helpPanel.panel}
    </div>
  );
}
