/* oxlint-disable jsx-a11y/no-static-element-interactions -- Escape does what the button that closes the record does */
import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { roomBeside } from '#web/platform/room-beside.ts';
import panels from '#web/ui/resizable.module.css';
import { SidePanel } from './side-panel.tsx';

interface Props {
  /** Whose width is stored under this name. */
  name: string;
  label: string;
  min: number;
  max: number;
  initial: number;
  /** Which of the two is the panel; the other one gets the rest of the width. */
  panel: 'list' | 'record';
  /** Undefined for a record that has the page for itself. */
  list: ReactNode;
  /** Undefined while no record of the list is open. A function gets whether it is shown beside the list. */
  record: ReactNode | ((isBeside: boolean) => ReactNode);
  /** For Escape. */
  onClose: () => void;
}

/** The panel of a record, as wide as any other. */
export const recordPanel = { panel: 'record', min: 320, max: 640, initial: 400 } as const;

export const useRoomBeside = () => useMediaQuery(roomBeside, true, { getInitialValueInEffect: false });

/**
 * A list and, beside it, the record that is open; where there is no room for both, only the record. Opening and closing a
 * record beside the list mounts neither anew.
 */
export function ListBeside({ panel, list, record, onClose, ...limits }: Props) {
  const hasRoom = useRoomBeside();
  const isOpen = record !== undefined;
  const isBeside = isOpen && hasRoom && list !== undefined;
  const isList = panel === 'list';
  const { list: listBox, record: recordBox, findLink } = useFocusInList(isBeside);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (isBeside && event.key === 'Escape' && !isTaken(event, listBox.current)) onClose();
  };
  const listed = (!isOpen || isBeside) && (
    <div ref={listBox} data-beside={isBeside || undefined}>
      {list}
    </div>
  );
  const opened = isOpen && (
    <div ref={recordBox} className={isBeside ? panels.record : undefined}>
      {typeof record === 'function' ? record(isBeside) : record}
    </div>
  );
  return (
    <div
      className={panels.beside}
      data-alone={!isBeside || undefined}
      onFocus={findLink}
      onKeyDown={onKeyDown}
    >
      {isList ? (
        <SidePanel {...limits} side="start">
          {listed}
        </SidePanel>
      ) : (
        <div>{listed}</div>
      )}
      {isList ? (
        <div>{opened}</div>
      ) : (
        isOpen && (
          <SidePanel {...limits} side="end">
            {opened}
          </SidePanel>
        )
      )}
    </div>
  );
}

/** Whether Escape belongs to something else: dialog, menu, tooltip, list of options, input method, or a field of the list. */
function isTaken(
  { target, currentTarget, defaultPrevented, nativeEvent }: KeyboardEvent,
  list: Element | null,
): boolean {
  // The key ends the composition of a character.
  if (nativeEvent.isComposing) return true;
  // Dialogs and menus are portals, whose keys React also bubbles to the page.
  if (defaultPrevented || !(target instanceof Element) || !currentTarget.contains(target)) return true;
  // Mantine marks what the key closes first.
  if (target.getAttribute('data-mantine-stop-propagation') === 'true') return true;
  return list?.contains(target) === true && target.matches('input:not([type=checkbox]), textarea');
}

/**
 * Keeps the keyboard focus at the record's link in the list when the record opens, and moves it there when it closes. A focus
 * in the record stays there, in a window that has become wide.
 */
function useFocusInList(isBeside: boolean) {
  const list = useRef<HTMLDivElement>(null);
  const record = useRef<HTMLDivElement>(null);
  const link = useRef<HTMLElement>(null);
  const wasBeside = useRef(isBeside);
  /** For each focus in the record as well: after a reload, the list can be there later than the record. */
  const findLink = useCallback(() => {
    if (isBeside) link.current = list.current?.querySelector<HTMLElement>('[aria-current] a') ?? null;
  }, [isBeside]);
  useEffect(() => {
    findLink();
    if (wasBeside.current === isBeside) return;
    wasBeside.current = isBeside;
    const isInside = [list, record].some(({ current }) => current?.contains(document.activeElement));
    if (!isInside) link.current?.focus({ preventScroll: true });
  }, [findLink, isBeside]);
  return { list, record, findLink };
}
