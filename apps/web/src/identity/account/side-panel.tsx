import { useState, type ComponentProps } from 'react';
import { usePreferences } from '#web/platform/preferences.ts';
import { useDebounced } from '#web/ui/debounce.ts';
import { Resizable } from '#web/ui/resizable.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useChangePreferences } from './preferences.ts';

interface Props extends Omit<ComponentProps<typeof Resizable>, 'width' | 'onResize'> {
  /** Panels of the same name have the same width. */
  name: string;
}

/** A panel whose width is stored with the account, so that it also applies in other browsers. */
export function SidePanel({ name, children, ...panel }: Props) {
  const { initial } = panel;
  const stored = usePreferences()[`panel.${name}`];
  const { error, change } = useChangePreferences();
  /** Not saved yet. */
  const [resized, setResized] = useState<number>();
  const save = useDebounced(
    (width: number) => {
      change({ [`panel.${name}`]: width === initial ? undefined : width });
      setResized(undefined);
    },
    { flushOnUnmount: true },
  );
  return (
    <Resizable
      {...panel}
      width={resized ?? stored ?? initial}
      onResize={(width) => {
        setResized(width);
        save(width);
      }}
    >
      <ActionError error={error} />
      {children}
    </Resizable>
  );
}
