import { VisuallyHidden } from '@mantine/core';
import type { Figures } from '@reachout/contract/figures.ts';
import { measuredOf } from '@reachout/contract/rules/measured.ts';
import { isReaction, readableFigures } from '@reachout/contract/rules/figure-columns.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { Nothing } from '#web/identity/lists/columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { StatusMark, useStatusText } from '#web/ui/status-badge.tsx';

/**
 * Columns with the results of each record's emails: recipients, delivered, opened, clicked, converted, and the last send's outcome, time
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
      hide: 3,
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
      ...(name === 'opened' ? { hide: 5 } : name === 'converted' ? { hide: 2 } : {}),
      cell: (row: Row) => {
        const figures = figuresOf(row);
        // Without emails, those of its websites.
        if (name === 'converted' && figures !== null && !figures.recipients && figures.conversions)
          return (
            <>
              {format.number(figures.conversions)}
              <span className="share">{t('figures.conversions')}</span>
            </>
          );
        const value = figures?.[name] ?? null;
        const measured = figures === null ? 0 : measuredOf(figures);
        return (
          <>
            {measured === 0 && figures?.delivered ? <Nothing /> : count(row, (of) => of[name])}
            {value !== null && measured > 0 && (
              <span className="share" data-hide={4}>
                {format.rate(value / measured)}
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
      hide: 1,
      cell: (row) => {
        const by = figuresOf(row)?.last_send?.by ?? null;
        return by === null ? (
          <Nothing />
        ) : (
          <span className="cut-line" title={by} data-short>
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
  const { t } = useTranslation('lists');
  const format = useFormat();
  const statusText = useStatusText();
  if (!figures?.last_send) return <Nothing />;
  const { outcome, not_delivered, at, by } = figures.last_send;
  // A send that waits for its start is the next one.
  const status = outcome === 'queued' ? t('figures.nextSend') : statusText(outcome, not_delivered);
  const title = [status, format.dateTime(at), by].filter(Boolean).join(' · ');
  return (
    <time dateTime={at} title={title} className="last-send">
      <StatusMark status={outcome} />
      <VisuallyHidden>{status}, </VisuallyHidden>
      {format.relative(at)}
    </time>
  );
}
