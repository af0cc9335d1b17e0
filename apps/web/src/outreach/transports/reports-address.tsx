import { Code, Group, Stack, Text } from '@mantine/core';
import type { Transport } from '@reachout/contract/transports.ts';
import { useTranslation } from 'react-i18next';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';
import { QuietText } from '#web/ui/text.ts';

/** Where the provider reports what became of messages; nothing for mail servers, which return messages. */
export function ReportsAddress({ transport: { settings, events_url } }: { transport: Transport }) {
  const { t } = useTranslation('transports');
  if (events_url === null || settings.kind === 'smtp') return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {t('reports.label')}
      </Text>
      <QuietText>{t(`reports.${settings.kind}`)}</QuietText>
      <Group gap="xs">
        <Code className="break">{events_url}</Code>
        <CopyTextButton size="compact-sm" text={events_url} label={t('reports.copy')} />
      </Group>
    </Stack>
  );
}
