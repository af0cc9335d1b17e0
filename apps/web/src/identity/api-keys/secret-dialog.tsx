import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

interface Props {
  title: string;
  hint: string;
  copyLabel: string;
  secret: string;
  onStored: () => void;
}

/** Shows a secret once. Only closes through the button that confirms that it was stored. */
export function SecretDialog({ title, hint, copyLabel, secret, onStored }: Props) {
  const { t } = useTranslation('settings');
  return (
    <Dialog
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={title}
    >
      <Stack gap="md">
        <Text>{hint}</Text>
        <Code block className="break">
          {secret}
        </Code>
        <Group justify="flex-end" gap="xs">
          <CopyTextButton data-autofocus text={secret} label={copyLabel} />
          <Button variant="filled" onClick={onStored}>
            {t('words.done')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
