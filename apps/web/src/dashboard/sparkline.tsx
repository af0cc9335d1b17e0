import classes from './sparkline.module.css';

interface Props {
  values: readonly number[];
  /** CSS variable of a chart color. */
  color: string;
  height: number;
}

const width = 100;
const tall = 40;
/** Half the line width, so that the line is not clipped at the top and the bottom. */
const margin = 1;

/** A chart without axes, beside its figure; the last bucket is incomplete and therefore dashed. */
export function Sparkline({ values, color, height }: Props) {
  const top = Math.max(1, ...values);
  const step = width / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) =>
      `${(index * step).toFixed(2)},${(tall - margin - (value / top) * (tall - 2 * margin)).toFixed(2)}`,
  );
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${width} ${tall}`}
      preserveAspectRatio="none"
      style={{ height, color: `var(${color})` }}
      aria-hidden
    >
      <polygon className={classes.area} points={`0,${tall} ${points.join(' ')} ${width},${tall}`} />
      <polyline className={classes.line} points={points.slice(0, -1).join(' ')} />
      <polyline className={classes.line} data-running points={points.slice(-2).join(' ')} />
    </svg>
  );
}
