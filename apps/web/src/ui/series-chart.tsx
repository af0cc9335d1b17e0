import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { Text } from '@mantine/core';

export interface Series {
  key: string;
  label: string;
  /** A color of the chart tokens, as a CSS value. One metric has one color everywhere. */
  color: string;
  /** Series differ by their dash too, so that color is never alone. */
  dash?: string;
}

interface Props {
  rows: readonly Record<string, string | number>[];
  series: readonly Series[];
  /** The key of the horizontal axis; its values are shown as they are. */
  x: string;
  xLabel: string;
  formatValue: (value: number) => string;
}

/** The drawing only; `ChartWithTable` around it offers the same numbers as a table. */
export default function SeriesChart({ rows, series, x, xLabel, formatValue }: Props) {
  return (
    <>
      <LineChart
        h={280}
        data={rows.map((row) => ({ ...row }))}
        dataKey={x}
        withLegend
        legendProps={{ verticalAlign: 'top', itemSorter: null }}
        curveType="linear"
        strokeWidth={2}
        gridAxis="x"
        tickLine="none"
        yAxisProps={{ allowDecimals: false, width: 56 }}
        xAxisProps={{ minTickGap: 24 }}
        valueFormatter={formatValue}
        withDots={rows.length <= 31}
        lineProps={{ isAnimationActive: false }}
        series={series.map((entry) => ({
          name: entry.key,
          label: entry.label,
          color: entry.color,
          ...(entry.dash ? { strokeDasharray: entry.dash } : {}),
        }))}
      />
      <Text size="xs" c="dimmed" ta="center">
        {xLabel}
      </Text>
    </>
  );
}
