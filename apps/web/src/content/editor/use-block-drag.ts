import { MouseSensor, TouchSensor, useSensor, useSensors, type DndContextProps } from '@dnd-kit/core';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { OfferedBlock } from './blocks.ts';
import type { Shown } from './canvas/canvas.tsx';
import type { Point, Rect } from './canvas/canvas-document.ts';
import { findPlace, type FoundPlace } from './canvas/find-place.ts';
import { blockAt, levelOf, type Level, type Located } from './source/operations.ts';
import type { BlockEditor } from './use-block-editor.ts';

/** A new block, or the one that begins at an offset. */
type Dragged = { block: OfferedBlock } | { start: number };

/**
 * For this long after a drag, dnd-kit removes every selection, also the one in a text that is edited, so that the next letter would
 * stand in front of the text instead of replacing it.
 * @see `detach` of AbstractPointerSensor in @dnd-kit/core
 */
const noSelectionMs = 50;

/** Drags blocks to places of the email, and takes images that are dropped there. @param isCurrent  whether it shows the newest source */
export function useBlockDrag(editor: BlockEditor, shown: RefObject<Shown | undefined>, isCurrent: boolean) {
  const { t } = useTranslation('editor');
  const { parsed, blocks } = editor;
  const [dropLine, setDropLine] = useState<Rect>();
  const [dragged, setDragged] = useState<Dragged>();
  const [canSelectText, setCanSelectText] = useState(true);
  const pointer = usePointer();
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
  );
  const added = dragged && 'block' in dragged ? dragged.block : undefined;
  const moved = dragged && 'start' in dragged ? blockAt(parsed, dragged.start) : undefined;

  /** @param at  in the window */
  const placeAt = (at: Point, level: Level, moving?: Located): FoundPlace | undefined => {
    const now = shown.current;
    if (!now || !isCurrent) return undefined;
    const stage = now.stage.getBoundingClientRect();
    const point = { x: at.x - stage.left, y: at.y - stage.top };
    const outside =
      point.x < -40 || point.x > stage.width + 40 || point.y < -60 || point.y > stage.height + 60;
    if (outside) return undefined;
    const page = { left: 0, top: 0, right: stage.width, bottom: stage.height };
    return findPlace(parsed, { rects: now.rects, page }, point, level, moving?.node);
  };
  const placeOfDragged = (): FoundPlace | undefined => {
    if (added) return placeAt(pointer.current, editor.levelOfNew(added));
    return moved && placeAt(pointer.current, levelOf(moved.node), moved);
  };
  const end = () => {
    setDragged(undefined);
    setDropLine(undefined);
  };
  const drop = () => {
    end();
    // Found anew: on a busy machine, the pointer has gone on since the line was drawn.
    const found = placeOfDragged();
    if (!found) return;
    if (moved) editor.move(moved, found.place);
    if (!added) return;
    setCanSelectText(false);
    // The timer of dnd-kit is as long and was started before, so that it ends first however busy the machine is.
    window.setTimeout(() => setCanSelectText(true), noSelectionMs);
    editor.add(added, found);
  };
  /** Puts an image file where it is dropped, or behind the selected block. */
  const receive = (files: FileList | undefined, at?: Point): boolean => {
    const image = [...(files ?? [])].find(({ type }) => type.startsWith('image/'));
    if (!image || editor.readOnly) return false;
    editor.addImage(image, at && placeAt(at, 'content'));
    return true;
  };
  const context: DndContextProps = {
    sensors,
    onDragStart: ({ active, activatorEvent: { target } }) => {
      editor.leaveText();
      if (active.id !== 'block') setDragged(active.data.current as Dragged);
      else if (target instanceof HTMLElement) {
        const pressed = blocks[Number(target.dataset['index'])];
        setDragged(pressed && { start: pressed.node.start });
      }
    },
    onDragMove: () => setDropLine(placeOfDragged()?.line),
    onDragEnd: drop,
    onDragCancel: end,
    accessibility: {
      screenReaderInstructions: { draggable: t('keys') },
      announcements: {
        onDragStart: () => undefined,
        onDragOver: () => undefined,
        onDragEnd: () => undefined,
        onDragCancel: () => t('cancelled'),
      },
    },
  };
  const name = added ? t(`kind.${added}`) : moved && editor.nameOf(moved);
  return { context, dropLine, name, canSelectText, receive };
}

/** Where the pointer is in the window, without drawing anew. */
function usePointer(): RefObject<Point> {
  const pointer = useRef<Point>({ x: 0, y: 0 });
  useEffect(() => {
    const follow = ({ clientX: x, clientY: y }: PointerEvent) => {
      pointer.current = { x, y };
    };
    window.addEventListener('pointermove', follow, { passive: true });
    return () => window.removeEventListener('pointermove', follow);
  }, []);
  return pointer;
}
