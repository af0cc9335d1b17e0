import { Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';

interface Row {
  link_no: number;
  url: string;
  unique: number;
  total: number;
}

export function LinkTable({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  return (
    <section>
      <Title order={2} size="h3" mb="sm">
        {t('links.title')}
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('links.none')}</Text>
      ) : (
        <Table.ScrollContainer minWidth={300} tabIndex={0} aria-label={t('links.title')}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('links.url')}</Table.Th>
                <Table.Th ta="right">{t('links.unique')}</Table.Th>
                <Table.Th ta="right">{t('links.total')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.link_no}>
                  <Table.Th scope="row" fw={400} className="break">
                    {row.url}
                  </Table.Th>
                  <Table.Td ta="right">{format.number(row.unique)}</Table.Td>
                  <Table.Td ta="right">{format.number(row.total)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  );
}
