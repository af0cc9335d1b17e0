import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { countryNames } from '#web/identity/contact-details/country-name.ts';
import { useFormat } from '#web/i18n/format.ts';
import { ErrorState } from '#web/ui/states.tsx';
import { FinePrint } from '#web/ui/text.ts';
import { classify, type CountryClass, type CountryCount } from './country-classes.ts';
import { InvalidTopology, loadWorld, worldWidth, type CountryOutline, type World } from './load-world.ts';
import classes from './world-map.module.css';

interface Props {
  rows: readonly CountryCount[];
  /** What the map shows, for screen readers. */
  label: string;
  /** A count in words: "12 page views". */
  unit: (count: number) => string;
  /** The highlighted country. */
  active: string | undefined;
  onActive: (country: string | undefined) => void;
}

/** How many counts each country has. All of it is in the table that belongs to it, too: the map is a single image. */
export default function WorldMap(props: Props) {
  const { t } = useTranslation('statistics');
  const world = useQuery({
    queryKey: ['world'],
    queryFn: loadWorld,
    staleTime: Infinity,
    retry: false,
    meta: { quiet: true },
  });
  if (world.error instanceof InvalidTopology)
    return (
      <Alert color="red" icon={<IconAlertTriangle size={18} />} title={world.error.message} role="alert">
        {t('countries.brokenHint')}
      </Alert>
    );
  if (world.isError)
    return <ErrorState error={world.error} what={t('countries.what')} onRetry={() => void world.refetch()} />;
  return world.data ? <Drawing {...props} world={world.data} /> : null;
}

/** Countries that are smaller than this are drawn as a dot, in units of the outlines. */
const dot = 6;

function Drawing({
  world: { height, outlines },
  rows,
  label,
  unit,
  active,
  onActive,
}: Props & { world: World }) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const hatching = useId();
  const nameOf = countryNames(format.locale);
  const counts = new Map(rows.flatMap(({ country, count }) => (country === null ? [] : [[country, count]])));
  const scale = classify([...counts.values()].filter((count) => count > 0));
  const levelOf = (country: string) => {
    const count = counts.get(country) ?? 0;
    return scale.find(({ from, to }) => from <= count && count <= to)?.level;
  };
  const drawn = new Set(outlines.map(({ country }) => country));
  const notDrawn = [...counts.keys()].filter((country) => !drawn.has(country)).map(nameOf);
  const unknown = rows.find(({ country }) => country === null)?.count ?? 0;
  const shape = (outline: CountryOutline) => {
    const { country, path, x, y, size } = outline;
    const level = levelOf(country);
    const look = {
      className: classes.country,
      'data-active': country === active || undefined,
      fill: fillOf(level, hatching),
      onPointerEnter: () => onActive(country),
      onPointerLeave: () => onActive(undefined),
    };
    return size < dot && level !== undefined ? (
      <circle key={path} cx={x} cy={y} r={dot / 2} {...look} />
    ) : (
      <path key={path} d={path} {...look} />
    );
  };
  return (
    <>
      <svg role="img" aria-label={label} viewBox={`0 0 ${worldWidth} ${height}`} className={classes.map}>
        <Hatching id={hatching} />
        {/* What is drawn last is on top. */}
        {outlines.filter(({ size }) => size >= dot).map(shape)}
        {outlines.filter(({ size }) => size < dot).map(shape)}
        {outlines
          .filter(({ country }) => country === active)
          .map(({ path }) => (
            <path key={path} d={path} className={classes.active} />
          ))}
      </svg>
      {/* The table says the same to screen readers. */}
      <Text size="sm" aria-hidden className={classes.caption}>
        {active !== undefined && drawn.has(active) && (
          <>
            <b>{nameOf(active)}</b> {unit(counts.get(active) ?? 0)}
          </>
        )}
      </Text>
      <Legend scale={scale} hatching={hatching} />
      <FinePrint mt={4}>
        {unknown > 0 && `${t('words.unknown')}: ${unit(unknown)}. `}
        {notDrawn.length > 0 && `${t('countries.notShown', { countries: format.list(notDrawn) })} `}
        {t('countries.source')}
      </FinePrint>
    </>
  );
}

const fillOf = (level: number | undefined, hatching: string) =>
  level === undefined ? `url(#${hatching})` : `var(--level-${level})`;

const Hatching = ({ id }: { id: string }) => (
  <pattern id={id} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width={4} height={4} className={classes.ground} />
    <rect width={1} height={4} className={classes.stripe} />
  </pattern>
);

function Legend({ scale, hatching }: { scale: readonly CountryClass[]; hatching: string }) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const entry = (name: string, level?: number) => (
    <Group key={name} gap={6} wrap="nowrap" className={classes.entry}>
      <svg width={16} height={12} aria-hidden>
        <rect width={16} height={12} className={classes.country} fill={fillOf(level, hatching)} />
      </svg>
      {name}
    </Group>
  );
  return (
    <Group gap="4px 16px" aria-hidden>
      {entry(t('countries.none'))}
      {scale.map(({ level, from, to }) =>
        entry(from === to ? format.number(from) : `${format.number(from)}–${format.number(to)}`, level),
      )}
    </Group>
  );
}
