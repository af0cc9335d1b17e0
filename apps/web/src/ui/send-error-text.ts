import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';

/**
 * @returns a function that translates errors of the send engine; a mail server's reply in them is not translated. Routes
 * that show such errors load the texts (the part `sendErrors`).
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
