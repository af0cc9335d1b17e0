import { inTransaction, operations } from '../../identity/access/operations.ts';
import { listFaqCategories, listPages } from './help.queries.ts';

export const helpRoutes = {
  pages: inTransaction(operations.help.pages, (trx, { locale }) => listPages(trx, locale)),
  faqCategories: inTransaction(operations.help.faqCategories, (trx, { locale }) =>
    listFaqCategories(trx, locale),
  ),
};
