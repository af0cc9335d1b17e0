import type { Send } from '@reachout/contract/sends.ts';
import { useTranslation } from 'react-i18next';
import { usePlannedTime } from '#web/i18n/planned-time.ts';

/** When a scheduled send starts. */
export default function PlannedWords({ send }: { send: Send }) {
  const { t } = useTranslation('dashboard');
  return t('starts', { when: usePlannedTime()(send.send_date, send.time_zone) });
}
