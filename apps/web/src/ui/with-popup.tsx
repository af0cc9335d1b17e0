import { useMergedRef } from '@mantine/hooks';
import {
  cloneElement,
  Suspense,
  useCallback,
  useLayoutEffect,
  useState,
  type ReactElement,
  type ReactNode,
  type Ref,
} from 'react';

/** Props of a lazy menu or popover, which is loaded when its button is first pressed. */
export interface PopupProps {
  opened: boolean;
  onChange: (opened: boolean) => void;
  /** Element for `Menu.Target` or `Popover.Target`, in place of the button. */
  target: ReactElement;
}

interface ButtonProps {
  ref?: Ref<HTMLButtonElement>;
  id?: string | undefined;
  onClick?: () => void;
  'aria-haspopup'?: 'menu' | 'dialog';
  'aria-expanded'?: boolean;
  'aria-controls'?: string | undefined;
}

interface Props {
  kind: 'menu' | 'dialog';
  /** Renders a lazy component: popups weigh as much as a page, and no page needs them for its first render. */
  popup: (props: PopupProps) => ReactNode;
  /** The button; the same element before and after its popup is loaded. */
  children: ReactElement<ButtonProps>;
  /** For use as a controlled component. */
  opened?: boolean;
  onChange?: (opened: boolean) => void;
}

/** A button whose popup is loaded on the first press, or earlier while idle (`load-later.ts`). */
export function WithPopup({ kind, popup, children, ...control }: Props) {
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const [isOpened, setOpened] = useState(false);
  const [ids, setIds] = useState<Ids>();
  const [isWanted, setWanted] = useState(false);
  const { opened = isOpened, onChange = setOpened } = control;
  if (opened && !isWanted) setWanted(true);
  const ref = useMergedRef(setButton, children.props.ref);
  const forgetIds = useCallback(() => setIds(undefined), []);
  return (
    <>
      {cloneElement(children, {
        ref,
        'aria-haspopup': kind,
        'aria-expanded': opened,
        'aria-controls': ids?.controls,
        ...(ids && { id: ids.own }),
        onClick: () => onChange(!opened),
      })}
      {isWanted && (
        <Suspense fallback={null}>
          {popup({
            // The library only restores the focus if the popup was mounted before it opened.
            opened: opened && ids !== undefined,
            onChange,
            target: <Stand button={button} onKnown={setIds} onGone={forgetIds} />,
          })}
        </Suspense>
      )}
    </>
  );
}

interface Ids {
  own: string | undefined;
  controls: string | undefined;
}

interface StandProps {
  button: HTMLButtonElement | null;
  onKnown: (ids: Ids) => void;
  onGone: () => void;
  // Props that the library passes to its target.
  ref?: Ref<HTMLElement>;
  id?: string;
  'aria-controls'?: string;
}

/** Stands in for the button where the library expects its target: renders nothing and passes the button on. */
function Stand({ button, onKnown, onGone, ref, id, 'aria-controls': controls }: StandProps) {
  const give = useMergedRef(ref);
  useLayoutEffect(() => {
    give(button);
    return () => void give(null);
  }, [give, button]);
  useLayoutEffect(() => onKnown({ own: id, controls }), [onKnown, id, controls]);
  useLayoutEffect(() => onGone, [onGone]);
  return null;
}
