import { Anchor, Button, Code, CopyButton, Group, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';

/** What every call of a program needs beside its key. */
export function OrganizationId() {
  const { t } = useTranslation(['settings', 'common']);
  const { orgId } = useOrganization();
  return (
    <Group gap="xs" mb="md">
      <Text size="sm">
        {t('keys.organizationId')} <Code className="break">{orgId}</Code>
      </Text>
      <CopyButton value={orgId}>
        {({ copied, copy }) => (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconCopy size={14} stroke={1.75} />}
            onClick={copy}
          >
            {copied ? t('common:actions.copied') : t('keys.copyId')}
          </Button>
        )}
      </CopyButton>
      <Anchor href="/api/docs" size="sm">
        {t('keys.docs')}
      </Anchor>
    </Group>
  );
}
