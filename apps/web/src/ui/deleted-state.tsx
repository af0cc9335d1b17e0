import { Alert, Button, Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionError } from './states.tsx';

/** What stands in place of a record that was just deleted from its own page: what happened, and the way back. */
export function DeletedState({
  text,
  onUndo,
  back,
}: {
  text: string;
  onUndo: () => Promise<void>;
  back: ReactNode;
}) {
  const { t } = useTranslation();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const undo = async () => {
    setPending(true);
    try {
      await onUndo();
    } catch (caught) {
      setError(caught);
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <Alert color="gray" variant="light" icon={<IconTrash size={18} stroke={1.75} />} role="status">
        <Text mb="sm">{text}</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" loading={pending} onClick={() => void undo()}>
            {t('actions.undo')}
          </Button>
          {back}
        </Group>
      </Alert>
      <ActionError error={error} />
    </>
  );
}
