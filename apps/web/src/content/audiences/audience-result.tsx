import { Alert, Paper, Title } from '@mantine/core';
import { maxPlainConditions, maxTextConditions } from '@reachout/contract/rules/filter-rule-weight.ts';
import { useTranslation } from 'react-i18next';
import { isProblem } from '#web/platform/problem.ts';
import { ErrorState } from '#web/ui/states.tsx';
import { AudienceBreakdown } from './audience-breakdown.tsx';
import { SampleTable } from './sample-table.tsx';
import type { AudienceCount } from '@reachout/contract/filters.ts';
import type { UseQueryResult } from '@tanstack/react-query';

interface Props {
  query: UseQueryResult<AudienceCount>;
  busy: boolean;
}

/** Who the rule selects, with some of them by name. */
export function AudienceResult({ query, busy }: Props) {
  const { t } = useTranslation('audiences');
  return (
    <section aria-label={t('breakdown.title')}>
      <Title order={2} size="h3" mb="xs">
        {t('breakdown.title')}
      </Title>
      {query.isError && !query.isFetching ? (
        <CountError error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div aria-live="polite">
          <AudienceBreakdown numbers={query.data} busy={busy} />
        </div>
      )}
      {query.data?.will_receive === 0 && !query.isError && (
        <Alert color="yellow" variant="light" mt="md">
          {t('nobody')}
        </Alert>
      )}
      {query.data && query.data.sample.length > 0 && (
        <Paper withBorder p="md" mt="md" radius="md">
          <SampleTable sample={query.data.sample} />
        </Paper>
      )}
    </section>
  );
}

function CountError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation(['audiences', 'common']);
  if (isProblem(error) && error.code === 'invalid_rule') {
    const data = error.extra['data'];
    const { reason = error.detail, is_too_heavy: isTooHeavy = false } = (data ?? {}) as {
      reason?: string;
      is_too_heavy?: boolean;
    };
    return (
      <Alert color="yellow" variant="light" role="alert">
        {isTooHeavy
          ? t('ruleTooHeavy', { plain: maxPlainConditions, searches: maxTextConditions })
          : t('ruleFailed', { reason })}
      </Alert>
    );
  }
  return <ErrorState error={error} what={t('breakdown.title')} onRetry={onRetry} />;
}
