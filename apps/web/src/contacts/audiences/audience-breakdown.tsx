import { Paper, Skeleton } from '@mantine/core';
import type {
  AudienceBreakdown as Numbers,
  AudienceCount,
  AudienceReading,
} from '@reachout/contract/filters.ts';
import { exclusionReasons } from '@reachout/contract/statuses.ts';
import { useTranslation } from 'react-i18next';
import { useFieldLabel } from '#web/content/collections/field-label.ts';
import { useFormat } from '#web/i18n/format.ts';
import { QuietText } from '#web/ui/text.ts';
import classes from './audience-breakdown.module.css';
import { ReadingNotice, type ReadContacts } from './reading-notice.tsx';

interface Props {
  /** With `brands` if the audience is usable by several: the number depends on the sending brand. */
  numbers: (Numbers & Partial<Brands>) | undefined;
  busy?: boolean;
  /** Whether these are the stored numbers of a send instead of a forecast. */
  isStored?: boolean;
  /** For contacts in a remote content backend: how old the numbers are. */
  reading?: AudienceReading | null | undefined;
  onRead?: ReadContacts | undefined;
}

type Brands = Pick<AudienceCount, 'brands' | 'brands_more'>;

/** Matched minus excluded by reason equals recipients. Used for filter, review and send. */
export function AudienceBreakdown({ numbers, busy = false, isStored = false, reading, onRead }: Props) {
  const { t } = useTranslation('audiences');
  const format = useFormat();
  const labelOf = useFieldLabel();
  if (!numbers) return <Skeleton height={148} radius="md" />;
  const { brands = [], brands_more: brandsMore = 0 } = numbers;
  const isUpTo = reading?.read_at === null;
  const reasons = exclusionReasons.filter((reason) => (numbers.excluded[reason] ?? 0) > 0);
  return (
    <Paper withBorder p="md" radius="md" className={classes.breakdown} data-busy={busy} aria-busy={busy}>
      <dl>
        <div className={classes.row}>
          <dt>{t('breakdown.matched')}</dt>
          <dd>{format.number(numbers.matched)}</dd>
        </div>
        {reasons.map((reason) => (
          <div key={reason} className={classes.row} data-quiet>
            <dt>{t(`breakdown.reason.${reason}`)}</dt>
            <dd>−{format.number(numbers.excluded[reason] ?? 0)}</dd>
          </div>
        ))}
        <div className={classes.row} data-total>
          <dt>{t(isStored ? 'words.recipients' : 'breakdown.will')}</dt>
          <dd>
            {brands.length > 0 || isUpTo
              ? t('breakdown.upTo', { count: numbers.will_receive })
              : format.number(numbers.will_receive)}
          </dd>
        </div>
        {brands.map(({ id, name, will_receive }) => (
          <div key={id} className={classes.row} data-quiet>
            <dt>{t('breakdown.brand', { name })}</dt>
            <dd>{format.number(will_receive)}</dd>
          </div>
        ))}
      </dl>
      {numbers.matched > 0 && reasons.length === 0 && brands.length === 0 && !isUpTo && (
        <QuietText>{t('breakdown.nobodyExcluded')}</QuietText>
      )}
      {brands.length > 0 && (
        <QuietText>
          {brandsMore > 0 && `${t('breakdown.brandsMore', { count: brandsMore })}. `}
          {t('breakdown.brandsHint')}
        </QuietText>
      )}
      {numbers.without_value?.map(({ field, label, count }) => (
        <QuietText key={field}>
          {t('breakdown.withoutValue', { count, field: labelOf({ field, label }) })}
        </QuietText>
      ))}
      {reading && <ReadingNotice reading={reading} matched={numbers.matched} onRead={onRead} />}
    </Paper>
  );
}
