import { Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { QuietText } from '#web/ui/text.ts';

const shown = 5;

/** The emails that began from a template, the latest first. Nothing for users who may not see emails. */
export function EmailsOfTemplate({ templateId }: { templateId: string }) {
  const { t } = useTranslation('templates');
  const { api, orgId, can } = useOrganization();
  const { data } = useQuery(
    api.touchpoints.list.queryOptions({
      input: {
        organization_id: orgId,
        template_id: templateId,
        order: 'updated_at.desc',
        page: 0,
        page_size: shown,
      },
      enabled: can('read', 'Touchpoint'),
    }),
  );
  if (data === undefined || data.count === 0) return null;
  const more = data.count - data.items.length;
  return (
    <Paper withBorder p="md" radius="md" mt="lg">
      <Text size="sm" fw={500}>
        {t('begun', { count: data.count })}
      </Text>
      <Group gap="xs" my={4}>
        {data.items.map(({ id, name }) => (
          <LinkAnchor
            key={id}
            size="sm"
            to="/o/$orgId/touchpoints/$touchpointId"
            params={{ orgId, touchpointId: id }}
          >
            {name}
          </LinkAnchor>
        ))}
        {more > 0 && <Text size="sm">{t('words.andMore', { count: more })}</Text>}
      </Group>
      <QuietText>{t('begunHint')}</QuietText>
    </Paper>
  );
}
