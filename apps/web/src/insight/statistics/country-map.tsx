import { Button, Group, Skeleton, Table } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { countryNames } from '#web/identity/contact-details/country-name.ts';
import { useFormat } from '#web/i18n/format.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import { QuietText, SectionTitle } from '#web/ui/text.ts';
import { useInView } from '#web/ui/use-in-view.ts';
import type { CountryCount } from './country-classes.ts';
import classes from './country-map.module.css';

const WorldMap = lazy(() => loadChunk(() => import('./world-map.tsx')));

interface Props {
  title: string;
  /** Says what is counted, and how. */
  hint: string;
  /** In any order; one row for each country, and one for those that are not known. */
  rows: readonly CountryCount[];
  /** Shown instead of map and table if there are no rows. */
  none: string;
  /** The header of the counts: "Clicked". */
  counted: string;
  /** A count in words: "12 page views". */
  unit: (count: number) => string;
  /** Beside the title, such as the link to the table as a file. */
  controls?: ReactNode;
}

const shownAtFirst = 10;

/** Counts by country: a map, loaded when it comes into view, and the same counts as a table. */
export function CountryMap({ title, hint, rows, none, counted, unit, controls }: Props) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const [ref, isInView] = useInView();
  const [isNeeded, setNeeded] = useState(false);
  const [active, setActive] = useState<string>();
  const [isWhole, setWhole] = useState(false);
  if (isInView && !isNeeded) setNeeded(true);
  const nameOf = countryNames(format.locale);
  const sorted = rows
    .filter(({ count }) => count > 0)
    .toSorted(
      (one, other) =>
        Number(one.country === null) - Number(other.country === null) || other.count - one.count,
    );
  const sum = sorted.reduce((all, { count }) => all + count, 0);
  const shown = isWhole || sorted.length <= shownAtFirst + 1 ? sorted : sorted.slice(0, shownAtFirst);
  return (
    <section aria-label={title}>
      <Group justify="space-between" align="flex-start" mb="sm">
        <div>
          <SectionTitle>{title}</SectionTitle>
          <QuietText>{sorted.length === 0 ? none : hint}</QuietText>
        </div>
        {controls}
      </Group>
      {sorted.length > 0 && (
        <div className={classes.columns}>
          <div ref={ref}>
            {isNeeded ? (
              <Suspense fallback={<MapSkeleton />}>
                <WorldMap
                  rows={sorted}
                  label={`${title}. ${hint}`}
                  unit={unit}
                  active={active}
                  onActive={setActive}
                />
              </Suspense>
            ) : (
              <MapSkeleton />
            )}
          </div>
          <div className={classes.table}>
            <Table.ScrollContainer
              minWidth={0}
              tabIndex={0}
              aria-label={t('words.asTable', { title })}
              maxHeight={420}
            >
              <Table stickyHeader>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('words.country')}</Table.Th>
                    <Table.Th ta="right">{counted}</Table.Th>
                    <Table.Th ta="right">{t('words.share')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {shown.map(({ country, count }) => (
                    <CountryRow
                      key={country ?? ''}
                      country={country}
                      isActive={country !== null && country === active}
                      onActive={setActive}
                    >
                      <Table.Th scope="row" fw={400}>
                        {country === null ? t('words.unknown') : nameOf(country)}
                      </Table.Th>
                      <Table.Td ta="right">{format.number(count)}</Table.Td>
                      <Table.Td ta="right">{format.percent(count / sum)}</Table.Td>
                    </CountryRow>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            {shown.length < sorted.length && (
              <Button size="xs" variant="subtle" mt="xs" onClick={() => setWhole(true)}>
                {t('countries.all', { count: sorted.length })}
              </Button>
            )}
          </div>
        </div>
      )}
    </section>
  );
}

interface RowProps {
  country: string | null;
  isActive: boolean;
  onActive: (country: string | undefined) => void;
  children: ReactNode;
}

/** Highlights its country while it has the focus or the pointer. */
const CountryRow = ({ country, isActive, onActive, children }: RowProps) =>
  country === null ? (
    <Table.Tr>{children}</Table.Tr>
  ) : (
    <Table.Tr
      tabIndex={0}
      className={classes.row}
      data-active={isActive || undefined}
      onFocus={() => onActive(country)}
      onBlur={() => onActive(undefined)}
      onPointerEnter={() => onActive(country)}
      onPointerLeave={() => onActive(undefined)}
    >
      {children}
    </Table.Tr>
  );

/** As high as the map, so that nothing moves when it comes. */
const MapSkeleton = () => <Skeleton radius="sm" className={classes.skeleton} />;
