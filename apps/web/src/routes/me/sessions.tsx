import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { preload } from '#web/platform/preload.ts';
import { MePage } from '#web/identity/account/me-page.tsx';
import { SessionList } from '#web/identity/account/session-list.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { RowsSkeleton } from '#web/ui/skeletons.tsx';

export const Route = createFileRoute('/me/sessions')({
  loader: () => preload(async () => [(await import('#web/platform/api.ts')).api.me.sessions.queryOptions()]),
  component: Sessions,
});

function Sessions() {
  const { t } = useTranslation('account');
  const query = useQuery(api.me.sessions.queryOptions());
  return (
    <MePage title={t('entries.sessions')} note={t('sessions.intro')}>
      <AsyncRegion query={query} what={t('sessions.what')} skeleton={<RowsSkeleton rows={3} />}>
        {({ items }) => <SessionList sessions={items} />}
      </AsyncRegion>
    </MePage>
  );
}
