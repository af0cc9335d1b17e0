import { createFileRoute, useParams } from '@tanstack/react-router';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { CollectionPage } from '#web/content/collections/collection-page.tsx';
import { fieldsQuery, itemsQuery, readItemsSearch } from '#web/content/collections/item-queries.ts';

/** One page for the list and for the item that is open beside it, so that opening one does not mount the list anew. */
export const Route = createFileRoute('/o/$orgId/collections/$collection/_list')({
  beforeLoad: loadContactTexts,
  validateSearch: readItemsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    context.preload((scope) => [
      fieldsQuery(scope, params.collection),
      !('itemId' in params) && itemsQuery(scope, params.collection, deps),
    ]),
  component: Items,
});

function Items() {
  const { itemId } = useParams({ strict: false });
  return <CollectionPage {...Route.useParams()} itemId={itemId} search={Route.useSearch()} />;
}
