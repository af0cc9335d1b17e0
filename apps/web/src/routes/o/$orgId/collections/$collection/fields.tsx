import type { Field } from '@reachout/contract/content-fields.ts';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCollectionCrumbs, useCollectionName } from '#web/content/collections/collection-name.ts';
import { FieldDrawer } from '#web/content/collections/field-drawer.tsx';
import { byPlace } from '#web/content/collections/field-order.ts';
import { FieldTable } from '#web/content/collections/field-table.tsx';
import { allFieldsQuery, collectionsQuery } from '#web/content/collections/item-queries.ts';
import { useDirectus } from '#web/content/collections/use-directus.ts';
import { hasSubscriptions } from '#web/content/collections/contact-fields.ts';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';

export const Route = createFileRoute('/o/$orgId/collections/$collection/fields')({
  beforeLoad: loadContactTexts,
  loader: ({ context, params: { collection } }) =>
    context.preload((scope) => [collectionsQuery(scope), allFieldsQuery(scope, collection)]),
  component: FieldsPage,
});

/** The fields of a collection that users can add, change, order and delete. */
function FieldsPage() {
  const { t } = useTranslation('collections');
  const { collection } = Route.useParams();
  const query = useQuery(allFieldsQuery(useOrganization(), collection));
  const [open, setOpen] = useState<Field | 'new'>();
  const close = () => setOpen(undefined);
  return (
    <AsyncRegion page query={query} what={t('records.what', { records: t('words.fields') })}>
      {({ data }) => {
        const fields = data.filter(({ readonly }) => !readonly).toSorted(byPlace);
        return (
          <>
            <Header
              collection={collection}
              hasContacts={hasSubscriptions(data)}
              onAdd={() => setOpen('new')}
            />
            <FieldTable collection={collection} fields={fields} onOpen={setOpen} />
            {open && (
              <FieldDrawer
                collection={collection}
                fields={data}
                field={open === 'new' ? undefined : open}
                onClose={close}
              />
            )}
          </>
        );
      }}
    </AsyncRegion>
  );
}

interface HeaderProps {
  collection: string;
  hasContacts: boolean;
  onAdd: () => void;
}

function Header({ collection, hasContacts, onAdd }: HeaderProps) {
  const { t } = useTranslation('collections');
  const nameOf = useCollectionName();
  const isDirectus = useDirectus();
  const crumbs = useCollectionCrumbs(collection, hasContacts);
  return (
    <PageHeader
      title={t('words.fields')}
      section={nameOf(collection)}
      note={t(isDirectus ? 'directus.fields' : 'fieldList.hint')}
      crumbs={crumbs}
      primary={
        <CreateButton
          permission={['create', 'Content']}
          reason={isDirectus ? t('directus.fields') : undefined}
          onClick={onAdd}
        >
          {t('fieldForm.add')}
        </CreateButton>
      }
    />
  );
}
