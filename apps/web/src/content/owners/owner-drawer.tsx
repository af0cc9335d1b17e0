import type { Owner } from '@reachout/contract/rules/owners.ts';
import { useTranslation } from 'react-i18next';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { OwnerChoice } from './owner-choice.tsx';
import { ownerKey, ownerOf } from './owner-key.ts';

interface Props {
  title: string;
  label: string;
  submitLabel: string;
  initial: Owner & { name: string };
  submit: (values: Owner & { name: string }) => Promise<unknown>;
  onClose: () => void;
}

/** Name and owner of a new or existing record. Mount it to open it. */
export function OwnerDrawer({ label, initial, submit, ...drawer }: Props) {
  const { t } = useTranslation();
  // The names of all records have the same bounds.
  const form = useRecordForm(boundsOf('content.createCollection'), {
    record: initial,
    fields: {
      name: { label },
      owner: { input: OwnerChoice, hint: t('owner.hint'), initial: ownerKey(initial) },
    },
    fieldOfCode: { name_taken: 'name', owner_in_use: 'owner' },
    save: ({ name, owner }) => submit({ name, ...ownerOf(owner) }),
    onClose: drawer.onClose,
  });
  return <RecordDrawer isSmall form={form} {...drawer} />;
}
