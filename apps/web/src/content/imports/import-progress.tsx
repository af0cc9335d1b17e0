import { Alert, Button, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ContentImport } from '@reachout/contract/content.ts';
import { hasImportEnded } from '@reachout/contract/states/import.ts';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { LinkButton } from '#web/platform/links.tsx';
import { useCollectionName } from '#web/content/collections/collection-name.ts';

/** A running import with its counts, then its result and what was rejected and why. */
export function ImportProgress({ entry, onAgain }: { entry: ContentImport; onAgain: () => void }) {
  const { t } = useTranslation(['collections', 'common']);
  const format = useFormat();
  const nameOf = useCollectionName();
  const { orgId } = useOrganization();
  const percent = entry.bytes_total === 0 ? 0 : Math.min(100, (entry.bytes_done / entry.bytes_total) * 100);
  const ended = hasImportEnded(entry);
  const metrics = [
    { key: 'created', value: entry.created_count },
    { key: 'updated', value: entry.updated_count },
    { key: 'unchanged', value: entry.unchanged_count },
    { key: 'rejected', value: entry.rejected_count },
  ] as const;
  return (
    <Stack gap="md">
      <div role="status">
        <Title order={2} size="h3">
          {entry.status === 'completed'
            ? t('csv.done')
            : entry.status === 'failed'
              ? t('csv.failed')
              : entry.status === 'running'
                ? t('csv.running', { rows: format.number(entry.rows_done) })
                : t('csv.queued')}
        </Title>
        <Text c="dimmed" size="sm">
          {ended ? entry.file_name : t('csv.leaving')}
        </Text>
      </div>
      {!ended && <Progress value={percent} aria-label={t('csv.progress')} size="lg" />}
      {entry.error_content && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} stroke={1.75} />}>
          {entry.error_content}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, sm: 4 }} component="dl" m={0}>
        {metrics.map((metric) => (
          <Paper key={metric.key} withBorder p="md" radius="md">
            <Text component="dt" size="sm" c="dimmed">
              {t(`csv.${metric.key}`)}
            </Text>
            <Text component="dd" m={0} className="key-metric">
              {format.number(metric.value)}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      {entry.rejected.length > 0 && (
        <section>
          <Title order={3} mb="xs">
            {t('csv.rejectedTitle')}
          </Title>
          <PlainTable
            label={t('csv.rejectedTitle')}
            minWidth={420}
            maxHeight={360}
            rows={entry.rejected}
            rowKey={(row) => `${row.line}-${row.field}`}
            columns={[
              { header: t('csv.line'), cell: (row) => format.number(row.line) },
              { header: t('csv.fieldColumn'), cell: (row) => row.field ?? t('common:none') },
              { header: t('csv.reason'), cell: (row) => row.reason },
            ]}
          />
        </section>
      )}
      {ended && (
        <Group>
          <LinkButton to="/o/$orgId/collections/$collection" params={{ orgId, collection: entry.collection }}>
            {t('csv.see', { name: nameOf(entry.collection) })}
          </LinkButton>
          {entry.rejected_count > 0 && (
            <Button
              component="a"
              variant="default"
              leftSection={<IconDownload size={16} stroke={1.75} />}
              href={`/api/content/${orgId}/imports/${entry.id}/rejected`}
              download
            >
              {t('csv.download')}
            </Button>
          )}
          <Button variant="subtle" onClick={onAgain}>
            {t('csv.again')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
