import { createFileRoute } from '@tanstack/react-router';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { CollectionPage } from '#web/content/collections/collection-page.tsx';
import { fieldsQuery, readItemsSearch } from '#web/content/collections/item-queries.ts';

export const Route = createFileRoute('/o/$orgId/collections/$collection/items/$itemId')({
  beforeLoad: loadContactTexts,
  validateSearch: readItemsSearch,
  loader: ({ context, params: { collection } }) =>
    context.preload((scope) => [fieldsQuery(scope, collection)]),
  component: OpenItem,
});

function OpenItem() {
  return <CollectionPage {...Route.useParams()} search={Route.useSearch()} />;
}
