import { Checkbox, Group } from '@mantine/core';
import type { Collection } from '@reachout/contract/content.ts';
import { IconDatabase, IconFiles, IconLink, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCollectionActions } from '#web/content/collections/collection-actions.tsx';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { collectionsQuery } from '#web/content/collections/item-queries.ts';
import { NewCollection } from '#web/content/collections/new-collection.tsx';
import { useDirectus } from '#web/content/collections/use-directus.ts';
import { hasFiles } from '#web/content/files/file-queries.ts';
import { useOwnerColumn } from '#web/content/owners/owner-chip.tsx';
import { canShare } from '#web/content/shares/share-item.tsx';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { countColumn } from '#web/identity/lists/columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { checked, compact, readListSearch } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { ActionError } from '#web/ui/states.tsx';

interface CollectionsSearch {
  search?: string;
  /** Includes hidden collections. */
  hidden?: boolean;
}

const readSearch = checked((raw): CollectionsSearch => {
  const { search } = readListSearch(raw);
  return compact({ search, hidden: raw['hidden'] === true ? true : undefined });
});

export const Route = createFileRoute('/o/$orgId/collections/')({
  beforeLoad: loadContactTexts,
  validateSearch: readSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.preload((scope) => [collectionsQuery(scope, deps.hidden)]),
  component: Collections,
});

/** All visible collections, including contact lists, which link to their own page. */
function Collections() {
  const { t } = useTranslation(['collections', 'common']);
  const nameOf = useCollectionName();
  const { search, hidden } = Route.useSearch();
  const navigate = Route.useNavigate();
  const scope = useOrganization();
  const change = useChangeSearch<CollectionsSearch>();
  const { itemsFor, dialog, error } = useCollectionActions();
  const isDirectus = useDirectus();
  const onCreated = ({ collection, has_contacts }: Collection) =>
    has_contacts
      ? void navigate({ to: '/o/$orgId/contacts', search: { collection } })
      : void navigate({ to: '/o/$orgId/collections/$collection/fields', params: { collection } });
  const query = useQuery({
    ...collectionsQuery(scope, hidden),
    select: ({ data }) => ({ items: data.filter((each) => isFound(each, nameOf, search)) }),
  });
  return (
    <>
      <RecordList
        query={query}
        isSearchable
        texts="collections"
        icon={IconDatabase}
        columns={useColumns()}
        keyOf={({ collection }) => collection}
        nameOf={({ collection }) => nameOf(collection)}
        // The page of a collection has the same menu.
        links={itemsFor}
        create={{
          permission: ['create', 'Content'],
          label: t('newCollection'),
          reason: isDirectus ? t('directus.collections') : undefined,
          form: (close) => <NewCollection onCreated={onCreated} onClose={close} />,
        }}
        filters={[
          {
            names: [],
            control: scope.can('update', 'Content') && !isDirectus && (
              <Checkbox
                mb={8}
                label={t('withHidden')}
                checked={hidden ?? false}
                onChange={(event) => change({ hidden: event.currentTarget.checked || undefined })}
              />
            ),
          },
        ]}
        actions={
          <Group gap="xs">
            {canShare(scope) && <SharesLink />}
            {hasFiles(scope) && <FilesLink />}
          </Group>
        }
        above={<ActionError error={error} title={t('common:error.saveFailed')} />}
        empty={{ title: t('noCollections.title'), text: t('noCollections.body') }}
      />
      {dialog}
    </>
  );
}

function FilesLink() {
  const { t } = useTranslation('files');
  const { orgId } = useOrganization();
  return (
    <LinkButton to="/o/$orgId/files" params={{ orgId }} leftSection={<IconFiles size={16} />}>
      {t('title')}
    </LinkButton>
  );
}

function SharesLink() {
  const { t } = useTranslation('shares');
  const { orgId } = useOrganization();
  return (
    <LinkButton to="/o/$orgId/shares" params={{ orgId }} leftSection={<IconLink size={16} />}>
      {t('title')}
    </LinkButton>
  );
}

/** Matches the display name or the technical name. */
function isFound(
  { collection }: Collection,
  nameOf: (collection: string) => string,
  search: string | undefined,
): boolean {
  const wanted = search?.toLowerCase() ?? '';
  return nameOf(collection).toLowerCase().includes(wanted) || collection.includes(wanted);
}

function useColumns(): ListColumn<Collection>[] {
  const { t } = useTranslation('collections');
  const nameOf = useCollectionName();
  return [
    {
      name: 'name',
      header: t('words.collection'),
      cell: ({ collection, has_contacts, hidden }) => {
        const Mark = has_contacts ? IconUsers : IconDatabase;
        return (
          <span className="with-mark">
            <Mark size={18} className="quiet-icon" aria-hidden />
            <CollectionLink collection={collection} hasContacts={has_contacts}>
              {nameOf(collection)}
            </CollectionLink>
            {hidden && <span className="beside">{t('hiddenMark')}</span>}
          </span>
        );
      },
    },
    {
      name: 'kind',
      header: t('words.kind'),
      cell: (row) => t(row.has_contacts ? 'words.contacts' : 'kind.content'),
    },
    useOwnerColumn(),
    countColumn('items', t('count'), (row) => row.item_count),
  ];
}

interface LinkProps {
  collection: string;
  hasContacts: boolean;
  children: string;
}

function CollectionLink({ collection, hasContacts, children }: LinkProps) {
  const { orgId } = useOrganization();
  if (!hasContacts)
    return (
      <LinkAnchor to="/o/$orgId/collections/$collection" params={{ orgId, collection }}>
        {children}
      </LinkAnchor>
    );
  return (
    <LinkAnchor to="/o/$orgId/contacts" params={{ orgId }} search={{ collection }}>
      {children}
    </LinkAnchor>
  );
}
