import type { Item } from '@reachout/contract/content.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notify } from '#web/ui/notify.tsx';
import { valueText } from '#web/ui/value-text.ts';
import { useItemWords } from './item-words.ts';

interface Props {
  collection: string;
  hasContacts: boolean;
  item: Item;
  onClose: () => void;
  onDeleted?: () => void;
}

/** Confirms the deletion of an item. Mount it to open it. */
export function ItemDeletion({ collection, hasContacts, item, onClose, onDeleted }: Props) {
  const { t } = useTranslation('common');
  const words = useItemWords(hasContacts);
  const { api, orgId } = useOrganization();
  const remove = useMutation(
    api.content.deleteItem.mutationOptions({
      onSuccess: () => {
        notify(words.deleted);
        onDeleted?.();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={words.deleteTitle}
      text={words.deleteBody}
      confirmLabel={t('actions.delete')}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ organization_id: orgId, collection, key: valueText(item['id']) })}
    />
  );
}
