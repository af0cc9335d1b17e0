import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';
import { ActionError } from './states.tsx';

interface Props {
  /** The effect as a question: "Remove Ada Lovelace from Nordwind?" */
  title: string;
  text?: string;
  /** Below the text, or in its place. */
  children?: ReactNode;
  /** The verb on the button, the same as in the title. */
  confirmLabel: string;
  /** Label of the safe choice. Default: "Cancel". */
  cancelLabel?: string;
  /** Whether something is lost. Default: true. */
  isDestructive?: boolean;
  /** May reject with a Problem, which is shown in the dialog. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Confirmation for actions that cannot be undone. Mount it to open it; the safe choice has the focus. */
export function ConfirmDialog(props: Props) {
  const {
    title,
    text,
    children,
    confirmLabel,
    cancelLabel,
    isDestructive = true,
    onConfirm,
    onClose,
  } = props;
  const { t } = useTranslation();
  const action = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack gap="md">
        {text !== undefined && <Text>{text}</Text>}
        {children}
        <ActionError error={action.error} />
        <Group justify="flex-end" gap="xs">
          <Button data-autofocus onClick={onClose}>
            {cancelLabel ?? t('actions.cancel')}
          </Button>
          <Button
            variant="filled"
            {...(isDestructive ? { color: 'red' } : {})}
            loading={action.isPending}
            onClick={() => action.mutate()}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
