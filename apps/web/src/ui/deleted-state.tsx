import { Alert, Button, Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionError } from './states.tsx';

/** What stands in place of a record that was just deleted from its own page: what happened, and the way back. */
export function DeletedState({
  text,
  onUndo,
  back,
}: {
  text: string;
  onUndo: () => Promise<unknown>;
  back: ReactNode;
}) {
  const { t } = useTranslation();
  const undo = useMutation({ mutationFn: onUndo });
  return (
    <>
      <Alert color="gray" variant="light" icon={<IconTrash size={18} stroke={1.75} />} role="status">
        <Text mb="sm">{text}</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
            {t('actions.undo')}
          </Button>
          {back}
        </Group>
      </Alert>
      <ActionError error={undo.error} />
    </>
  );
}
