import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { organizationsQuery } from '#web/identity/organizations/organizations.ts';
import { lastOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { useSession } from '#web/identity/auth/session.ts';
import classes from './mailbox-frame.module.css';

/** Frame of the platform's own emails, which users may read before they are signed in. */
export function MailboxFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('common');
  const session = useSession();
  return (
    <div className={classes.frame}>
      <header className={classes.bar}>
        <img src="/favicon.svg" alt="" width={28} height={28} />
        <Text span inherit flex={1} fw={650}>
          {t('product')}
        </Text>
        {session.is === 'signed_in' && <ToCampaigns />}
      </header>
      <main className={classes.main}>{children}</main>
    </div>
  );
}

/** Link to the organization's own mailbox with the emails of campaigns. */
function ToCampaigns() {
  const { t } = useTranslation('account');
  const { data } = useQuery(organizationsQuery);
  const last = lastOrganization(data?.items ?? []);
  if (!last) return null;
  return (
    <LinkAnchor to="/o/$orgId/mailbox" params={{ orgId: last.id }} lh={1.3}>
      {t('mailbox.toCampaigns', { name: last.name })}
    </LinkAnchor>
  );
}
