import { IconTags } from '@tabler/icons-react';
import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBrand } from '#web/clients/clients/client-context.ts';
import { TopicForm } from '#web/clients/topics/topic-form.tsx';
import { TopicTable } from '#web/clients/topics/topic-table.tsx';
import { topicsQuery } from '#web/clients/topics/topics-query.ts';
import { loadBrandTexts } from '#web/i18n/i18n.ts';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { EmptyState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/o/$orgId/brands/$brandId/topics')({
  beforeLoad: loadBrandTexts,
  loader: ({ context, params }) => context.preload((scope) => [topicsQuery(scope, params.brandId)]),
  component: Topics,
});

/** What the emails of the brand are about: recipients choose by topic. */
function Topics() {
  const { t } = useTranslation('topics');
  const scope = useOrganization();
  const brand = useBrand();
  const query = useQuery(topicsQuery(scope, brand.id));
  const [isCreating, setCreating] = useState(false);
  const record = { client_id: brand.client_id, brand_id: brand.id };
  const create = (
    <CreateButton permission={['update', 'Brand']} record={record} onClick={() => setCreating(true)}>
      {t('new')}
    </CreateButton>
  );
  return (
    <>
      <AsyncRegion query={query} what={t('records.what', { records: t('words.topics') })}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              icon={IconTags}
              title={t('records.empty.title', { records: t('words.topics') })}
              text={t('empty.body')}
              actions={create}
            />
          ) : (
            <Stack gap="md">
              <Group justify="space-between" gap="xs">
                <Text c="dimmed" maw={640} flex="1 1 16rem">
                  {t('hint')}
                </Text>
                {create}
              </Group>
              <TopicTable topics={items} page={record} />
            </Stack>
          )
        }
      </AsyncRegion>
      {isCreating && <TopicForm brandId={brand.id} onClose={() => setCreating(false)} />}
    </>
  );
}
