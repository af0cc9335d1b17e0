import { UnstyledButton } from '@mantine/core';
import { recordLists } from '@reachout/contract/record-lists.ts';
import type { Transport, Transports } from '@reachout/contract/transports.ts';
import { IconSend } from '@tabler/icons-react';
import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { Nothing, timeColumn } from '#web/identity/lists/columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useFormat } from '#web/i18n/format.ts';
import { notifyOf } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { FinePrint } from '#web/ui/text.ts';
import { TestForm } from './test-form.tsx';
import { TransportForm } from './transport-form.tsx';

/** The transports of the organization, with their state and what the provider allows. */
export function TransportList({ query }: { query: UseQueryResult<Transports> }) {
  const { t } = useTranslation('transports');
  const { api, orgId } = useOrganization();
  const [open, setOpen] = useState<Transport>();
  const check = useMutation(api.transports.check.mutationOptions(notifyOf(t('check.done'))));
  const checked = check.isPending ? check.variables.transport_id : undefined;
  return (
    <>
      <ActionError error={check.error} />
      <RecordList
        records={recordLists.transports}
        query={query}
        header={false}
        texts="transports"
        icon={IconSend}
        columns={useColumns(setOpen, checked)}
        nameOf={({ name }) => name}
        shown={{
          edit: { run: setOpen },
          check: {
            label: t('check.action'),
            isOff: () => check.isPending,
            run: ({ id }) => check.mutate({ id: orgId, transport_id: id }),
          },
          test: {
            label: t('test.action'),
            open: (transport, close) => <TestForm transport={transport} onClose={close} />,
          },
          delete: { later: t('inUse'), done: t('deleted') },
        }}
      />
      {open && query.data && (
        <TransportForm transports={query.data} transport={open} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

/** @param checked  the id of the transport that is being checked */
function useColumns(
  onOpen: (transport: Transport) => void,
  checked: string | undefined,
): ListColumn<Transport>[] {
  const { t } = useTranslation('transports');
  return [
    {
      name: 'name',
      header: t('form.name'),
      cell: (transport) => (
        <UnstyledButton className="row-button break" onClick={() => onOpen(transport)}>
          {transport.name}
        </UnstyledButton>
      ),
    },
    {
      name: 'kind',
      header: t('words.kind'),
      cell: ({ settings }) => (
        <>
          {t(`kind.${settings.kind}`)}
          {settings.kind !== 'elastic_email' && (
            <FinePrint className="break">
              {settings.kind === 'smtp' ? settings.host : settings.region}
            </FinePrint>
          )}
        </>
      ),
    },
    {
      name: 'status',
      header: t('words.status'),
      cell: ({ id, error_content }) => {
        if (id === checked) return <StatusBadge status="running" label={t('check.running')} />;
        if (error_content === null) return <StatusBadge status="active" label={t('works')} />;
        return (
          <>
            <StatusBadge status="failed" label={t('failing')} />
            <FinePrint className="break">{error_content}</FinePrint>
          </>
        );
      },
    },
    {
      name: 'limits',
      header: t('limits.title'),
      cell: ({ limits }) => <Limits limits={limits} />,
    },
    { name: 'users', header: t('users'), cell: (transport) => <Users transport={transport} /> },
    timeColumn('checked', t('check.last'), ({ checked_at }) => checked_at, { hide: 1 }),
  ];
}

/** What the provider allows; mail servers say nothing of it. */
function Limits({ limits: { per_second, per_day, left_today } }: Pick<Transport, 'limits'>) {
  const { t } = useTranslation('transports');
  const format = useFormat();
  if (per_second === null && per_day === null) return <Nothing />;
  return (
    <>
      {per_second !== null && <div>{t('limits.second', { number: format.number(per_second) })}</div>}
      {per_day !== null && (
        <div>
          {t('limits.day', { left: format.number(left_today ?? per_day), limit: format.number(per_day) })}
        </div>
      )}
    </>
  );
}

/** Brands that one row names. */
const shown = 3;

function Users({ transport: { is_default, brands } }: { transport: Transport }) {
  const { t } = useTranslation('transports');
  const rest = brands.length - shown;
  const names = [
    ...(is_default ? [t('words.organization')] : []),
    ...brands.slice(0, shown).map(({ name }) => name),
    ...(rest > 0 ? [t('words.andMore', { count: rest })] : []),
  ];
  return names.length === 0 ? <Nothing /> : <span className="break">{names.join(', ')}</span>;
}
