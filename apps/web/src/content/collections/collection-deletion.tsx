import { Stack, Text } from '@mantine/core';
import type { Collection } from '@reachout/contract/content.ts';
import { useTranslation } from 'react-i18next';
import { useDeleteAndLeave } from '#web/identity/organizations/use-delete-and-leave.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useCollectionName } from './collection-name.ts';

interface Props {
  deleted: Collection;
  onClose: () => void;
  /** Navigates to another page. */
  leave: () => Promise<unknown>;
}

/** Confirms the deletion of a collection, such as a contact list: says what goes and what stays. Mount it to open it. */
export function CollectionDeletion({
  deleted: { collection, item_count: count, has_contacts },
  onClose,
  leave,
}: Props) {
  const { t } = useTranslation('collections');
  const { api, orgId } = useOrganization();
  const nameOf = useCollectionName();
  const texts = has_contacts ? 'deleteList' : 'deleteCollection';
  const remove = useDeleteAndLeave(api.content.deleteCollection.mutationOptions(), leave, t(`${texts}.done`));
  return (
    <ConfirmDialog
      title={t(`${texts}.title`, { name: nameOf(collection) })}
      confirmLabel={t(`${texts}.action`)}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ organization_id: orgId, collection })}
    >
      <Stack gap="xs">
        <Text>
          {count === 0 ? t(`${texts}.empty`) : t(`${texts}.items`, { count })} {t(`${texts}.more`)}
        </Text>
        <Text>{t(`${texts}.stays`)}</Text>
      </Stack>
    </ConfirmDialog>
  );
}
