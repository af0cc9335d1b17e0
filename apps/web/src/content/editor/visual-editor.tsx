import {
  DndContext,
  DragOverlay,
  MouseSensor,
  TouchSensor,
  useDraggable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { Button, Group, Menu, SegmentedControl, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { brandShades } from '@reachout/contract/rules/brand-colors.ts';
import type { TemplateProblem } from '@reachout/contract/templates.ts';
import { IconArrowDown, IconArrowUp, IconCopy, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/core';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldsQuery } from '#web/content/collections/item-queries.ts';
import type { TagSources } from '#web/content/templates/merge-tags.tsx';
import { SidePanel } from '#web/identity/account/side-panel.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { inSection, kindOf, levelOfSource, offeredBlocks, writeBlock, type OfferedBlock } from './blocks.ts';
import { Canvas, type Point, type Shown } from './canvas/canvas.tsx';
import { textElement, type Look, type Rect } from './canvas/canvas-document.ts';
import { findPlace, type FoundPlace } from './canvas/find-place.ts';
import { nameOfCode, type CanvasTexts } from './canvas/mark-source.ts';
import { useCompiled } from './canvas/use-compiled.ts';
import type { DocumentStore, Snapshot } from './document-store.ts';
import { listFieldsOf } from './list-fields.ts';
import { settingsPanel, useIsWide } from './mail-editor-skeleton.tsx';
import classes from './mail-editor.module.css';
import { colorsOf, Properties } from './properties.tsx';
import { readAttribute } from './source/attributes.ts';
import { problemsByBlock } from './source/problem-blocks.ts';
import {
  blockAt,
  duplicateBlock,
  insertBlock,
  isContainer,
  isSameShape,
  levelOf,
  listBlocks,
  moveBlock,
  nextPlace,
  placeBehind,
  placesFor,
  removeBlock,
  setBlockAttribute,
  setBlockContent,
  type Edit,
  type Level,
  type Located,
  type Place,
} from './source/operations.ts';
import { isEditableText, TextEditor } from './text/text-editor.tsx';
import { TextToolbar } from './text/text-toolbar.tsx';
import { Tool } from './tool.tsx';

interface Props {
  store: DocumentStore;
  snapshot: Snapshot;
  problems: readonly TemplateProblem[];
  brandId: string | undefined;
  sources: TagSources | undefined;
  readOnly: boolean;
}

type Dragged = { block: OfferedBlock } | { start: number };

/**
 * For this long after a drag, dnd-kit removes every selection, also the one in a text that is edited, so that the next letter would
 * stand in front of the text instead of replacing it.
 * @see `detach` of AbstractPointerSensor in @dnd-kit/core
 */
const noSelectionMs = 50;

/** The email, with what can be put into it and what can be set. */
export function VisualEditor({ store, snapshot, problems, brandId, sources, readOnly }: Props) {
  const { t } = useTranslation('editor');
  const { parsed, source, selected } = snapshot;
  const isWide = useIsWide();
  const [chosen, setDevice] = useState<'desktop' | 'phone'>();
  const device = chosen ?? (isWide ? 'desktop' : 'phone');
  const [look, setLook] = useState<Look>('light');
  const [dropLine, setDropLine] = useState<Rect>();
  const [dragged, setDragged] = useState<Dragged>();
  const [canSelectText, setCanSelectText] = useState(true);
  const [said, setSaid] = useState('');
  const [edited, setEdited] = useState<{ at: Point | undefined; selection: number; count: number }>();
  const [editor, setEditor] = useState<Editor>();
  const [isAdding, setAdding] = useState(false);
  const [file, setFile] = useState<File>();
  const shown = useRef<Shown>(undefined);
  const properties = useRef<HTMLElement>(null);
  const pointer = useRef<Point>({ x: 0, y: 0 });
  const texts = useTexts(brandId);
  const itemFields = useItemFields(sources?.content?.collection);
  const write = (offered: OfferedBlock) => writeBlock(offered, parsed, t, itemFields);
  const { compiled, isFailed } = useCompiled(parsed, texts, snapshot.isTyping);
  const blocks = useMemo(() => listBlocks(parsed), [parsed]);
  const compiledBlocks = useMemo(() => (compiled ? listBlocks(compiled.parsed) : []), [compiled]);
  const isCurrent = isSameShape(compiledBlocks, blocks);
  const block = blocks.find(({ node }) => node.start === selected);
  const index = block === undefined ? -1 : blocks.indexOf(block);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
  );
  useEffect(() => {
    const follow = ({ clientX: x, clientY: y }: PointerEvent) => {
      pointer.current = { x, y };
    };
    window.addEventListener('pointermove', follow, { passive: true });
    return () => window.removeEventListener('pointermove', follow);
  }, []);

  const nameOfBlock = ({ node }: Located) => t(`kind.${kindOf(node, source)}`);
  const canEdit = (one: Located | undefined) => !readOnly && one !== undefined && isText(one, source);
  /** Edits the text of the selected block. */
  const editText = (at?: Point) =>
    setEdited({ at, selection: store.read().selection, count: (edited?.count ?? 0) + 1 });
  const select = (one: Located, at?: Point) => {
    store.select(one.node.start);
    if (canEdit(one)) editText(at);
    else setEdited(undefined);
  };
  const apply = (edit: Edit, words?: string) => {
    setEdited(undefined);
    setFile(undefined);
    store.apply(edit);
    if (words !== undefined) setSaid(words);
  };
  const move = (from: Located, place: Place | undefined) => {
    if (place) apply(moveBlock(parsed, from, place), t('moved', { block: nameOfBlock(from) }));
  };
  const remove = (from: Located) =>
    apply(removeBlock(parsed, from), t('removed', { block: nameOfBlock(from) }));
  const insert = (offered: OfferedBlock, place: Place, needsSection: boolean) => {
    const written = write(offered);
    apply(
      insertBlock(parsed, place, needsSection ? inSection(written) : written),
      t('inserted', { block: t(`kind.${offered}`) }),
    );
    const now = store.read().parsed;
    const inserted = listBlocks(now).find(
      ({ node }) => node.start >= (store.read().selected ?? 0) && (!needsSection || !isContainer(node)),
    );
    if (!inserted || offered === 'header' || offered === 'footer') return;
    if (needsSection) store.select(inserted.node.start);
    // A new text is written at once.
    if (isText(inserted, now.source)) editText();
  };
  /** Behind the selected block, or at the end. */
  const add = (offered: OfferedBlock) => {
    const level = levelOfSource(write(offered));
    const place = placeBehind(placesFor(parsed, level), block);
    if (place) insert(offered, place, false);
    else {
      const outer = placeBehind(placesFor(parsed, 'section'), block);
      if (outer) insert(offered, outer, level === 'content');
    }
  };
  const step = (from: number, by: 1 | -1): boolean => {
    for (let at = from + by; blocks[at] !== undefined; at += by)
      if (canEdit(blocks[at])) {
        select(blocks[at]!);
        return true;
      }
    return false;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
    const mod = event.ctrlKey || event.metaKey;
    const go = (to: number) => {
      const next = blocks[Math.max(0, Math.min(to, blocks.length - 1))];
      setEdited(undefined);
      if (next) store.select(next.node.start);
    };
    if (by !== undefined && event.altKey) {
      if (block && !readOnly) move(block, nextPlace(parsed, block, by));
    } else if (by !== undefined) go(index + by);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(blocks.length - 1);
    else if ((event.key === 'Delete' || event.key === 'Backspace') && block && !readOnly) remove(block);
    else if ((event.key === 'Enter' || event.key === 'F2') && block) {
      if (canEdit(block)) select(block);
      else properties.current?.querySelector<HTMLElement>('input, select, button')?.focus();
    } else if (event.key === 'Escape' && block) {
      const outer = blocks.find(({ node }) => block.parents[0] === node);
      if (outer) store.select(outer.node.start);
    } else if (event.key.toLowerCase() === 'd' && mod && block && !readOnly)
      apply(duplicateBlock(parsed, block));
    else if (event.key === '/' && !readOnly) setAdding(true);
    else return;
    event.preventDefault();
  };

  /** @param at  in the window */
  const placeAt = (at: Point, level: Level, isNew: boolean, moving?: Located): FoundPlace | undefined => {
    const now = shown.current;
    if (!now || !isCurrent) return undefined;
    const stage = now.stage.getBoundingClientRect();
    const point = { x: at.x - stage.left, y: at.y - stage.top };
    const outside =
      point.x < -40 || point.x > stage.width + 40 || point.y < -60 || point.y > stage.height + 60;
    if (outside) return undefined;
    const page = { left: 0, top: 0, right: stage.width, bottom: stage.height };
    return findPlace(parsed, { rects: now.rects, page }, point, level, isNew, moving?.node);
  };
  const placeOfDragged = (): FoundPlace | undefined => {
    if (!dragged) return undefined;
    const moving = 'start' in dragged ? blockAt(parsed, dragged.start) : undefined;
    const level = 'block' in dragged ? levelOfSource(write(dragged.block)) : moving && levelOf(moving.node);
    return level && placeAt(pointer.current, level, 'block' in dragged, moving);
  };
  /** Puts an image file where it is dropped, or behind the selected block. */
  const receive = (files: FileList | undefined, at?: Point): boolean => {
    const image = [...(files ?? [])].find(({ type }) => type.startsWith('image/'));
    if (!image || readOnly) return false;
    const found = at && placeAt(at, 'content', true);
    if (found) insert('image', found.place, found.needsSection);
    else add('image');
    setFile(image);
    return true;
  };
  const endDrag = () => {
    setDragged(undefined);
    setDropLine(undefined);
  };
  const onDragEnd = () => {
    endDrag();
    // Found anew: on a busy machine, the pointer has gone on since the line was drawn.
    const drop = placeOfDragged();
    if (!drop || !dragged) return;
    if ('block' in dragged) {
      setCanSelectText(false);
      // The timer of dnd-kit is as long and was started before, so that it ends first however busy the machine is.
      window.setTimeout(() => setCanSelectText(true), noSelectionMs);
      insert(dragged.block, drop.place, drop.needsSection);
    } else {
      const from = blockAt(parsed, dragged.start);
      if (from) move(from, drop.place);
    }
  };
  const nameOfDragged = (() => {
    if (!dragged) return '';
    if ('block' in dragged) return t(`kind.${dragged.block}`);
    const from = blockAt(parsed, dragged.start);
    return from ? nameOfBlock(from) : '';
  })();

  const inBlock = useMemo(() => problemsByBlock(blocks, source, problems), [blocks, source, problems]);
  // Another block may have been selected from outside, such as from a list of problems.
  const isEditing = canSelectText && edited?.selection === snapshot.selection && canEdit(block);
  const element = block?.node.kind === 'element' ? block.node : undefined;
  const isOneLine = element?.name === 'mj-button';
  const menu = (
    <Menu opened={isAdding} onChange={setAdding} position="bottom-start" shadow="md" width={220}>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconPlus size={16} stroke={1.75} />}>
          {t('add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflow: 'auto' }}>
        {offeredBlocks.map((offered) => (
          <Menu.Item key={offered} onClick={() => add(offered)}>
            {t(`kind.${offered}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
  const settings = (
    <section
      ref={properties}
      className={classes.properties}
      aria-label={t('properties')}
      data-empty={block === undefined || undefined}
    >
      {isFailed && (
        <Text size="xs" c="var(--app-warning)" mb="xs" role="status">
          {t('broken')}
        </Text>
      )}
      {block ? (
        <Properties
          key={block.node.start}
          store={store}
          parsed={parsed}
          block={block}
          blocks={blocks}
          problems={inBlock.get(block) ?? []}
          readOnly={readOnly}
          brandId={brandId}
          sources={sources}
          file={file}
          onFileDone={() => setFile(undefined)}
          values={texts.values}
          onSelect={(one) => {
            setEdited(undefined);
            store.select(one.node.start);
          }}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('nothing')}
        </Text>
      )}
    </section>
  );
  return (
    <DndContext
      sensors={sensors}
      onDragStart={({ active, activatorEvent: { target } }) => {
        setEdited(undefined);
        if (active.id !== 'block') setDragged(active.data.current as Dragged);
        else if (target instanceof HTMLElement) {
          const pressed = blocks[Number(target.dataset['index'])];
          setDragged(pressed && { start: pressed.node.start });
        }
      }}
      onDragMove={() => setDropLine(placeOfDragged()?.line)}
      onDragEnd={onDragEnd}
      onDragCancel={endDrag}
      accessibility={{
        screenReaderInstructions: { draggable: t('keys') },
        announcements: {
          onDragStart: () => undefined,
          onDragOver: () => undefined,
          onDragEnd: () => undefined,
          onDragCancel: () => t('cancelled'),
        },
      }}
    >
      <div className={classes.panes} data-wide={isWide || undefined}>
        <Canvas
          html={compiled?.html ?? ''}
          source={compiled?.parsed.source ?? ''}
          drawn={compiledBlocks}
          blocks={isCurrent ? blocks : compiledBlocks}
          isCurrent={isCurrent}
          selected={isCurrent ? index : -1}
          onSelect={(clicked, at) => select(blocks[clicked]!, at)}
          onEnter={(entered) => select(blocks[entered]!)}
          onKeyDown={onKeyDown}
          onFiles={receive}
          problemCounts={JSON.stringify(
            Object.fromEntries([...inBlock].map(([one, found]) => [blocks.indexOf(one), found.length])),
          )}
          readOnly={readOnly || !isWide}
          width={device === 'phone' ? 375 : 640}
          look={look}
          dropLine={dropLine}
          shown={shown}
        >
          {({ frame, stage }) => {
            const over = isEditing && isCurrent && element && textElement(frame, index);
            if (!over || !element) return null;
            const rect = over.getBoundingClientRect();
            const close = () => {
              setEdited(undefined);
              stage.querySelector<HTMLElement>('[aria-selected=true]')?.focus({ preventScroll: true });
            };
            const current = () => {
              const { parsed: now, selected: start, selection } = store.read();
              // A last letter must not be written into a block that was selected meanwhile.
              if (selection !== snapshot.selection) return undefined;
              const { node } = (start !== undefined && blockAt(now, start)) || {};
              return node?.kind === 'element' ? { now, node } : undefined;
            };
            return (
              <TextEditor
                key={edited.count}
                label={block ? nameOfBlock(block) : ''}
                read={() => {
                  const { now, node } = current() ?? {};
                  return now && node && now.source.slice(node.contentStart, node.contentEnd);
                }}
                subscribe={store.subscribe}
                onChange={(content) => {
                  const { now, node } = current() ?? {};
                  if (now && node) store.apply({ splices: setBlockContent(now, node, content) }, 'text');
                }}
                over={over}
                rect={rect}
                look={{ values: texts.values, nameOf: (code) => nameOfCode(code, texts) }}
                isOneLine={isOneLine}
                at={edited.at}
                onEnter={
                  isOneLine ? close : kindOf(element, source) === 'heading' ? () => add('text') : undefined
                }
                onClose={close}
                onStep={(by) => step(index, by)}
                onSlash={() => setAdding(true)}
                onUndo={() => store.undo()}
                onRedo={() => store.redo()}
                onReady={setEditor}
              />
            );
          }}
        </Canvas>
        <div className={classes.tools}>
          <Group gap="xs">
            {!readOnly && menu}
            <SegmentedControl
              aria-label={t('device')}
              size="xs"
              value={device}
              onChange={setDevice}
              data={[
                { value: 'desktop', label: t('desktop') },
                { value: 'phone', label: t('phone') },
              ]}
            />
            <SegmentedControl
              aria-label={t('look')}
              size="xs"
              value={look}
              onChange={setLook}
              data={(['light', 'inverted', 'noImages'] as const).map((value) => ({
                value,
                label: t(`looks.${value}`),
              }))}
            />
          </Group>
          {isEditing && editor && element && (
            <TextToolbar
              editor={editor}
              isOneLine={isOneLine}
              sources={sources}
              colors={colorsOf(parsed, texts.values)}
              align={readAttribute(source, element.attributes, 'align') ?? 'left'}
              onAlign={(align) =>
                store.apply({ splices: setBlockAttribute(parsed, element, 'align', align) })
              }
            />
          )}
          <span className={classes.grow} />
          {!readOnly && block && (
            <Group gap={4}>
              <Tool
                label={t('up')}
                icon={IconArrowUp}
                disabled={!nextPlace(parsed, block, -1)}
                onClick={() => move(block, nextPlace(parsed, block, -1))}
              />
              <Tool
                label={t('down')}
                icon={IconArrowDown}
                disabled={!nextPlace(parsed, block, 1)}
                onClick={() => move(block, nextPlace(parsed, block, 1))}
              />
              <Tool
                label={t('duplicate')}
                icon={IconCopy}
                onClick={() => apply(duplicateBlock(parsed, block))}
              />
              <Tool label={t('remove')} icon={IconTrash} onClick={() => remove(block)} />
            </Group>
          )}
        </div>
        {isWide && !readOnly && (
          <section className={classes.palette} aria-label={t('add')}>
            {offeredBlocks.map((offered) => (
              <Tile key={offered} block={offered} onAdd={add} />
            ))}
            <Text size="xs" c="dimmed">
              {t('addHint')}
            </Text>
          </section>
        )}
        {isWide ? (
          <SidePanel {...settingsPanel} label={t('properties')} side="end" className={classes.settings}>
            {settings}
          </SidePanel>
        ) : (
          settings
        )}
      </div>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <DragOverlay dropAnimation={null}>
        {dragged ? <span className={classes.dragged}>{nameOfDragged}</span> : null}
      </DragOverlay>
    </DndContext>
  );
}

/** The fields of a list of content items; undefined until their collection is chosen. */
function useItemFields(collection: string | undefined) {
  const scope = useOrganization();
  const { data } = useQuery({
    ...fieldsQuery(scope, collection ?? ''),
    enabled: collection !== undefined && scope.can('read', 'Content'),
  });
  return data && listFieldsOf(data.data);
}

/** What the canvas shows for merge tags. */
function useTexts(brandId: string | undefined): CanvasTexts {
  const { api, can } = useOrganization();
  const { data: brand } = useQuery(
    api.brands.get.queryOptions({
      input: { id: brandId ?? '' },
      enabled: brandId !== undefined && can('read', 'Brand'),
    }),
  );
  return useMemo(() => {
    const shades = brandShades[brand?.color ?? 'blue'].light;
    return {
      values: {
        'brand.color': shades.fill,
        'brand.tint': shades.tint,
        'brand.name': brand?.name ?? '',
        'brand.logo_url': brand?.logo_url ?? '',
      },
      nameOf: (path) => path.replace(/^(?:contact|item)\./, '').replaceAll(/[._]/g, ' '),
    };
  }, [brand]);
}

function isText({ node }: Pick<Located, 'node'>, source: string): boolean {
  if (node.kind !== 'element' || node.isUnclosed || node.isSelfClosing) return false;
  if (node.name !== 'mj-text' && node.name !== 'mj-button') return false;
  return isEditableText(source.slice(node.contentStart, node.contentEnd), node.name === 'mj-button');
}

function Tile({ block, onAdd }: { block: OfferedBlock; onAdd: (block: OfferedBlock) => void }) {
  const { t } = useTranslation('editor');
  const { setNodeRef, listeners } = useDraggable({ id: `new-${block}`, data: { block } });
  return (
    <UnstyledButton ref={setNodeRef} {...listeners} className={classes.tile} onClick={() => onAdd(block)}>
      {t(`kind.${block}`)}
    </UnstyledButton>
  );
}
