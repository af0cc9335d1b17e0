import { Button, Code, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';

/** Shows new recovery codes; they cannot be shown again. */
export function SavedCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation(['account', 'common']);
  const text = codes.join('\n');
  const download = () => {
    const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'reachout-recovery-codes.txt';
    link.click();
    URL.revokeObjectURL(url);
  };
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
          <Button variant="default" leftSection={<IconDownload size={16} stroke={1.75} />} onClick={download}>
            {t('security.download')}
          </Button>
        </Group>
        <Group justify="flex-end">
          <Button data-autofocus onClick={onClose}>
            {t('security.codesSaved')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
