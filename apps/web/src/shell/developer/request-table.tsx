import { Table, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { traffic } from '#web/platform/traffic.ts';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';

/** The latest requests, with the ids under which the server logs them. */
export function RequestTable() {
  const { t } = useTranslation(['developer', 'common']);
  const format = useFormat();
  const requests = useSyncExternalStore(watch, () => traffic.requests);
  if (requests.length === 0) return <Text c="dimmed">{t('noRequests')}</Text>;
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('words.request')}</Table.Th>
          <Table.Th>{t('words.status')}</Table.Th>
          <Table.Th>{t('words.code')}</Table.Th>
          <Table.Th ta="end">{t('duration')}</Table.Th>
          <Table.Th>{t('at')}</Table.Th>
          <Table.Th>{t('id')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {requests.map(({ method, path, at, status, code, ms, id }, index) => (
          <Table.Tr key={requests.length - index}>
            <Table.Td>
              {method} {withoutTokens(path)}
            </Table.Td>
            <Table.Td>{status ?? '…'}</Table.Td>
            <Table.Td>{code ?? t('common:none')}</Table.Td>
            <Table.Td ta="end">{ms === undefined ? '…' : `${format.number(ms)} ms`}</Table.Td>
            <Table.Td>{format.time(new Date(at))}</Table.Td>
            <Table.Td>
              {id ? (
                <CopyTextButton size="compact-xs" text={id} label={t('words.copyId')} />
              ) : (
                t('common:none')
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Leaves out what may be a token: long parts that are neither words nor ids. */
const withoutTokens = (path: string): string =>
  path.replaceAll(/[^/]{20,}/g, (part) => (/^[a-z_]+$|^[0-9a-f-]{36}$/.test(part) ? part : '…'));

/** There is one panel. */
function watch(onChange: () => void): () => void {
  traffic.onChange = onChange;
  return () => delete traffic.onChange;
}
