import { boundsOf } from '#web/platform/bounds-of.ts';
import { RecordFields, RecordValues } from './record-fields.tsx';
import { SaveBarForm } from './save-bar-form.tsx';
import { useRecordForm } from './use-record-form.ts';

interface Props {
  label: string;
  name: string;
  canChange: boolean;
  rename: (name: string) => Promise<unknown>;
}

/** The name of a record on its settings page; read-only text if it cannot be changed. */
export function NameForm({ label, name, canChange, rename }: Props) {
  // The names of all records have the same bounds.
  const form = useRecordForm(boundsOf('clients.update'), {
    record: { name },
    fields: { name: { label } },
    save: (values) => rename(values.name),
  });
  if (!canChange) return <RecordValues form={form} />;
  return (
    <SaveBarForm form={form}>
      <RecordFields form={form} />
    </SaveBarForm>
  );
}
