import { Drawer } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Form, type FormProps } from './form.tsx';
import { type Values } from './use-server-form.ts';
import { useFocusBack } from './use-focus-back.ts';

interface DrawerProps<V extends Values> extends FormProps<V> {
  opened: boolean;
  onClose: () => void;
  title: string;
}

export function FormDrawer<V extends Values>({ opened, onClose, title, ...form }: DrawerProps<V>) {
  const { t } = useTranslation();
  useFocusBack();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Form {...form} onCancel={onClose} />
    </Drawer>
  );
}
