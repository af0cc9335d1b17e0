import { createFileRoute } from '@tanstack/react-router';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { CollectionPage } from '#web/content/collections/collection-page.tsx';
import { fieldsQuery, itemsQuery, readItemsSearch } from '#web/content/collections/item-queries.ts';

export const Route = createFileRoute('/o/$orgId/collections/$collection/')({
  beforeLoad: loadContactTexts,
  validateSearch: readItemsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params: { collection }, deps }) =>
    context.preload((scope) => [fieldsQuery(scope, collection), itemsQuery(scope, collection, deps)]),
  component: Items,
});

function Items() {
  return <CollectionPage {...Route.useParams()} search={Route.useSearch()} />;
}
