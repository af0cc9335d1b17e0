import assert from 'node:assert/strict';

export interface ParsedMetrics {
  types: ReadonlyMap<string, string>;
  /** @returns the value of the series with exactly these labels @throws AssertionError when there is none */
  get: (name: string, labels?: Record<string, string>) => number;
}

const help = /^# HELP ([a-zA-Z_:][\w:]*) \S.*$/;
const type = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary)$/;
const sample =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-z_]\w*="(?:[^"\\]|\\[\\n"])*",?)+)\})? (-?[\d.]+(?:e[+-]?\d+)?)$/;

/** Parses the Prometheus text format, and asserts that each metric occurs once with a help text, and each series once. */
export function parseMetrics(text: string): ParsedMetrics {
  assert.ok(text.endsWith('\n'));
  const types = new Map<string, string>();
  const series = new Map<string, number>();
  let explained = '';
  let current = '';
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, helped] = help.exec(line) ?? [];
    const [, typed, kind] = type.exec(line) ?? [];
    const [, name, labels = '', value] = sample.exec(line) ?? [];
    if (helped !== undefined) explained = helped;
    else if (typed !== undefined && kind !== undefined) {
      assert.equal(typed, explained, 'each metric is explained');
      assert.ok(!types.has(typed), `${typed} stands there once`);
      types.set(typed, kind);
      current = typed;
    } else {
      assert.ok(name !== undefined && value !== undefined, `a line of the format: ${line}`);
      const isPart = /^(histogram|summary)$/.test(types.get(current) ?? '');
      const family = isPart ? name.replace(/_(?:bucket|sum|count)$/, '') : name;
      assert.equal(family, current, 'a series stands below its metric');
      const key = toKey(name, labels.split(/(?<="),/).filter(Boolean));
      assert.ok(!series.has(key), `${key} stands there once`);
      series.set(key, Number(value));
    }
  }
  return {
    types,
    get: (name, labels = {}) => {
      const key = toKey(
        name,
        Object.entries(labels).map(([label, value]) => `${label}="${value}"`),
      );
      const value = series.get(key);
      assert.ok(value !== undefined, `there is ${key}`);
      return value;
    },
  };
}

const toKey = (name: string, labels: string[]): string => `${name}{${labels.toSorted().join()}}`;
