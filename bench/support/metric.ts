/** A measured value and the value that it is compared with. */
export interface Metric {
  bench: string;
  value: number;
  unit: string;
  /** In the same unit: the result of the baseline in the same run, or the maximum of the value. */
  ceiling: number;
  /** `value / ceiling`. */
  ratio: number;
}

export function toMetric(bench: string, value: number, unit: string, ceiling: number): Metric {
  const round = (number: number) => Number(number.toPrecision(4));
  return { bench, value: round(value), unit, ceiling: round(ceiling), ratio: round(value / ceiling) };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A benchmark, which has the name of its file or of its first metric. */
export interface Bench {
  metrics: string[];
  run: () => Promise<Metric[]>;
}
