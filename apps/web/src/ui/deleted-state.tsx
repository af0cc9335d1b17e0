import { Alert, Button, Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { LinkButton, type LinkValue } from '#web/platform/links.tsx';
import { ActionError } from './states.tsx';

interface Props {
  text: string;
  onUndo: () => Promise<unknown>;
  /** Link to the page to continue with. */
  back: LinkValue;
}

/** Replaces a record that was just deleted on its own page: says what happened and offers to undo it. */
export function DeletedState({ text, onUndo, back }: Props) {
  const { t } = useTranslation();
  const { label, ...link } = back;
  const undo = useMutation({ mutationFn: onUndo });
  return (
    <>
      <Alert color="gray" icon={<IconTrash size={18} />} role="status">
        <Text mb="sm">{text}</Text>
        <Group gap="xs">
          <Button size="xs" loading={undo.isPending} onClick={() => undo.mutate()}>
            {t('actions.undo')}
          </Button>
          <LinkButton size="xs" variant="subtle" {...link}>
            {label}
          </LinkButton>
        </Group>
      </Alert>
      <ActionError error={undo.error} />
    </>
  );
}
