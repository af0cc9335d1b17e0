import { Table, Text, Title } from '@mantine/core';
import type { EventType } from '@reachout/contract/statuses.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';

interface Row {
  id: string;
  type: EventType;
  at: string;
  address: string;
  url: string | null;
  is_bot: boolean;
}

export function EventList({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  return (
    <section>
      <Title order={2} size="h3" mb="sm">
        {t('events.title')}
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('events.none')}</Text>
      ) : (
        <Table.ScrollContainer minWidth={300} tabIndex={0} aria-label={t('events.title')}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('events.type')}</Table.Th>
                <Table.Th>{t('events.address')}</Table.Th>
                <Table.Th ta="right">{t('events.at')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.id}>
                  <Table.Td>
                    {t(`events.${row.type}`)}
                    {row.is_bot && <span className="beside">{t('events.bot')}</span>}
                  </Table.Td>
                  <Table.Td className="break">{row.address}</Table.Td>
                  <Table.Td ta="right">{format.relative(row.at)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  );
}
