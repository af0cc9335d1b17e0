import type { Website } from '@reachout/contract/websites.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { Time } from '#web/ui/time.tsx';

/** How many events were not stored, and why. */
export function DroppedEvents({ drops }: Pick<Website, 'drops'>) {
  const { t } = useTranslation('websites');
  const format = useFormat();
  return (
    <SectionCard title={t('drops.title')} hint={t('drops.hint')}>
      <PlainTable
        label={t('drops.title')}
        rows={drops}
        rowKey={({ reason }) => reason}
        columns={[
          {
            header: t('drops.reason'),
            cell: ({ reason }) => (
              <>
                {t(`drops.names.${reason}`)}
                <span className="beside">{t(`drops.reasons.${reason}`)}</span>
              </>
            ),
          },
          { header: t('drops.count'), align: 'end', cell: ({ count }) => format.number(count) },
          { header: t('drops.last'), align: 'end', cell: ({ last_at }) => <Time at={last_at} /> },
        ]}
      />
    </SectionCard>
  );
}
