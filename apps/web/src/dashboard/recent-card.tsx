import { Group, Paper, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkAnchor, type LinkValue } from '#web/platform/links.tsx';
import { BrandMark, type MarkedBrand } from '#web/clients/brands/brand-mark.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { openRow } from '#web/ui/open-row.ts';
import { MarkedRowsSkeleton } from '#web/ui/skeletons.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { FinePrint, SectionTitle } from '#web/ui/text.ts';
import classes from './recent-card.module.css';

interface Row {
  brand: MarkedBrand;
  link: LinkValue;
  note: ReactNode;
  status: string;
  notDelivered?: number;
  /** Shown before the logo. */
  picture?: ReactNode;
  /** Shown between text and status. */
  figures?: ReactNode;
}

interface Props<T> {
  title: string;
  query: UseQueryResult<T[]>;
  empty: string;
  /** Link to the whole list. */
  all?: LinkValue;
  row: (entry: T) => Row;
}

/** One card of the dashboard, with its own loading, error and empty state. */
export function RecentCard<T extends { id: string }>({ title, query, empty, all, row }: Props<T>) {
  const { t } = useTranslation('dashboard');
  return (
    <Paper withBorder radius="md" component="section" aria-label={title}>
      <Group justify="space-between" px="md" pt="md" pb="xs">
        <SectionTitle>{title}</SectionTitle>
        {all && (
          <LinkAnchor size="sm" to={all.to} params={all.params} aria-label={`${t('all')}: ${all.label}`}>
            {t('all')}
          </LinkAnchor>
        )}
      </Group>
      <AsyncRegion query={query} what={title} skeleton={<MarkedRowsSkeleton rows={5} />}>
        {(entries) =>
          entries.length === 0 ? (
            <Text c="dimmed" px="md" pb="md">
              {empty}
            </Text>
          ) : (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the links in it are for the keyboard
            <ul className={classes.rows} onClick={openRow} onAuxClick={openRow}>
              {entries.map((entry) => (
                <li key={entry.id} className={classes.row}>
                  <RecentRow {...row(entry)} />
                </li>
              ))}
            </ul>
          )
        }
      </AsyncRegion>
    </Paper>
  );
}

function RecentRow({
  brand,
  link: { label, ...address },
  note,
  status,
  notDelivered,
  picture,
  figures,
}: Row) {
  return (
    <>
      {picture && <span className={classes.picture}>{picture}</span>}
      <BrandMark brand={brand} />
      <div className={classes.words}>
        <LinkAnchor {...address} fw={500} data-row-link>
          {label}
        </LinkAnchor>
        <FinePrint>{note}</FinePrint>
      </div>
      {figures}
      <span className={figures ? classes.status : undefined}>
        <StatusBadge status={status} notDelivered={notDelivered} />
      </span>
    </>
  );
}
