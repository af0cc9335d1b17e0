import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';
import { useServerForm } from './use-server-form.ts';
import { ActionError } from './states.tsx';

interface Props {
  title: string;
  text: string;
  /** Label of the field in which the user types a confirmation, such as a name. */
  label: string;
  isMatch: (typed: string) => boolean;
  mismatch: string;
  /** Rendered between the field and the buttons. */
  children?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** May reject with a Problem, which is shown in the dialog. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/**
 * Confirmation for actions that cannot be undone in the app: requires typing a name. By hand: what is typed is not sent. Mount
 * it to open it.
 */
export function TypedConfirmDialog(props: Props) {
  const { t } = useTranslation();
  const form = useServerForm({
    initial: { typed: '' },
    checks: { typed: (value) => (props.isMatch(value.trim()) ? null : props.mismatch) },
    submit: props.onConfirm,
  });
  return (
    <Dialog onClose={props.onClose} title={props.title}>
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
            <Button onClick={props.onClose}>{props.cancelLabel ?? t('actions.cancel')}</Button>
            <Button variant="filled" type="submit" color="red" loading={form.pending}>
              {props.confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
