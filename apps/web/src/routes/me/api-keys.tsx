import { Alert, Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { MePage } from '#web/identity/account/me-page.tsx';
import { ContentTokens } from '#web/identity/account/content-tokens.tsx';
import { MyApiKeyList } from '#web/identity/account/my-api-key-list.tsx';
import { api } from '#web/platform/api.ts';
import { checked, compact, readChoice } from '#web/platform/list-search.ts';
import { preload } from '#web/platform/preload.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { RowsSkeleton } from '#web/ui/skeletons.tsx';

export const Route = createFileRoute('/me/api-keys')({
  /** `after`: set by the redirect after a password reset. */
  validateSearch: checked((raw) => compact({ after: readChoice(raw['after'], ['reset'] as const) })),
  loader: () => preload(async () => [(await import('#web/platform/api.ts')).api.me.apiKeys.queryOptions()]),
  component: ApiKeys,
});

function ApiKeys() {
  const { t } = useTranslation(['account', 'settings']);
  const { after } = Route.useSearch();
  const query = useQuery(api.me.apiKeys.queryOptions());
  return (
    <MePage title={t('entries.apiKeys')} note={t('apiKeys.intro')}>
      {after === 'reset' && (
        <Alert color="yellow" role="status" mb="md">
          {t('apiKeys.afterReset')}
        </Alert>
      )}
      <AsyncRegion
        query={query}
        what={t('records.what', { records: t('entries.apiKeys') })}
        skeleton={<RowsSkeleton rows={3} />}
      >
        {({ items }) => <MyApiKeyList keys={items} />}
      </AsyncRegion>
      <Box mt="lg">
        <ContentTokens />
      </Box>
    </MePage>
  );
}
