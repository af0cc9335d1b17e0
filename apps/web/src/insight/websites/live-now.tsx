import { Text, Title } from '@mantine/core';
import type { WebsiteNow } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { StackedTable } from '#web/insight/statistics/stacked-table.tsx';

/** Who is on the website. */
export function LiveNow({ now: { visitors, page_views, pages } }: { now: WebsiteNow }) {
  const { t } = useTranslation('websites');
  const format = useFormat();
  return (
    <section aria-label={t('statistics.now.title')}>
      <Title order={2} size="h3">
        {t('statistics.now.title')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('statistics.now.hint')}
      </Text>
      <Text my="xs">
        {t('statistics.now.visitors', { count: visitors })} ·{' '}
        {t('statistics.now.views', { count: page_views })}
      </Text>
      {pages.length > 0 && (
        <StackedTable
          label={t('statistics.now.pages')}
          rows={pages}
          rowKey={({ path }) => path}
          columns={[
            { header: t('statistics.path.value'), cell: ({ path }) => path },
            {
              header: t('statistics.tiles.visitors'),
              align: 'end',
              cell: (row) => format.number(row.visitors),
            },
          ]}
        />
      )}
    </section>
  );
}
