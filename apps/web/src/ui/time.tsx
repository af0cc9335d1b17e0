import { useFormat } from '#web/i18n/format.ts';

interface Props {
  at: string;
  /** The day alone, the day with the time of day, or how long ago; a table reads best with the last. */
  as?: 'date' | 'dateTime' | 'relative';
}

/** A point in time within a table, where a narrow column would break it apart. */
export function Time({ at, as = 'relative' }: Props) {
  const format = useFormat();
  return (
    <time className="one-line" dateTime={at}>
      {format[as](at)}
    </time>
  );
}
