import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { FinePrint } from './text.ts';

export interface Series {
  key: string;
  label: string;
  /** A chart color token as a CSS value. Each metric has the same color everywhere. */
  color: string;
  /** Series also differ by their dash, so that color is not the only distinction. */
  dash?: string;
}

interface Props {
  rows: readonly Record<string, string | number>[];
  series: readonly Series[];
  /** Key of the horizontal axis; its values are shown unchanged. */
  x: string;
  xLabel: string;
  formatValue: (value: number) => string;
}

/** Only the chart; `ChartWithTable` also offers the numbers as a table. */
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
      <FinePrint ta="center">{xLabel}</FinePrint>
    </>
  );
}
