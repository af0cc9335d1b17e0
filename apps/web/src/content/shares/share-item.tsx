import { Menu } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDirectus } from '#web/content/collections/use-directus.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';

const ItemShares = lazyPart(() => import('./item-shares.tsx'));

/** A share is for all clients: members who are limited to some of them have none. It lends a role, which is chosen from the list. */
export const canShare = ({ can }: Pick<OrganizationContext, 'can'>): boolean =>
  can('read', 'Content', {}) && can('update', 'Content', {}) && can('read', 'Member');

interface ShownItem {
  key: string;
  name: string;
}

/** The menu item that opens the links to an item, and what it opens; without permission there is none. */
export function useItemSharing(collection: string): {
  menuItem: (item: ShownItem) => ReactNode;
  drawer: ReactNode;
} {
  const { t } = useTranslation('shares');
  const scope = useOrganization();
  // Items of a Directus are shared there.
  const isDirectus = useDirectus();
  const [shown, setShown] = useState<ShownItem>();
  const isOffered = canShare(scope) && !isDirectus;
  return {
    menuItem: (item) => isOffered && <Menu.Item onClick={() => setShown(item)}>{t('share')}</Menu.Item>,
    drawer: shown && (
      <ItemShares
        collection={collection}
        item={shown.key}
        name={shown.name}
        onClose={() => setShown(undefined)}
      />
    ),
  };
}
