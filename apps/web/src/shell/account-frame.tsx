import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { organizationsQuery } from '#web/identity/organizations/organizations.ts';
import { lastOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { NotificationArea } from '#web/ui/notification-area.tsx';
import { FrameTop, Main } from './frame-parts.tsx';
import { useHelpPanel } from './use-help-panel.tsx';
import { UserMenu } from './user-menu.tsx';
import classes from './account-frame.module.css';

/** The frame of pages that belong to a user and no organization, with a link back to the last organization. */
export function AccountFrame({ navigation, children }: { navigation?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation(['account', 'shell', 'common']);
  const { pathname } = useLocation();
  const helpPanel = useHelpPanel();
  const isHelp = pathname.startsWith('/help');
  return (
    <div className={classes.frame}>
      <FrameTop />
      <NotificationArea />
      <header className={classes.bar}>
        <img src="/favicon.svg" alt={t('common:product')} width={28} height={28} />
        <div className={classes.back}>
          <BackToWork />
        </div>
        {!isHelp && helpPanel.button}
        <UserMenu />
      </header>
      <div className={classes.body} data-alone={navigation === undefined}>
        {navigation}
        <Main className={classes.main}>{children}</Main>
      </div>
      {!isHelp && helpPanel.panel}
    </div>
  );
}

function BackToWork() {
  const { t } = useTranslation(['account', 'organizations']);
  const { data } = useQuery(organizationsQuery);
  const { pathname } = useLocation();
  const last = lastOrganization(data?.items ?? []);
  // Without an organization there is nothing to go back to; the list of organizations is linked instead.
  if (!last && (data === undefined || pathname === '/organizations')) return null;
  const words = last ? t('back', { name: last.name }) : t('organizations:title');
  return (
    <LinkAnchor to={last ? '/' : '/organizations'} className={classes.link} title={words}>
      <IconArrowLeft size={16} aria-hidden />
      <span className={classes.words}>{words}</span>
    </LinkAnchor>
  );
}
