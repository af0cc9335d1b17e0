import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  type DecorationSet,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';

export interface CodeEditorHandle {
  /** Shows and focuses a line, counted from 1. */
  goTo: (line: number) => void;
}

export interface LineProblem {
  /** Counted from 1; null where the problem has no place. */
  line: number | null;
  severity: 'error' | 'warning';
}

interface Props {
  /** The text to begin with; later changes come from typing. Give a new `key` to begin anew. */
  initial: string;
  onChange: (text: string) => void;
  label: string;
  problems: readonly LineProblem[];
  readOnly?: boolean;
  handle?: Ref<CodeEditorHandle>;
}

/** A source editor for MJML with Liquid. Tab indents; Escape, then Tab, leaves it. */
export default function CodeEditor({
  initial,
  onChange,
  label,
  problems: found,
  readOnly = false,
  handle,
}: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });

  useEffect(() => {
    if (!host.current) return undefined;
    const created = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: initial,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          html({ selfClosingTags: true, matchClosingTags: true }),
          syntaxHighlighting(colors),
          problems,
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorView.lineWrapping,
          EditorState.readOnly.of(readOnly),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current(update.state.doc.toString());
          }),
          looks,
        ],
      }),
    });
    view.current = created;
    return () => created.destroy();
    // oxlint-disable-next-line react/exhaustive-deps -- the text to begin with is read once, and the label changes with the language only
  }, [label, readOnly]);

  useEffect(() => {
    view.current?.dispatch({ effects: setProblems.of(found) });
  }, [found]);

  useImperativeHandle(handle, () => ({
    goTo: (number) => {
      const editor = view.current;
      if (!editor) return;
      const line = editor.state.doc.line(Math.max(1, Math.min(number, editor.state.doc.lines)));
      editor.dispatch({
        selection: { anchor: line.from },
        effects: EditorView.scrollIntoView(line.from, { y: 'center' }),
      });
      editor.focus();
    },
  }));

  return <div ref={host} />;
}

const setProblems = StateEffect.define<readonly LineProblem[]>();

const problems = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (drawn, transaction) => {
    for (const effect of transaction.effects) {
      if (effect.is(setProblems)) return marked(transaction.state, effect.value);
    }
    return drawn.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const marks = {
  error: Decoration.line({ class: 'cm-problem' }),
  warning: Decoration.line({ class: 'cm-remark' }),
};

function marked(state: EditorState, found: readonly LineProblem[]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (let number = 1; number <= state.doc.lines; number += 1) {
    const here = found.filter(({ line }) => line === number);
    if (here.length === 0) continue;
    const { from } = state.doc.line(number);
    builder.add(from, from, here.some(({ severity }) => severity === 'error') ? marks.error : marks.warning);
  }
  return builder.finish();
}

// Tones come from the page's variables, so that a change of theme needs no new editor.
const colors = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--mantine-color-anchor)' },
  { tag: tags.attributeName, color: 'var(--app-warning)' },
  { tag: [tags.attributeValue, tags.string], color: 'var(--app-success)' },
  { tag: [tags.comment, tags.meta], color: 'var(--mantine-color-dimmed)' },
  { tag: tags.invalid, color: 'var(--app-danger)' },
]);

const looks = EditorView.theme({
  '&': {
    height: '640px',
    fontSize: '13px',
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--app-card)',
    border: '1px solid var(--app-control)',
    borderRadius: 'var(--mantine-radius-sm)',
  },
  '&.cm-focused': { outline: '2px solid var(--app-ring)', outlineOffset: '2px' },
  '.cm-scroller': {
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    lineHeight: '1.55',
  },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    color: 'var(--mantine-color-dimmed)',
    backgroundColor: 'var(--app-card)',
    borderRight: '1px solid var(--app-hairline)',
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--app-hover) 60%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-marine-5) 35%, transparent)',
  },
  '.cm-remark': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-yellow-5) 14%, transparent)',
    boxShadow: 'inset 3px 0 0 var(--app-warning)',
  },
  '.cm-problem': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-red-5) 16%, transparent)',
    boxShadow: 'inset 3px 0 0 var(--app-danger)',
  },
});
