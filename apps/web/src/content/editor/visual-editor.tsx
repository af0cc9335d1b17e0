import { DndContext, DragOverlay } from '@dnd-kit/core';
import { Group, Text, VisuallyHidden } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SidePanel } from '#web/identity/account/side-panel.tsx';
import { QuietText } from '#web/ui/text.ts';
import { pressBlockKey } from './block-keys.ts';
import { Canvas, type Shown } from './canvas/canvas.tsx';
import { useCompiled } from './canvas/use-compiled.ts';
import { EditedText } from './edited-text.tsx';
import { AddMenu, BlockTools, Palette, ShowingChoice, type Showing } from './editor-tools.tsx';
import { settingsPanel, useIsWide } from './mail-editor-skeleton.tsx';
import classes from './mail-editor.module.css';
import { Properties } from './properties.tsx';
import { isSameShape, listBlocks } from './source/operations.ts';
import { problemsByBlock } from './source/problem-blocks.ts';
import { TextToolbar } from './text/text-toolbar.tsx';
import { useBlockDrag } from './use-block-drag.ts';
import { useBlockEditor, type EditedDocument } from './use-block-editor.ts';

/** The email, with what can be put into it and what can be set. */
export function VisualEditor(document: EditedDocument) {
  const { t } = useTranslation('editor');
  const isWide = useIsWide();
  const [chosen, setChosen] = useState<Partial<Showing>>();
  const showing: Showing = { device: isWide ? 'desktop' : 'phone', look: 'light', ...chosen };
  const [isAdding, setAdding] = useState(false);
  const [textEditor, setTextEditor] = useState<Editor>();
  const shown = useRef<Shown>(undefined);
  const properties = useRef<HTMLElement>(null);
  const editor = useBlockEditor(document);
  const { snapshot, parsed, texts, blocks, block, readOnly } = editor;
  const { compiled, isFailed } = useCompiled(parsed, texts, snapshot.isTyping);
  const drawn = useMemo(() => (compiled ? listBlocks(compiled.parsed) : []), [compiled]);
  const isCurrent = isSameShape(drawn, blocks);
  const drag = useBlockDrag(editor, shown, isCurrent);
  const edited = drag.canSelectText ? editor.edited : undefined;
  const problems = useMemo(
    () => problemsByBlock(blocks, snapshot.source, document.problems),
    [blocks, snapshot.source, document.problems],
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
          editor={editor}
          block={block}
          problems={problems.get(block) ?? []}
        />
      ) : (
        <QuietText>{t('nothing')}</QuietText>
      )}
    </section>
  );
  return (
    <DndContext {...drag.context}>
      <div className={classes.panes} data-wide={isWide || undefined}>
        <Canvas
          editor={editor}
          compiled={compiled}
          drawn={drawn}
          isCurrent={isCurrent}
          onKeyDown={(event) =>
            pressBlockKey(event, editor, {
              newBlocks: () => setAdding(true),
              settings: () =>
                properties.current?.querySelector<HTMLElement>('input, select, button')?.focus(),
            })
          }
          onFiles={drag.receive}
          problemCounts={JSON.stringify(
            Object.fromEntries([...problems].map(([one, found]) => [blocks.indexOf(one), found.length])),
          )}
          canDrag={!readOnly && isWide}
          width={showing.device === 'phone' ? 375 : 640}
          look={showing.look}
          dropLine={drag.dropLine}
          shown={shown}
        >
          {(now) =>
            edited &&
            isCurrent && (
              <EditedText
                editor={editor}
                shown={now}
                onSlash={() => setAdding(true)}
                onReady={setTextEditor}
              />
            )
          }
        </Canvas>
        <div className={classes.tools}>
          <Group gap="xs">
            {!readOnly && <AddMenu opened={isAdding} onChange={setAdding} onAdd={editor.add} />}
            <ShowingChoice value={showing} onChange={(change) => setChosen({ ...chosen, ...change })} />
          </Group>
          {edited && textEditor && (
            <TextToolbar blocks={editor} element={edited.element} editor={textEditor} />
          )}
          <span className={classes.grow} />
          <BlockTools editor={editor} />
        </div>
        {isWide && !readOnly && <Palette onAdd={editor.add} />}
        {isWide ? (
          <SidePanel {...settingsPanel} label={t('properties')} side="end" className={classes.settings}>
            {settings}
          </SidePanel>
        ) : (
          settings
        )}
      </div>
      <VisuallyHidden role="status">{editor.said}</VisuallyHidden>
      <DragOverlay dropAnimation={null}>
        {drag.name !== undefined && <span className={classes.dragged}>{drag.name}</span>}
      </DragOverlay>
    </DndContext>
  );
}
