import { Text } from '@mantine/core';
import type { WebsiteNow } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { countColumn } from '#web/identity/lists/columns.tsx';
import { StackedTable } from '#web/insight/statistics/stacked-table.tsx';
import { QuietText, SectionTitle } from '#web/ui/text.ts';

/** Who is on the website. */
export function LiveNow({ now: { visitors, page_views, pages } }: { now: WebsiteNow }) {
  const { t } = useTranslation('websites');
  return (
    <section aria-label={t('statistics.now.title')}>
      <SectionTitle>{t('statistics.now.title')}</SectionTitle>
      <QuietText>{t('statistics.now.hint')}</QuietText>
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
            countColumn<WebsiteNow['pages'][number]>(
              'visitors',
              t('statistics.tiles.visitors'),
              (row) => row.visitors,
            ),
          ]}
        />
      )}
    </section>
  );
}
