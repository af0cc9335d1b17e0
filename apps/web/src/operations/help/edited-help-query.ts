import { queryOptions } from '@tanstack/react-query';
import { client } from '#web/platform/api.ts';

/** All of the help with its drafts, in both languages. */
export const editedHelpQuery = queryOptions({
  queryKey: [['me', 'editedHelp']],
  queryFn: async () => {
    const [pages, categories] = await Promise.all([
      client.editedHelp.pages(),
      client.editedHelp.faqCategories(),
    ]);
    return { pages, categories };
  },
});
