import { Alert, Drawer, NativeSelect, Stack, Text } from '@mantine/core';
import type { Rehearsal as Result, TouchpointEvent } from '@reachout/contract/event-graph.ts';
import { toConnections } from '@reachout/contract/rules/connections.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { QuietText, SubTitle } from '#web/ui/text.ts';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { useGraphWords, useSkipText } from './graph-words.ts';
import { useReactionColumns } from './reaction-list.tsx';

interface Props {
  campaignId: string;
  events: readonly TouchpointEvent[];
  onClose: () => void;
}

const spans = [1, 7, 30] as const;

/** What the events of the last days would have caused, without sending. */
export default function Rehearsal({ campaignId, events, onClose }: Props) {
  const { t } = useTranslation(['eventGraph', 'common']);
  const { api } = useOrganization();
  useFocusBack();
  const [days, setDays] = useState<number>(30);
  const query = useQuery(
    api.campaigns.rehearseGraph.queryOptions({
      input: { id: campaignId, days },
      placeholderData: keepPreviousData,
      // It reads thousands of events.
      refetchOnWindowFocus: false,
    }),
  );
  return (
    <Drawer
      opened
      onClose={onClose}
      size={960}
      title={t('rehearsal.title')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack gap="md">
        <Text>{t('rehearsal.body')}</Text>
        <NativeSelect
          w="fit-content"
          label={t('rehearsal.span')}
          value={days}
          data={spans.map((count) => ({ value: String(count), label: t('rehearsal.days', { count }) }))}
          onChange={(event) => setDays(Number(event.currentTarget.value))}
        />
        <AsyncRegion query={query} what={t('rehearsal.what')}>
          {(result) => <Shown result={result} events={events} />}
        </AsyncRegion>
      </Stack>
    </Drawer>
  );
}

function Shown({ result, events }: { result: Result; events: readonly TouchpointEvent[] }) {
  const { t } = useTranslation(['eventGraph', 'common']);
  const format = useFormat();
  const words = useGraphWords(events);
  const skipText = useSkipText();
  const rows = result.items.map((item, index) => ({ ...item, id: String(index) }));
  const { columns } = useReactionColumns(rows, ['contact', 'cause', 'reaction', 'due', 'state']);
  const connections = new Map(toConnections(events).map((one) => [one.id, one]));
  const { listeners, items, count } = result;
  if (count === 0) return <QuietText>{t('rehearsal.nothing')}</QuietText>;
  return (
    <>
      {result.is_cut && <Alert color="yellow">{t('rehearsal.cut')}</Alert>}
      <DataTable
        label={t('rehearsal.byConnection')}
        rows={listeners}
        rowKey={({ listener_id }) => listener_id}
        columns={[
          {
            header: t('edge'),
            cell: ({ listener_id: id }) => {
              const connection = connections.get(id);
              return connection ? words.nameOf(connection) : id;
            },
          },
          { header: t('words.contacts'), align: 'end', cell: (row) => format.number(row.contacts) },
          { header: t('state.sent'), align: 'end', cell: (row) => format.number(row.sent + row.done) },
          {
            header: t('state.skipped'),
            cell: ({ skipped }) => skipText(skipped) || t('common:none'),
          },
        ]}
      />
      <div>
        <SubTitle mb="xs">{t('rehearsal.first', { shown: items.length, count })}</SubTitle>
        <DataTable label={t('reactions.title')} rows={rows} columns={columns} />
      </div>
    </>
  );
}
