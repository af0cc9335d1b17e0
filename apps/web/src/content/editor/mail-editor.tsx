import { Group, SegmentedControl, Text } from '@mantine/core';
import type { TemplateProblem } from '@reachout/contract/templates.ts';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import {
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { useTranslation } from 'react-i18next';
import { MergeTags, type TagSources } from '#web/content/templates/merge-tags.tsx';
import CodeEditor, { type CodeEditorHandle } from '#web/ui/code-editor.tsx';
import { FinePrint } from '#web/ui/text.ts';
import { DocumentStore } from './document-store.ts';
import classes from './mail-editor.module.css';
import { listBlocks } from './source/operations.ts';
import { blockOnLine } from './source/problem-blocks.ts';
import { Tool } from './tool.tsx';
import { VisualEditor } from './visual-editor.tsx';

export interface MailEditorHandle {
  /** Shows the block of a line (1-based), or the line itself. */
  goTo: (line: number) => void;
  /** Replaces the whole source; can be undone like typing. */
  replace: (source: string) => void;
}

export interface MailEditorProps {
  /** The initial source; later changes come from the user. Pass a new `key` to reset. */
  initial: string;
  onChange: (source: string) => void;
  /** Found by the server's preview. */
  problems: readonly TemplateProblem[];
  /** The brand whose colors and images are offered; undefined for a template of several brands. */
  brandId: string | undefined;
  /** Whose empty values are counted beside merge tags. */
  sources?: TagSources | undefined;
  readOnly?: boolean;
  /** Opens the code at this line (1-based). */
  startLine?: number | undefined;
  /** Beside the code, and a view in itself. */
  preview?: ReactNode;
  handle?: Ref<MailEditorHandle>;
}

/** Each block has a box in the page. */
const mostBlocks = 4_000;

type View = 'visual' | 'code' | 'preview';

/** Edits the MJML of an email in a canvas or as code. Both change one document with one history. */
export default function MailEditor({ initial, onChange, readOnly = false, ...props }: MailEditorProps) {
  const { problems, brandId, sources, startLine, preview, handle } = props;
  const { t } = useTranslation(['editor', 'templates']);
  const [store] = useState(() => new DocumentStore(initial));
  const snapshot = useSyncExternalStore(store.subscribe, store.read);
  const { parsed } = snapshot;
  const isVisual = parsed.body?.isUnclosed === false;
  const isTooLarge = useMemo(() => listBlocks(parsed).length > mostBlocks, [parsed]);
  const [view, setView] = useState<View>(
    startLine === undefined && isVisual && !isTooLarge ? 'visual' : 'code',
  );
  const [line, setLine] = useState(startLine);
  const code = useRef<CodeEditorHandle>(null);
  const root = useRef<HTMLDivElement>(null);

  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    let before = store.read().source;
    return store.subscribe(() => {
      const now = store.read().source;
      if (now !== before) latest.current(now);
      before = now;
    });
  }, [store]);
  useImperativeHandle(handle, () => ({
    replace: (text) => {
      const wasEmpty = store.read().source.trim() === '';
      store.replace(text);
      // The code was shown only because there was nothing to draw.
      if (wasEmpty && store.read().parsed.body?.isUnclosed === false) setView('visual');
    },
    goTo: (number) => {
      const { parsed: now, source } = store.read();
      const block = view === 'visual' ? blockOnLine(listBlocks(now), source, number) : undefined;
      if (block) {
        store.select(block.node.start);
        requestAnimationFrame(() =>
          root.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus(),
        );
      } else if (view === 'code') code.current?.goTo(number);
      else {
        setLine(number);
        setView('code');
      }
    },
  }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (readOnly || !(event.ctrlKey || event.metaKey) || event.defaultPrevented || isField(event.target))
      return;
    const key = event.key.toLowerCase();
    if (key === 'z' && !event.shiftKey) store.undo();
    else if (key === 'y' || key === 'z') store.redo();
    else return;
    event.preventDefault();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of what is inside
    <div ref={root} className={classes.editor} onKeyDown={onKeyDown}>
      {view === 'visual' &&
        (!isVisual || isTooLarge ? (
          <Text c="dimmed">{t(isVisual ? 'tooLarge' : 'notVisual')}</Text>
        ) : (
          <VisualEditor
            store={store}
            snapshot={snapshot}
            problems={problems}
            brandId={brandId}
            sources={sources}
            readOnly={readOnly}
          />
        ))}
      {view === 'code' && (
        <div className={classes.split} data-beside={preview !== undefined || undefined}>
          <div>
            <CodeEditor
              document={store}
              label={t('templates:editor')}
              problems={problems.filter(({ field }) => field === 'mjml' || field === null)}
              readOnly={readOnly}
              startLine={line}
              handle={code}
            />
            <FinePrint mt={4}>{t('templates:editorHint')}</FinePrint>
          </div>
          {preview}
        </div>
      )}
      {view === 'preview' && preview}
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          aria-label={t('words.view')}
          value={view}
          onChange={(next) => {
            setLine(undefined);
            setView(next);
          }}
          data={[
            { value: 'visual', label: t('visual') },
            { value: 'code', label: t('words.code') },
            ...(preview === undefined ? [] : [{ value: 'preview' as const, label: t('words.preview') }]),
          ]}
        />
        {!readOnly && (
          <Group gap={4}>
            <Tool
              label={t('actions.undo')}
              icon={IconArrowBackUp}
              disabled={!snapshot.canUndo}
              onClick={() => store.undo()}
            />
            <Tool
              label={t('redo')}
              icon={IconArrowForwardUp}
              disabled={!snapshot.canRedo}
              onClick={() => store.redo()}
            />
          </Group>
        )}
        {!readOnly && view === 'code' && (
          <MergeTags sources={sources} onInsert={(tag) => code.current?.insert(tag)} />
        )}
      </div>
    </div>
  );
}

/** Fields have a history of their own. */
const isField = (target: EventTarget): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
