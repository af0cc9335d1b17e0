import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';

/**
 * What the send engine says, in the language of the reader; what a mail server said in it stays as it is. Routes that show
 * it load its texts (`loadSendTexts`).
 */
export function useSendErrorText(): (error: SendError) => string {
  const { t } = useTranslation('sendErrors');
  const format = useFormat();
  return ({ code, values }) => {
    const shown = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? format.number(value) : value,
    ]);
    return t(`text.${code}`, Object.fromEntries(shown));
  };
}
