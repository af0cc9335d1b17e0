import { queryOptions } from '@tanstack/react-query';
import type { Language } from '@reachout/contract/rules/languages.ts';
import { client } from '#web/platform/api.ts';

/** Pages that the law demands in some countries: linked at the foot, once the operator has published them. */
export const legalPages: readonly string[] = ['imprint', 'privacy'];

/** All that is published. Operators change it rarely. */
export const helpQuery = (locale: Language) =>
  queryOptions({
    queryKey: [['me', 'help'], locale],
    queryFn: async () => {
      const [pages, categories] = await Promise.all([
        client.help.pages({ locale }),
        client.help.faqCategories({ locale }),
      ]);
      return { pages, categories };
    },
    staleTime: 5 * 60_000,
  });
