import { Stack, Text } from '@mantine/core';
import type { Collection } from '@reachout/contract/content.ts';
import { useTranslation } from 'react-i18next';
import { useDeleteAndLeave } from '#web/identity/organizations/use-delete-and-leave.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useCollectionName } from './collection-name.ts';

interface Props {
  list: Collection;
  onClose: () => void;
  /** Leads to another list. */
  leave: () => Promise<unknown>;
}

/** Before a list of contacts is deleted: says what goes with it, and what stays. Mount it to open it. */
export function ListDeletion({ list: { collection, item_count: count }, onClose, leave }: Props) {
  const { t } = useTranslation('collections');
  const { api, orgId } = useOrganization();
  const nameOf = useCollectionName();
  const remove = useDeleteAndLeave(
    api.content.deleteCollection.mutationOptions(),
    leave,
    t('deleteList.done'),
  );
  return (
    <ConfirmDialog
      title={t('deleteList.title', { name: nameOf(collection) })}
      confirmLabel={t('deleteList.action')}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ organization_id: orgId, collection })}
    >
      <Stack gap="xs">
        <Text>
          {count === 0 ? t('deleteList.empty') : t('deleteList.contacts', { count })} {t('deleteList.more')}
        </Text>
        <Text>{t('deleteList.stays')}</Text>
      </Stack>
    </ConfirmDialog>
  );
}
