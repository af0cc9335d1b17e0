import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';

/** Formats a part of a whole, with one decimal; a dash if there is no whole. */
export function useRate(): (part: number, base: number) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (part, base) => (base === 0 ? t('none') : format.rate(part / base));
}
