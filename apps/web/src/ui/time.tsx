import { useFormat } from '#web/i18n/format.ts';

interface Props {
  at: string;
  /** The date, the date with the time, or the time elapsed; tables usually use the last. */
  as?: 'date' | 'dateTime' | 'relative';
}

/** A point in time in a table, kept on one line in narrow columns. */
export function Time({ at, as = 'relative' }: Props) {
  const format = useFormat();
  return (
    <time className="one-line" dateTime={at}>
      {format[as](at)}
    </time>
  );
}
