import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
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
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import { colors, looks } from './code-editor-theme.ts';

export interface CodeEditorHandle {
  /** Scrolls to and focuses a line (1-based). */
  goTo: (line: number) => void;
  /** Replaces the whole text; can be undone like typing. */
  replace: (text: string) => void;
  /** Inserts a text at the cursor, replacing the selection, and moves the cursor behind it. */
  insert: (text: string) => void;
}

export interface LineProblem {
  /** 1-based; null if the problem has no position. */
  line: number | null;
  severity: 'error' | 'warning';
}

interface Props {
  /** The initial text; later changes come from typing. Pass a new `key` to reset. */
  initial: string;
  onChange: (text: string) => void;
  label: string;
  problems: readonly LineProblem[];
  readOnly?: boolean;
  /** The line (1-based) shown and focused initially. */
  startLine?: number | undefined;
  handle?: Ref<CodeEditorHandle>;
}

/** A source editor for MJML with Liquid. Tab indents; Escape followed by Tab moves the focus out. */
export default function CodeEditor({
  initial,
  onChange,
  label,
  problems: found,
  readOnly = false,
  startLine,
  handle,
}: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const written = useRef(initial);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });

  useEffect(() => {
    if (!host.current) return undefined;
    const created = new EditorView({
      parent: host.current,
      state: EditorState.create({
        // A change of the language creates the editor anew, with what is written by then.
        doc: written.current,
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
            if (!update.docChanged) return;
            written.current = update.state.doc.toString();
            latest.current(written.current);
          }),
          looks,
        ],
      }),
    });
    view.current = created;
    if (startLine !== undefined) goTo(created, startLine);
    return () => created.destroy();
    // oxlint-disable-next-line react/exhaustive-deps -- text and line to begin with are read once, and the label changes with the language only
  }, [label, readOnly]);

  useEffect(() => {
    view.current?.dispatch({ effects: setProblems.of(found) });
  }, [found]);

  useImperativeHandle(handle, () => ({
    replace: (text) => {
      const editor = view.current;
      editor?.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
    },
    insert: (text) => {
      const editor = view.current;
      if (!editor) return;
      editor.dispatch(editor.state.replaceSelection(text));
      editor.focus();
    },
    goTo: (line) => {
      if (view.current) goTo(view.current, line);
    },
  }));

  return <div ref={host} />;
}

function goTo(editor: EditorView, number: number): void {
  const line = editor.state.doc.line(Math.max(1, Math.min(number, editor.state.doc.lines)));
  editor.dispatch({
    selection: { anchor: line.from },
    effects: EditorView.scrollIntoView(line.from, { y: 'center' }),
  });
  editor.focus();
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
