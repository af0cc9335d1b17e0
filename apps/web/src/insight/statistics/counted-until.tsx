import { Alert } from '@mantine/core';
import type { CountedUntil as Counted } from '@reachout/contract/statistics.ts';
import { IconClock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { FinePrint } from '#web/ui/text.ts';

/** As of when opens, clicks and visits are counted; a warning if that is minutes ago. */
export function CountedUntil({ counted: { at, is_behind: isBehind } }: { counted: Counted }) {
  const { t } = useTranslation('common');
  const format = useFormat();
  if (isBehind)
    return (
      <Alert color="yellow" icon={<IconClock size={18} />}>
        {t('counted.behind', { at: format.dateTime(at) })}
      </Alert>
    );
  return <FinePrint>{t('counted.until', { at: format.exactTime(at) })}</FinePrint>;
}
