import {
  useId,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import classes from './resizable.module.css';

interface Props {
  /** The name of the panel, which is that of its separator, too. */
  label: string;
  /** In pixels, as are all widths. Limits that have changed since apply to it. */
  width: number;
  min: number;
  max: number;
  /** Enter and a double click go back to it. */
  initial: number;
  /** Where the panel is, seen from the content. */
  side: 'start' | 'end';
  /** Gets each width on the way, within the limits. */
  onResize: (width: number) => void;
  className?: string | undefined;
  children: ReactNode;
}

const step = 16;

/**
 * A panel beside content, as wide as the user wants it, with the separator that is dragged or moved by arrow keys.
 * Its parent is `beside` of resizable.module.css, or lays it out itself: `--panel-gap` is the width between panel and content.
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/windowsplitter/
 */
export function Resizable({ label, width, min, max, initial, side, onResize, className, children }: Props) {
  const id = useId();
  const [drag, setDrag] = useState<{ startX: number; startWidth: number }>();
  const value = limit(width, min, max);
  const resize = (next: number) => onResize(limit(next, min, max));
  /** Moved to the right, a separator makes a panel before the content wider, and one behind it narrower. */
  const direction = side === 'start' ? 1 : -1;

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const { button, clientX, currentTarget: separator, pointerId } = event;
    if (button !== 0) return;
    separator.setPointerCapture(pointerId);
    setDrag({ startX: clientX, startWidth: shownWidth(separator) });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, currentTarget: separator } = event;
    if (key === 'ArrowLeft') resize(shownWidth(separator) - step * direction);
    else if (key === 'ArrowRight') resize(shownWidth(separator) + step * direction);
    else if (key === 'Home') resize(min);
    else if (key === 'End') resize(max);
    else if (key === 'Enter') resize(initial);
    else return;
    event.preventDefault();
  };
  return (
    <div
      id={id}
      className={[classes.panel, className].filter(Boolean).join(' ')}
      data-side={side}
      style={{ '--panel-width': `${value}px`, '--panel-min': `${min}px` } as CSSProperties}
    >
      {children}
      <div
        role="separator"
        tabIndex={0}
        className={classes.separator}
        aria-label={label}
        aria-controls={id}
        aria-orientation="vertical"
        aria-valuenow={value}
        aria-valuemin={min}
        aria-valuemax={max}
        aria-valuetext={`${value} px`}
        data-dragged={drag !== undefined || undefined}
        onPointerDown={onPointerDown}
        onPointerMove={({ clientX }) => drag && resize(drag.startWidth + (clientX - drag.startX) * direction)}
        onLostPointerCapture={() => setDrag(undefined)}
        onDoubleClick={() => resize(initial)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

const limit = (width: number, min: number, max: number): number =>
  Math.round(Math.min(Math.max(width, min), max));

/** In a narrow window the panel is narrower than the user wants it. */
const shownWidth = (separator: HTMLElement): number => separator.parentElement?.offsetWidth ?? 0;
