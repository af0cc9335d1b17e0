import { Menu } from '@mantine/core';
import type { Collection } from '@reachout/contract/content.ts';
import { startingCollections } from '@reachout/contract/rules/starting-collections.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { OwnerDrawer } from '#web/content/owners/owner-drawer.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { CollectionDeletion } from './collection-deletion.tsx';
import { useCollectionName } from './collection-name.ts';
import { useDirectus } from './use-directus.ts';

interface Actions {
  /** Menu items of a collection; nothing for users without permission. */
  itemsFor: (collection: Collection) => ReactNode;
  /** The dialog opened by a menu item. */
  dialog: ReactNode;
  /** Why the last change was rejected. */
  error: unknown;
}

/** Actions on a collection, in lists and on its page. */
export function useCollectionActions(): Actions {
  const { t } = useTranslation(['collections', 'common']);
  const { api, orgId, can } = useOrganization();
  const navigate = useNavigate();
  const isDirectus = useDirectus();
  const [editing, setEditing] = useState<Collection>();
  const [deleting, setDeleting] = useState<Collection>();
  const show = useMutation(api.content.updateCollection.mutationOptions());
  const fieldsEntry = ({ collection }: Collection) => (
    <Menu.Item
      onClick={() =>
        void navigate({ to: '/o/$orgId/collections/$collection/fields', params: { orgId, collection } })
      }
    >
      {t('words.fields')}
    </Menu.Item>
  );
  return {
    error: show.error,
    itemsFor: (row) => (
      <>
        {fieldsEntry(row)}
        {can('update', 'Content') && (
          <>
            <Menu.Item onClick={() => setEditing(row)}>{t('common:owner.change')}</Menu.Item>
            {!isDirectus && (
              <Menu.Item
                onClick={() =>
                  show.mutate({ organization_id: orgId, collection: row.collection, hidden: !row.hidden })
                }
              >
                {t(row.hidden ? 'show' : 'hide')}
              </Menu.Item>
            )}
          </>
        )}
        {can('delete', 'Content') && !isDirectus && !startingCollections.includes(row.collection) && (
          <Menu.Item c="var(--app-danger)" onClick={() => setDeleting(row)}>
            {t(row.has_contacts ? 'deleteList.action' : 'deleteCollection.action')}
          </Menu.Item>
        )}
      </>
    ),
    dialog: deleting ? (
      <CollectionDeletion
        deleted={deleting}
        onClose={() => setDeleting(undefined)}
        leave={() => navigate({ to: '/o/$orgId/collections', params: { orgId } })}
      />
    ) : editing ? (
      <EditCollection
        edited={editing}
        title={t('common:owner.change')}
        label={t('collectionName')}
        onClose={() => setEditing(undefined)}
      />
    ) : undefined,
  };
}

interface EditProps {
  edited: Collection;
  title: string;
  label: string;
  onClose: () => void;
}

/** Name and owner of a collection. Mount it to open it. */
export function EditCollection({ edited, title, label, onClose }: EditProps) {
  const { t } = useTranslation();
  const { api, orgId } = useOrganization();
  const { collection } = edited;
  const shownName = useCollectionName()(collection);
  const edit = useMutation(api.content.updateCollection.mutationOptions());
  return (
    <OwnerDrawer
      title={title}
      label={label}
      submitLabel={t('actions.save')}
      initial={{ ...edited, name: shownName }}
      onClose={onClose}
      submit={({ name, ...owner }) =>
        edit.mutateAsync({
          organization_id: orgId,
          collection,
          ...owner,
          // A name that the platform translates is not stored as a label.
          ...(name !== shownName && { name }),
        })
      }
    />
  );
}
