import type { Send } from '@reachout/contract/sends.ts';
import { IconSend } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { checked, readListSearch } from '#web/platform/list-search.ts';
import { SendProgressBar } from '#web/delivery/sends/send-progress-bar.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { FirstUse } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/sends/')({
  validateSearch: checked((raw) => readListSearch(raw, [])),
  component: Sends,
});

const pageSize = 10;

function Sends() {
  const { t } = useTranslation(['sends', 'common']);
  const format = useFormat();
  const { api, orgId, mayEver } = useOrganization();
  const { touchpointId } = Route.useParams();
  const { page = 1 } = Route.useSearch();
  const navigate = Route.useNavigate();
  const query = useQuery(
    api.sends.listOfTouchpoint.queryOptions({
      input: { id: touchpointId, page: page - 1, page_size: pageSize },
      placeholderData: keepPreviousData,
    }),
  );
  const columns: Column<Send>[] = [
    {
      key: 'date',
      header: t('started'),
      cell: (send) => (
        <LinkAnchor
          to="/o/$orgId/touchpoints/$touchpointId/sends/$sendId"
          params={{ orgId, touchpointId, sendId: send.id }}
        >
          {format.dateTime(send.send_date)}
        </LinkAnchor>
      ),
    },
    {
      key: 'status',
      header: t('common:filter.status'),
      cell: (send) => <StatusBadge status={send.status} />,
    },
    {
      key: 'progress',
      header: t('progressColumn'),
      width: 200,
      cell: (send) => <SendProgressBar send={send} compact />,
    },
    {
      key: 'sent',
      header: t('sent'),
      align: 'end',
      cell: (send) => format.number(send.recipients_total_sent_count),
    },
    {
      key: 'total',
      header: t('recipients'),
      align: 'end',
      cell: (send) => format.number(send.recipients_total_count),
    },
  ];
  return (
    <AsyncRegion query={query} what={t('what')}>
      {({ items, count }) =>
        count === 0 ? (
          <FirstUse
            icon={<IconSend size={28} stroke={1.75} />}
            title={t('empty.title')}
            actions={
              mayEver('send', 'Touchpoint') && (
                <LinkButton
                  to="/o/$orgId/touchpoints/$touchpointId/schedule"
                  params={{ orgId, touchpointId }}
                >
                  {t('empty.action')}
                </LinkButton>
              )
            }
          >
            {t('empty.body')}
          </FirstUse>
        ) : (
          <>
            <DataTable label={t('title')} columns={columns} rows={items} rowKey={(send) => send.id} />
            <Pager
              page={page}
              pageSize={pageSize}
              total={count}
              onPage={(next) => void navigate({ search: { page: next } })}
            />
          </>
        )
      }
    </AsyncRegion>
  );
}
