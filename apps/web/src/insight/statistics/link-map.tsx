import { useFormat } from '#web/i18n/format.ts';
import { emailPolicy, mailDocument } from '#web/ui/mail-document.ts';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { QuietText, SectionTitle } from '#web/ui/text.ts';
import { Text } from '@mantine/core';
import { linkNoOfMarker } from '@reachout/contract/rules/link-marker.ts';
import type { LinkClicks, LinkMap as Drawn } from '@reachout/contract/statistics.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './link-map.module.css';
import { type LinkRow, toLinkRows, weightOf } from './link-shares.ts';
import { type CountedSend, RecipientsLink } from './recipients-link.tsx';
import { StackedTable } from './stacked-table.tsx';

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
      <SectionTitle>{t('links.title')}</SectionTitle>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('links.none')}</Text>
      ) : (
        <>
          <QuietText mb="sm">{t('links.hint')}</QuietText>
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
        { header: t('words.link'), cell: link },
        { header: t('words.share'), align: 'end', cell: (row) => format.percent(row.share) },
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

export interface LinkMark {
  /** Label beside the link: its number in the table, and its share of the clicks. */
  label: string;
  /** How strongly the link is highlighted. */
  weight: 'most' | 'some' | 'none';
}

/** The email with a mark on each link in `marks`; otherwise like any email preview. */
export const linkMapDocument = (html: string, marks: ReadonlyMap<number, LinkMark>): string =>
  mailDocument(html, (shown) => {
    for (const link of shown.querySelectorAll('a[href]')) {
      const mark = marks.get(linkNoOfMarker(link.getAttribute('href') ?? '') ?? -1);
      if (mark === undefined) continue;
      link.setAttribute('data-clicks', mark.weight);
      // The mark covers the corner of a button or an image; in text it follows the words, which it would cover.
      if (link.querySelector('img') !== null || /block/.test(link.getAttribute('style') ?? ''))
        link.setAttribute('data-corner', '');
      const label = shown.createElement('span');
      label.setAttribute('data-share', '');
      label.textContent = mark.label;
      link.append(label);
    }
  }) + style;

/** Emails have a white background in both themes, so these colors are the same. */
const style = `<style>
  a[data-clicks] { position: relative !important; outline: 2px solid #9aa4b2 !important; outline-offset: 2px !important; }
  a[data-clicks=some], a[data-clicks=most] { outline-color: #006ec6 !important; }
  [data-share] { all: initial; display: inline-block; margin-inline-start: 4px; padding: 0 6px; border-radius: 8px;
    font: 600 11px/16px system-ui, sans-serif; white-space: nowrap; box-shadow: 0 0 0 1px #fff;
    color: #3b4350; background: #e3e7ec; }
  [data-corner] > [data-share] { position: absolute; z-index: 1; top: -12px; right: -8px; }
  [data-clicks=some] > [data-share] { color: #013463; background: #c5dffe; }
  [data-clicks=most] > [data-share] { color: #fff; background: #025aa3; }
</style>`;
