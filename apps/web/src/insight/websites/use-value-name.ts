import type { WebsiteDimension } from '@reachout/contract/states/website.ts';
import { useTranslation } from 'react-i18next';
import { readChoice } from '#web/platform/list-search.ts';

/** Countries have a map beside their table. */
export type TableDimension = Exclude<WebsiteDimension, 'country'>;

const screens = ['phone', 'tablet', 'laptop', 'desktop'] as const;

/** Names the values of a dimension in the user's language. */
export function useValueName(dimension: TableDimension): (value: string) => string {
  const { t, i18n } = useTranslation('websites');
  if (dimension === 'language') {
    const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
    return (value) => (value === '' ? t('words.unknown') : nameIn(names, value));
  }
  return (value) => {
    if (value === '') return t(dimension === 'referrer' ? 'statistics.direct' : 'words.unknown');
    const screen = dimension === 'screen' ? readChoice(value, screens) : undefined;
    return screen === undefined ? value : t(`statistics.screens.${screen}`);
  };
}

/** Browsers may send anything as a language. */
function nameIn(names: Intl.DisplayNames, value: string): string {
  try {
    return names.of(value) ?? value;
  } catch {
    return value;
  }
}
