import type { Cause } from '@reachout/contract/event-graph.ts';
import { useTranslation } from 'react-i18next';
import { useCauseText } from './graph-words.ts';

/** Why a message was sent, if an event was the reason. */
export default function MessageCause({ cause }: { cause: Cause }) {
  const { t } = useTranslation('eventGraph');
  return <>{t('reactions.because', { cause: useCauseText()(cause) })}</>;
}
