import { useTranslation } from 'react-i18next';

const maxName = 60;

/** @returns checks the name of a new entry, which is part of addresses */
export function useNameRule(taken: readonly string[]): (name: string) => string | null {
  const { t } = useTranslation(['helpEditor', 'common']);
  return (value) => {
    const name = value.trim();
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return t('nameRule');
    if (name.length > maxName) return t('common:form.tooLong', { max: maxName });
    return taken.includes(name) ? t('nameTaken') : null;
  };
}
