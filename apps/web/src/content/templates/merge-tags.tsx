import { Button, CopyButton, Group, Popover, Text } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** What the Liquid context holds. */
const tags = [
  '{{ contact.first_name }}',
  '{{ contact.last_name }}',
  '{{ contact.email }}',
  '{{ brand.name }}',
  '{{ brand.color }}',
  '{{ brand.logo_url }}',
  '{{ brand.dark_logo_url }}',
  '{{ brand.postal_address }}',
  '{{ brand.imprint }}',
  '{{ brand.imprint_url }}',
  '{{ client.name }}',
  '{{ campaign.name }}',
  '{{ organization.name }}',
  '{{ links.unsubscribe }}',
  '{{ links.preferences }}',
  '{{ links.view_in_browser }}',
] as const;

export function MergeTags() {
  const { t } = useTranslation(['templates', 'common']);
  return (
    <Popover width={300} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconBraces size={16} stroke={1.75} />}>
          {t('mergeTags')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" c="dimmed" mb="xs">
          {t('mergeTagsHint')}
        </Text>
        <Group gap={4}>
          {tags.map((tag) => (
            <CopyButton key={tag} value={tag}>
              {({ copied, copy }) => (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  fullWidth
                  justify="space-between"
                  ff="monospace"
                  onClick={copy}
                  rightSection={copied ? t('common:actions.copied') : null}
                >
                  {tag}
                </Button>
              )}
            </CopyButton>
          ))}
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
