import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';

interface Props {
  names: readonly string[];
  closeLabel: string;
  onClose: () => void;
}

/** After inviting, lists who was not invited because they are already members. */
export function AlreadyMembers({ names, closeLabel, onClose }: Props) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  return (
    <Stack gap="md">
      <Alert
        color="marine"
        role="status"
        icon={<IconInfoCircle size={18} />}
        title={t('invitations.knownTitle')}
      >
        {t('invitations.known', { count: names.length, people: format.list(names) })}
      </Alert>
      <Group justify="flex-end">
        <Button variant="filled" data-autofocus onClick={onClose}>
          {closeLabel}
        </Button>
      </Group>
    </Stack>
  );
}
