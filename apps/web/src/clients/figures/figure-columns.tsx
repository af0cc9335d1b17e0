import { VisuallyHidden } from '@mantine/core';
import type { Figures } from '@reachout/contract/figures.ts';
import { isReaction, readableFigures } from '@reachout/contract/rules/figure-columns.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { StatusMark } from '#web/ui/status-badge.tsx';

/**
 * Columns with the results of each record's emails: recipients, delivered, opens, clicks, and the last send's outcome, time
 * and user. Columns that the user cannot read are omitted, as they cannot be sorted by either.
 * @param figuresOf  null if the record has nothing that can be sent
 */
export function useFigureColumns<Row>(figuresOf: (row: Row) => Figures | null): ListColumn<Row>[] {
  const { t } = useTranslation('lists');
  const format = useFormat();
  const readable = readableFigures(useOrganization().readScopeOf);
  if (readable.length === 0) return [];
  const count = (row: Row, valueOf: (figures: Figures) => number | null) => {
    const figures = figuresOf(row);
    const value = figures?.recipients ? valueOf(figures) : null;
    return value === null ? <Nothing /> : format.number(value);
  };
  return [
    {
      name: 'recipients',
      header: t('figures.recipients'),
      ...byFigure('recipients'),
      cell: (row) => count(row, ({ recipients }) => recipients),
    },
    {
      name: 'delivered',
      header: t('figures.delivered'),
      ...byFigure('delivered'),
      cell: (row) => count(row, ({ delivered }) => delivered),
    },
    ...readable.filter(isReaction).map((name) => ({
      name,
      header: t(`figures.${name}`),
      ...byFigure(name),
      cell: (row: Row) => {
        const { delivered = 0, [name]: value = null } = figuresOf(row) ?? {};
        return (
          <>
            {count(row, (figures) => figures[name])}
            {value !== null && delivered > 0 && (
              <span className="share" data-extra>
                {format.percent(value / delivered)}
              </span>
            )}
          </>
        );
      },
    })),
    {
      name: 'sent_at',
      header: t('figures.lastSend'),
      sort: 'sent_at',
      isDescendingFirst: true,
      cell: (row) => <LastSend figures={figuresOf(row)} />,
    },
    {
      name: 'sent_by',
      header: t('figures.sentBy'),
      isExtra: true,
      cell: (row) => {
        const by = figuresOf(row)?.last_send?.by ?? null;
        return by === null ? (
          <Nothing />
        ) : (
          <span className="cut-line" title={by} style={{ maxWidth: 84 }}>
            {by}
          </span>
        );
      },
    },
  ];
}

const byFigure = (sort: string) => ({ sort, align: 'end', isDescendingFirst: true }) as const;

/** Outcome of the last send as an icon, and how long ago it started. */
function LastSend({ figures }: { figures: Figures | null }) {
  const { t } = useTranslation(['lists', 'common']);
  const format = useFormat();
  if (!figures?.last_send) return <Nothing />;
  const { outcome, at, by } = figures.last_send;
  const status = t(`common:status.${outcome}`);
  const title = [status, format.dateTime(at), by].filter(Boolean).join(' · ');
  return (
    <time dateTime={at} title={title} className="last-send">
      <StatusMark status={outcome} />
      <VisuallyHidden>{status}, </VisuallyHidden>
      {format.relative(at)}
    </time>
  );
}

function Nothing() {
  const { t } = useTranslation();
  return <span className="nothing">{t('none')}</span>;
}
