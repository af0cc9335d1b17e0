import { Button, Popover, ScrollArea, Stack, Text } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';

/** Variables of the Liquid context besides the contact. */
const tags = [
  'brand.name',
  'brand.color',
  'brand.tint',
  'brand.logo_url',
  'brand.dark_logo_url',
  'brand.postal_address',
  'brand.imprint',
  'brand.imprint_url',
  'client.name',
  'campaign.name',
  'organization.name',
  'links.unsubscribe',
  'links.preferences',
  'links.view_in_browser',
] as const;

interface Props {
  /** Inserts a tag at the cursor. */
  onInsert: (tag: string) => void;
}

/** All contact fields and other merge tags for a template: a click inserts one. */
export function MergeTags({ onInsert }: Props) {
  const { t } = useTranslation(['templates', 'common']);
  const { api, orgId, can } = useOrganization();
  const [opened, setOpened] = useState(false);
  const fields = useQuery(
    api.content.fields.queryOptions({
      input: { organization_id: orgId, collection: 'contacts' },
      enabled: opened && can('read', 'Content'),
    }),
  );
  const ofContact = (fields.data?.data ?? []).map(({ field }) => `contact.${field}`);
  const insert = (tag: string) => {
    setOpened(false);
    onInsert(`{{ ${tag} }}`);
  };
  return (
    <Popover width={300} position="bottom-start" shadow="md" trapFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconBraces size={16} stroke={1.75} />}
          onClick={() => setOpened((open) => !open)}
        >
          {t('mergeTags')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" c="dimmed" mb="xs">
          {t('mergeTagsHint')}
        </Text>
        <ScrollArea.Autosize mah={360} type="auto">
          <Stack gap={4}>
            {[...ofContact, ...tags].map((tag) => (
              <Button
                key={tag}
                size="compact-sm"
                variant="subtle"
                fullWidth
                justify="flex-start"
                ff="monospace"
                onClick={() => insert(tag)}
              >
                {tag}
              </Button>
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
