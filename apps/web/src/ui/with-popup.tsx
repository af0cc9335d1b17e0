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

/** What a menu or a popover gets that is loaded when its button is pressed first. */
export interface PopupProps {
  opened: boolean;
  onChange: (opened: boolean) => void;
  /** Goes into `Menu.Target` or `Popover.Target`, in place of the button. */
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
  /** With a lazy component: what floats above pages weighs as much as a page, and no page needs it to be shown. */
  popup: (props: PopupProps) => ReactNode;
  /** The button; it stays the same element before and after its popup is loaded. */
  children: ReactElement<ButtonProps>;
  /** Where somebody else opens and closes it. */
  opened?: boolean;
  onChange?: (opened: boolean) => void;
}

/** A button that opens what is loaded then, or before, while nothing else is to be done (`load-later.ts`). */
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
            // The library gives the focus back to what had it when a popup opened that was there before.
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
  // What the library gives its target.
  ref?: Ref<HTMLElement>;
  id?: string;
  'aria-controls'?: string;
}

/** Stands for the button where the library wants its target: shows nothing, and hands the button on. */
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
