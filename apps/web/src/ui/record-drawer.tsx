import type { ReactNode } from 'react';
import { FormDrawer } from './form-drawer.tsx';
import { RecordFields } from './record-fields.tsx';
import type { RecordForm } from './use-record-form.ts';
import type { Values } from './use-server-form.ts';

interface Props<V extends Values> {
  form: RecordForm<V>;
  title: string;
  submitLabel: string;
  onClose: () => void;
  /** One to three fields, which need no more than a small dialog. */
  isSmall?: boolean;
  /** Below the fields. */
  children?: ReactNode;
}

/** The fields of a record in a drawer. Mount it to open it. */
export function RecordDrawer<V extends Values>({ children, ...drawer }: Props<V>) {
  return (
    <FormDrawer {...drawer}>
      <RecordFields form={drawer.form} isFocused />
      {children}
    </FormDrawer>
  );
}
