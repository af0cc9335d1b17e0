import { Menu } from '@mantine/core';
import type { Collection } from '@reachout/contract/content.ts';
import { startingCollections } from '@reachout/contract/rules/starting-collections.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EditCollection } from '#web/content/collections/collection-actions.tsx';
import { CollectionDeletion } from '#web/content/collections/collection-deletion.tsx';
import { useDirectus } from '#web/content/collections/use-directus.ts';
import { OwnerDrawer } from '#web/content/owners/owner-drawer.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';

interface Actions {
  /** Menu items; undefined for users without permission. */
  items: ReactNode;
  /** The dialog that a menu item opened. It must stay mounted while the page navigates to another list. */
  dialog: ReactNode;
}

/**
 * Actions on the contacts and their lists.
 * @param list  the list that is shown, once it is loaded
 */
export function useContactListActions(collection: string, list: Collection | undefined): Actions {
  const { t } = useTranslation('collections');
  const { api, orgId, clientId, can } = useOrganization();
  const navigate = useNavigate();
  const isDirectus = useDirectus();
  const add = useMutation(api.content.createCollection.mutationOptions());
  const [dialog, setDialog] = useState<'new' | { edited: Collection } | { deleted: Collection }>();
  const close = () => setDialog(undefined);
  const canDelete = can('delete', 'Content') && !isDirectus && !startingCollections.includes(collection);
  const params = { orgId };
  const items = [
    can('read', 'Consent') && (
      <Menu.Item
        key="suppressions"
        onClick={() => void navigate({ to: '/o/$orgId/suppressions', params, search: {} })}
      >
        {t('words.suppressedAddresses')}
      </Menu.Item>
    ),
    can('read', 'Consent') && (
      <Menu.Item
        key="requests"
        onClick={() => void navigate({ to: '/o/$orgId/data-requests', params, search: {} })}
      >
        {t('words.dataRequests')}
      </Menu.Item>
    ),
    can('create', 'Content') && !isDirectus && (
      <Menu.Item key="new" onClick={() => setDialog('new')}>
        {t('newList')}
      </Menu.Item>
    ),
    (can('create', 'Content') || can('update', 'Content')) && (
      <Menu.Item
        key="fields"
        onClick={() =>
          void navigate({ to: '/o/$orgId/collections/$collection/fields', params: { orgId, collection } })
        }
      >
        {t('words.fields')}
      </Menu.Item>
    ),
    list && can('update', 'Content') && (
      <Menu.Item key="edit" onClick={() => setDialog({ edited: list })}>
        {t('editList')}
      </Menu.Item>
    ),
    list && canDelete && (
      <Menu.Item key="delete" c="var(--app-danger)" onClick={() => setDialog({ deleted: list })}>
        {t('deleteList.action')}
      </Menu.Item>
    ),
  ];
  return {
    items: items.some(Boolean) && items,
    dialog:
      dialog === undefined ? undefined : dialog === 'new' ? (
        <OwnerDrawer
          title={t('newList')}
          label={t('listName')}
          submitLabel={t('newList')}
          initial={{ name: '', client_id: clientId ?? null, brand_id: null }}
          onClose={close}
          submit={async (values) => {
            const made = await add.mutateAsync({ organization_id: orgId, ...values });
            void navigate({ to: '/o/$orgId/contacts', params, search: { collection: made.collection } });
          }}
        />
      ) : 'edited' in dialog ? (
        <EditCollection {...dialog} title={t('editList')} label={t('listName')} onClose={close} />
      ) : (
        <CollectionDeletion
          {...dialog}
          onClose={close}
          leave={() => navigate({ to: '/o/$orgId/contacts', params, search: {} })}
        />
      ),
  };
}
