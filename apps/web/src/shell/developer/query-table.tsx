import { Button, Group, Table } from '@mantine/core';
import { useQueryClient, type Query } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';
import { useNow } from '#web/ui/use-now.ts';

const shownQueries = 100;
const keyLength = 160;

/** The queries of the page, those in use first, as of this second. */
export function QueryTable() {
  const { t } = useTranslation(['developer', 'common']);
  const format = useFormat();
  const queryClient = useQueryClient();
  const now = useNow(true);
  const queries = queryClient.getQueryCache().getAll().toSorted(byUse).slice(0, shownQueries);
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('key')}</Table.Th>
          <Table.Th>{t('status')}</Table.Th>
          <Table.Th ta="end">{t('age')}</Table.Th>
          <Table.Th ta="end">{t('observers')}</Table.Th>
          <Table.Th />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {queries.map(({ queryHash, queryKey, state }, index) => (
          <Table.Tr key={queryHash}>
            <Table.Td>{queryHash.slice(0, keyLength)}</Table.Td>
            <Table.Td>
              {state.status}, {state.fetchStatus}
            </Table.Td>
            <Table.Td ta="end">
              {state.dataUpdatedAt === 0
                ? t('common:none')
                : `${format.number(Math.max(0, Math.round((now - state.dataUpdatedAt) / 1_000)))} s`}
            </Table.Td>
            <Table.Td ta="end">{queries[index]?.getObserversCount()}</Table.Td>
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => void queryClient.invalidateQueries({ queryKey, exact: true })}
                >
                  {t('invalidate')}
                </Button>
                <CopyTextButton size="compact-xs" text={queryHash} label={t('copyKey')} />
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const byUse = (one: Query, other: Query): number =>
  other.getObserversCount() - one.getObserversCount() || other.state.dataUpdatedAt - one.state.dataUpdatedAt;
