import { boundsOf } from '#web/platform/bounds-of.ts';
import { RecordDrawer } from './record-drawer.tsx';
import { useRecordForm } from './use-record-form.ts';

interface Props {
  title: string;
  label: string;
  description?: string;
  submitLabel: string;
  initial?: string;
  /** Notification after success. */
  done?: string;
  submit: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Creates or renames a record that only needs a name. Mount it to open it. */
export function NameDrawer({ label, description, initial = '', done, submit, ...drawer }: Props) {
  // The names of all records have the same bounds.
  const form = useRecordForm(boundsOf('clients.update'), {
    record: { name: initial },
    fields: { name: { label, hint: description } },
    fieldOfCode: { name_taken: 'name' },
    save: (values) => submit(values.name),
    onClose: drawer.onClose,
    notice: done,
  });
  return <RecordDrawer isSmall form={form} {...drawer} />;
}
