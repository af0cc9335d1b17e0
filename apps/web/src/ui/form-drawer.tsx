import { Drawer } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Form, type FormProps } from './form.tsx';
import { type Values } from './use-server-form.ts';
import { useFocusBack } from './use-focus-back.ts';

interface DrawerProps<V extends Values> extends FormProps<V> {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** False while something else takes the key. */
  closeOnEscape?: boolean;
}

export function FormDrawer<V extends Values>({
  opened,
  onClose,
  title,
  closeOnEscape = true,
  ...form
}: DrawerProps<V>) {
  const { t } = useTranslation();
  useFocusBack();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      closeOnEscape={closeOnEscape}
      title={title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Form {...form} onCancel={onClose} />
    </Drawer>
  );
}
