import { useTranslation } from 'react-i18next';
import type { en } from '#web/i18n/en/all.ts';

type Resources = typeof en;
type PartsOf<N extends keyof Resources> = {
  [P in keyof Resources[N] & string]: Resources[N][P] extends string ? never : `${N}:${P}`;
}[keyof Resources[N] & string];

/**
 * Where the texts of a list are: `campaigns`, or `settings:members`. A list needs a `title` there, in `words` of `common`, or a
 * label; from this plural noun, `records` of `common` makes its other texts. Those that say more are beside it: `what`, `search`,
 * `noMatch`, `noMatchSearch`, `new`, `empty.title`, `empty.body` and, for those who cannot create any, `empty.reader`;
 * `deleteTitle` and `deleteBody` if its records are deleted for good.
 */
export type ListTextsIn = { [N in keyof Resources]: N | PartsOf<N> }[keyof Resources];

interface ListTexts {
  /** What its records are called: "Campaigns". */
  title: string;
  /** A text by key; of several keys, the first that exists. */
  text: (keys: string | readonly string[], values?: object) => string;
}

/** @param label  what the records are called, if not the title of its texts */
export function useListTexts(texts: ListTextsIn, label?: string): ListTexts {
  const [namespace = '', part] = texts.split(':');
  const { t } = useTranslation(namespace as 'common');
  const find = t as unknown as (keys: string[], values?: object) => string;
  const own = (key: string) => (part === undefined ? key : `${part}.${key}`);
  const title = label ?? find([own('title'), `words.${part ?? namespace}`]);
  return {
    title,
    text: (keys, values) => {
      const all = [keys].flat();
      return find([...all.map(own), ...all.map((key) => `records.${key}`)], { records: title, ...values });
    },
  };
}
