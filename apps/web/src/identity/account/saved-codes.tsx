import { Button, Code, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '#web/platform/save-file.ts';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';

/** Shows new recovery codes; they cannot be shown again. */
export function SavedCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation(['account', 'common']);
  const text = codes.join('\n');
  const download = () => saveFile('reachout-recovery-codes.txt', `${text}\n`, 'text/plain');
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('security.codesTitle')}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        <Text>{t('security.codesBody')}</Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          {codes.map((code) => (
            <Code key={code}>{code}</Code>
          ))}
        </SimpleGrid>
        <Group gap="xs">
          <CopyTextButton text={text} label={t('security.copyCodes')} />
          <Button leftSection={<IconDownload size={16} />} onClick={download}>
            {t('words.download')}
          </Button>
        </Group>
        <Group justify="flex-end">
          <Button variant="filled" data-autofocus onClick={onClose}>
            {t('security.codesSaved')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
