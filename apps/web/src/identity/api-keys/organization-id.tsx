import { Anchor, Code, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';

/** The id that API clients need for each request, in addition to the key. */
export function OrganizationId() {
  const { t } = useTranslation(['settings', 'common']);
  const { orgId } = useOrganization();
  return (
    <Group gap="xs" mb="md">
      <Text size="sm">
        {t('keys.organizationId')} <Code className="break">{orgId}</Code>
      </Text>
      <CopyTextButton size="compact-sm" text={orgId} label={t('words.copyId')} />
      <Anchor href="/api/docs" size="sm">
        {t('words.apiReference')}
      </Anchor>
    </Group>
  );
}
