import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerForm } from './use-server-form.ts';
import { ActionError } from './states.tsx';
import { useFocusBack } from './use-focus-back.ts';

interface Props {
  title: string;
  text: string;
  /** Asks to type what the deletion is about. */
  label: string;
  isMatch: (typed: string) => boolean;
  mismatch: string;
  /** Between the field and the buttons. */
  children?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** May reject with a Problem, which is shown; then the dialog stays. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Before what nothing on screen can undo: a name is typed first. Mount it to open it. */
export function TypedConfirmDialog(props: Props) {
  const { t } = useTranslation();
  useFocusBack();
  const form = useServerForm({
    initial: { typed: '' },
    checks: { typed: (value) => (props.isMatch(value.trim()) ? null : props.mismatch) },
    submit: props.onConfirm,
  });
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={props.title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form noValidate onSubmit={form.onSubmit}>
        <Stack gap="md">
          <Text>{props.text}</Text>
          <TextInput
            data-autofocus
            autoComplete="off"
            label={props.label}
            {...form.fields.getInputProps('typed')}
          />
          {props.children}
          <ActionError error={form.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={props.onClose}>
              {props.cancelLabel ?? t('actions.cancel')}
            </Button>
            <Button type="submit" color="red" loading={form.pending}>
              {props.confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
