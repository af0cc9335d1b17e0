import { useDraggable, useDroppable } from '@dnd-kit/core';
import {
  memo,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react';
import { useTranslation } from 'react-i18next';
import { excerptOf, kindOf, type BlockKind } from '#web/content/editor/blocks.ts';
import classes from '#web/content/editor/mail-editor.module.css';
import type { Located } from '#web/content/editor/source/operations.ts';
import type { BlockEditor } from '#web/content/editor/use-block-editor.ts';
import {
  emptyDocument,
  measureBlocks,
  showHtml,
  type Look,
  type Point,
  type Rect,
} from './canvas-document.ts';
import { rectOf } from './find-place.ts';
import type { Compiled } from './use-compiled.ts';

/** The email as it is shown; coordinates are those of the stage. */
export interface Shown {
  stage: HTMLElement;
  frame: Document;
  /** By the offset of their blocks. */
  rects: ReadonlyMap<number, Rect>;
}

interface Props {
  editor: BlockEditor;
  /** The latest that could be compiled, and its blocks: they are drawn until the next source is compiled. */
  compiled: Compiled | undefined;
  drawn: readonly Located[];
  /** Whether the newest source has the same blocks. Otherwise they cannot be chosen until it is compiled. */
  isCurrent: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
  /** Dropped at a point of the window, or pasted. @returns whether there is an image among them */
  onFiles: (files: FileList | undefined, at?: Point) => boolean;
  /** How many problems were found in blocks, by index, as JSON: equal ones draw nothing anew. */
  problemCounts: string;
  canDrag: boolean;
  width: number;
  look: Look;
  dropLine: Rect | undefined;
  shown: Ref<Shown | undefined>;
  /** Over the canvas, in its coordinates. */
  children: (shown: Shown) => ReactNode;
}

const mostHeight = 30_000;

/**
 * Shows the compiled email in a frame that runs no scripts and gets no events: a layer of the app above it has a box for each
 * block. One box at a time is in the order of the Tab key.
 */
export function Canvas({
  editor,
  compiled,
  drawn,
  isCurrent,
  width,
  look,
  dropLine,
  shown,
  ...props
}: Props) {
  const { onFiles, problemCounts, canDrag } = props;
  const { t } = useTranslation('editor');
  const html = compiled?.html ?? '';
  const source = compiled?.parsed.source ?? '';
  // If they are the same ones, the blocks of the current source.
  const blocks = isCurrent ? editor.blocks : drawn;
  const selected = isCurrent ? editor.index : -1;
  const { frame, ready, measured, onLoad } = useDrawn(html, look);
  const [stage, setStage] = useState<HTMLDivElement | null>(null);
  const tree = useRef<HTMLDivElement>(null);
  const { setNodeRef } = useDroppable({ id: 'canvas' });
  const rects = new Map(
    blocks.flatMap(({ node }, index) => {
      const rect = measured?.rects.get(index);
      return rect === undefined ? [] : [[node.start, rect] as const];
    }),
  );
  const now: Shown | undefined = ready && measured && stage ? { stage, frame: ready, rects } : undefined;
  useImperativeHandle(shown, () => now);

  useEffect(() => {
    if (selected >= 0)
      tree.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const focus = useFocusOfSelected(tree);
  const own = drawn.findIndex((block) => isOwnText(block, source));
  const { setNodeRef: setDragged, listeners } = useDraggable({ id: 'block', disabled: !canDrag });
  const blockOf = (target: EventTarget) =>
    editor.blocks[
      Number((target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1)
    ];
  return (
    <div
      className={classes.canvas}
      ref={setNodeRef}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault();
      }}
      onDrop={(event) => {
        if (onFiles(event.dataTransfer.files, { x: event.clientX, y: event.clientY })) event.preventDefault();
      }}
      // Before the text that is being edited: copied text may come with a picture of it.
      onPasteCapture={(event) => {
        const { clipboardData } = event;
        if (clipboardData.getData('text/plain') !== '' || !onFiles(clipboardData.files)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <div
        ref={setStage}
        className={classes.stage}
        data-look={look}
        style={{ width, height: measured?.height ?? 400 }}
      >
        <iframe
          ref={frame}
          title={t('words.email')}
          sandbox="allow-same-origin"
          inert
          tabIndex={-1}
          className={classes.frame}
          onLoad={onLoad}
        />
        <div
          ref={(element) => {
            tree.current = element;
            setDragged(element);
          }}
          {...listeners}
          role="tree"
          aria-label={t('outline')}
          aria-describedby="canvas-keys"
          className={classes.layer}
          data-current={isCurrent || undefined}
          tabIndex={-1}
          onKeyDown={props.onKeyDown}
          onClick={({ target, clientX: x, clientY: y }) => {
            const block = blockOf(target);
            if (block) editor.enter(block, { x, y });
          }}
          // A text that gets the focus from outside is edited at once.
          onFocus={({ target, relatedTarget }) => {
            const isMoved = focus.take();
            const block = blockOf(target);
            if (!block || isMoved || stage?.contains(relatedTarget)) return;
            if (target.matches(':focus-visible')) editor.enter(block);
          }}
          onBlur={({ relatedTarget }) => {
            // An element that is removed loses the focus to nothing.
            if (relatedTarget !== null) focus.lose();
          }}
        >
          {measured && html !== '' && (
            <Boxes
              blocks={drawn}
              source={source}
              rects={measured.rects}
              problemCounts={problemCounts}
              selected={selected}
              first={selected >= 0 ? selected : Math.max(0, own)}
            />
          )}
        </div>
        {dropLine && (
          <div
            className={classes.dropLine}
            style={{
              left: dropLine.left - 1,
              top: dropLine.top - 1,
              width: dropLine.right - dropLine.left + 2,
              height: dropLine.bottom - dropLine.top + 2,
            }}
          />
        )}
        {now && props.children(now)}
      </div>
      <p id="canvas-keys" className={classes.keys}>
        {t('keys')}
      </p>
    </div>
  );
}

/** Draws HTML in the frame, and measures where its blocks are. */
function useDrawn(html: string, look: Look) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState<Document>();
  const [measured, setMeasured] = useState<{ rects: ReadonlyMap<number, Rect>; height: number }>();
  useLayoutEffect(() => {
    if (frame.current) frame.current.srcdoc = emptyDocument();
  }, []);
  useLayoutEffect(() => {
    if (!ready) return undefined;
    showHtml(ready, html, look);
    const measure = () =>
      setMeasured({
        rects: measureBlocks(ready),
        height: Math.min(mostHeight, Math.max(200, Math.ceil(ready.body.getBoundingClientRect().height))),
      });
    measure();
    // Images change the height once they are loaded.
    const observer = new ResizeObserver(measure);
    observer.observe(ready.body);
    return () => observer.disconnect();
  }, [ready, html, look]);
  const onLoad = () => setReady(frame.current?.contentDocument ?? undefined);
  return { frame, ready, measured, onLoad };
}

/** The focus follows the selection, a block that moves too, and goes on if its block is deleted. */
function useFocusOfSelected(tree: RefObject<HTMLElement | null>) {
  const hadFocus = useRef(false);
  const isMoving = useRef(false);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (!hadFocus.current || (focused !== document.body && !tree.current?.contains(focused))) return;
    const target = tree.current?.querySelector<HTMLElement>('[aria-selected=true]') ?? tree.current;
    // Without a selection, what has the focus keeps it.
    if (!target || target === focused || (target === tree.current && focused !== document.body)) return;
    isMoving.current = true;
    target.focus({ preventScroll: true });
    isMoving.current = false;
  });
  return {
    /** @returns whether the focus was moved to what is selected */
    take: () => {
      hadFocus.current = true;
      return isMoving.current;
    },
    lose: () => {
      hadFocus.current = false;
    },
  };
}

/** Whether a text says something of this email: what is above it is the same in all emails of a brand. */
function isOwnText({ node }: Located, source: string): boolean {
  if (node.kind !== 'element' || node.name !== 'mj-text') return false;
  const content = source.slice(node.contentStart, Math.min(node.contentEnd, node.contentStart + 1_000));
  return !content.includes('links.') && /\p{L}/u.test(content.replaceAll(/<[^>]*>|\{[{%].*?[}%]\}/g, ''));
}

/** Blocks that show nothing get a thin strip beside what is next to them. */
function stripFor({ parents, index }: Located, rects: ReadonlyMap<number, Rect>): Rect {
  const [parent] = parents;
  let near: Rect | undefined;
  for (let at = index - 1; at >= 0 && near === undefined; at -= 1)
    near = rectOf(parent!.children[at]!, rects);
  const outer = parent?.kind === 'element' ? rects.get(parent.start) : undefined;
  const { left, right } = outer ?? near ?? { left: 0, right: 600 };
  const top = near?.bottom ?? outer?.top ?? 0;
  return { left, right, top: top - 4, bottom: top + 4 };
}

interface BoxesProps extends Pick<Props, 'problemCounts'> {
  blocks: readonly Located[];
  source: string;
  selected: number;
  /** By the index of their blocks. */
  rects: ReadonlyMap<number, Rect>;
  /** Index of the block in the order of the Tab key. */
  first: number;
}

/** For each block a box, which tells its index to the layer. */
const Boxes = memo(function Boxes({ blocks, source, rects, problemCounts, selected, first }: BoxesProps) {
  const { t } = useTranslation('editor');
  const byStart = new Map(
    blocks.flatMap(({ node }, index) => {
      const rect = rects.get(index);
      return rect === undefined ? [] : [[node.start, rect] as const];
    }),
  );
  const counts = JSON.parse(problemCounts) as Record<number, number>;
  // Each translation takes longer than all else for a block.
  const names = new Map<BlockKind, string>();
  return blocks.map((block, index) => {
    const { node, parents } = block;
    const kind = kindOf(node, source);
    const { left, top, right, bottom } = rectOf(node, byStart) ?? stripFor(block, byStart);
    const name = names.get(kind) ?? t(`kind.${kind}`);
    names.set(kind, name);
    const count = counts[index] ?? 0;
    const found = count === 0 ? '' : t('problems', { count });
    return (
      <Box
        // A block that moves stays the same element as far as possible, and does not lose the focus.
        key={index}
        index={index}
        left={left}
        top={top}
        width={right - left}
        height={bottom - top}
        level={parents.length}
        name={name}
        label={[name, excerptOf(node, source), found].filter((part) => part !== '').join(': ')}
        problems={count}
        isSelected={index === selected}
        isFirst={index === first}
      />
    );
  });
});

interface BoxProps {
  index: number;
  left: number;
  top: number;
  width: number;
  height: number;
  level: number;
  name: string;
  label: string;
  problems: number;
  isSelected: boolean;
  isFirst: boolean;
}

const Box = memo(function Box(props: BoxProps) {
  const { index, left, top, width, height, level, name, label, problems, isSelected, isFirst } = props;
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={isSelected}
      aria-label={label}
      tabIndex={isFirst ? 0 : -1}
      className={classes.box}
      data-index={index}
      data-name={name}
      data-problems={problems || undefined}
      style={{ left, top, width, height }}
    />
  );
});
