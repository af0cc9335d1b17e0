import { Badge } from '@mantine/core';
import type { Share } from '@reachout/contract/content-shares.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';

/** Whether the link of a share can be opened, and until when. */
export function ShareState({ share }: { share: Share }) {
  const { t } = useTranslation('shares');
  const format = useFormat();
  const state = stateOf(share);
  const time = state === 'from' ? share.date_start : share.date_end;
  const color = state === 'ended' || state === 'usedUp' ? 'gray' : state === 'from' ? 'marine' : 'green';
  return (
    <Badge color={color} variant="light" tt="none">
      {t(`state.${state}`, { time: time === null ? '' : format.dateTime(time) })}
    </Badge>
  );
}

function stateOf({ date_start, date_end, max_uses, times_used }: Share) {
  const now = new Date();
  if (date_end !== null && new Date(date_end) <= now) return 'ended';
  if (max_uses !== null && times_used >= max_uses) return 'usedUp';
  if (date_start !== null && new Date(date_start) > now) return 'from';
  return date_end === null ? 'open' : 'until';
}
