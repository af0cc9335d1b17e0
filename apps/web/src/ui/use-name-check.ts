import { useTranslation } from 'react-i18next';
import { maxNameLength } from '@reachout/contract/rules/lengths.ts';

/** Names have 1 to 120 characters; the server's rule, with a translated message. */
export function useNameCheck(): (value: string) => string | null {
  const { t } = useTranslation();
  return (value) => {
    const length = value.trim().length;
    if (length === 0) return t('form.required');
    return length > maxNameLength ? t('form.tooLong', { max: maxNameLength }) : null;
  };
}
