import { Alert, Paper } from '@mantine/core';
import { maxPlainConditions, maxTextConditions } from '@reachout/contract/rules/filter-rule-weight.ts';
import { useTranslation } from 'react-i18next';
import { isProblem } from '#web/platform/problem.ts';
import { ActionError, ErrorState } from '#web/ui/states.tsx';
import { SectionTitle } from '#web/ui/text.ts';
import { AudienceBreakdown } from './audience-breakdown.tsx';
import type { ReadContacts } from './reading-notice.tsx';
import { SampleTable } from './sample-table.tsx';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { AudienceCount, Filter } from '@reachout/contract/filters.ts';
import type { UseQueryResult } from '@tanstack/react-query';

interface Props {
  count: Pick<UseQueryResult<AudienceCount>, 'data' | 'error' | 'isError' | 'isFetching' | 'refetch'>;
  busy: boolean;
  read: ReadContacts & { error: unknown };
  fields: readonly Field[];
  rule: Filter['rule'];
}

/** The number of contacts that the rule matches, with a sample of them. */
export function AudienceResult({ count, busy, read, fields, rule }: Props) {
  const { t } = useTranslation('audiences');
  return (
    <section aria-label={t('words.recipients')}>
      <SectionTitle mb="xs">{t('words.recipients')}</SectionTitle>
      {count.isError && !count.isFetching ? (
        <CountError error={count.error} onRetry={() => void count.refetch()} />
      ) : (
        <div aria-live="polite">
          <AudienceBreakdown numbers={count.data} busy={busy} reading={count.data?.reading} onRead={read} />
          <ActionError error={read.error} />
        </div>
      )}
      {count.data?.will_receive === 0 && !count.isError && (
        <Alert color="yellow" mt="md">
          {t('nobody')}
        </Alert>
      )}
      {count.data && count.data.sample.length > 0 && (
        <Paper withBorder p="md" mt="md" radius="md">
          <SampleTable sample={count.data.sample} fields={fields} rule={rule} />
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
      <Alert color="yellow" role="alert">
        {isTooHeavy
          ? t('ruleTooHeavy', { plain: maxPlainConditions, searches: maxTextConditions })
          : t('ruleFailed', { reason })}
      </Alert>
    );
  }
  return <ErrorState error={error} what={t('words.recipients')} onRetry={onRetry} />;
}
