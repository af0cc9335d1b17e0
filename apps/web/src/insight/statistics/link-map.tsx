import { Text, Title } from '@mantine/core';
import type { LinkClicks, LinkMap as Drawn } from '@reachout/contract/statistics.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { emailPolicy } from '#web/ui/mail-document.ts';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { linkMapDocument, type LinkMark } from './link-map-document.ts';
import { toLinkRows, weightOf, type LinkRow } from './link-shares.ts';
import { RecipientsLink, type CountedSend } from './recipients-link.tsx';
import { StackedTable } from './stacked-table.tsx';
import classes from './link-map.module.css';

interface Props {
  /** The table does not wait for it. */
  map: UseQueryResult<{ data: Drawn }>;
  links: readonly LinkClicks[];
  send: CountedSend | undefined;
}

/** The email with the share of clicks on each link, and the same data as a table. */
export function LinkMap({ map: { data, isPending }, links, send }: Props) {
  const { t } = useTranslation('statistics');
  const rows = useMemo(() => toLinkRows(links), [links]);
  const map = data?.data;
  const picture = map?.html;
  return (
    <section aria-label={t('links.title')}>
      <Title order={2} size="h3">
        {t('links.title')}
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('links.none')}</Text>
      ) : (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {t('links.hint')}
          </Text>
          <div className={classes.columns} data-single={(!picture && !isPending) || undefined}>
            {isPending && <PanelSkeleton height={520} />}
            {map && picture && <Picture html={picture} addresses={map.links} rows={rows} />}
            <LinkTable rows={rows} send={send} />
          </div>
        </>
      )}
    </section>
  );
}

interface PictureProps {
  html: string;
  /** Link destinations of the email shown, by number; another send may have had other links. */
  addresses: readonly string[];
  rows: readonly LinkRow[];
}

function Picture({ html, addresses, rows }: PictureProps) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const frame = useRef<HTMLIFrameElement>(null);
  const marks = new Map<number, LinkMark>(
    rows
      .filter(({ link_no, url }) => addresses[link_no] === url)
      .map((row) => [
        row.link_no,
        { label: `${format.number(row.number)} · ${format.percent(row.share)}`, weight: weightOf(row, rows) },
      ]),
  );
  const shown = linkMapDocument(html, marks);
  // React would turn the checked value into a string again.
  useLayoutEffect(() => {
    if (frame.current) frame.current.srcdoc = emailPolicy.createHTML(shown);
  }, [shown]);
  return <iframe ref={frame} title={t('links.picture')} sandbox="" className={classes.frame} />;
}

function LinkTable({ rows, send }: { rows: readonly LinkRow[] } & Pick<Props, 'send'>) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const link = ({ number, url }: LinkRow) => (
    <span className={classes.link}>
      <span className={classes.number}>{format.number(number)}</span>
      <span>{url}</span>
    </span>
  );
  return (
    <StackedTable
      label={t('links.table')}
      maxHeight={520}
      rows={rows}
      rowKey={({ link_no, url }) => `${link_no} ${url}`}
      columns={[
        { header: t('links.url'), cell: link },
        { header: t('links.share'), align: 'end', cell: (row) => format.percent(row.share) },
        {
          header: t('links.unique'),
          align: 'end',
          cell: ({ link_no, unique }) => (
            <RecipientsLink send={send} search={{ link: link_no }}>
              {format.number(unique)}
            </RecipientsLink>
          ),
        },
        { header: t('links.total'), align: 'end', cell: (row) => format.number(row.total) },
        { header: t('links.bots'), align: 'end', cell: (row) => format.number(row.bots) },
      ]}
    />
  );
}
