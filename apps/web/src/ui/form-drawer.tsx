import { Drawer, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Form, type FormProps } from './form.tsx';
import { useFocusBack } from './use-focus-back.ts';
import { useGuardedClose } from './use-guarded-close.tsx';
import { type Values } from './use-server-form.ts';

interface DrawerProps<V extends Values> extends FormProps<V> {
  onClose: () => void;
  title: string;
  /** One to three fields, which need no more than a small dialog. */
  isSmall?: boolean;
  /** False while another component handles Escape. */
  closeOnEscape?: boolean;
}

/**
 * A form in a drawer, or a short one in a dialog. Closing it with unsaved input requires confirmation. Mount it to open it.
 */
export function FormDrawer<V extends Values>({
  onClose,
  title,
  isSmall = false,
  closeOnEscape = true,
  ...form
}: DrawerProps<V>) {
  const { t } = useTranslation();
  useFocusBack();
  const guard = useGuardedClose(form.form.fields.isDirty, onClose);
  const Frame = isSmall ? Modal : Drawer;
  return (
    <Frame
      opened
      onClose={guard.close}
      closeOnEscape={closeOnEscape && guard.closeOnEscape}
      title={title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Form {...form} onCancel={guard.close} />
      {guard.question}
    </Frame>
  );
}
