import { defaultKeymap, historyKeymap, indentWithTab } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import {
  EditorState,
  RangeSetBuilder,
  StateEffect,
  StateField,
  type Extension,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state';
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

/** A document that has other views, too. Its history is part of its state. */
export interface SharedDocument {
  readonly state: EditorState;
  /** Adds what this view needs to the state. @returns ends it */
  connect: (view: { dispatch: (spec: TransactionSpec) => void }, extensions: Extension) => () => void;
  /** Takes over what the view has done. */
  adopt: (transactions: readonly Transaction[]) => void;
}

interface Props {
  document: SharedDocument;
  label: string;
  problems: readonly LineProblem[];
  readOnly?: boolean;
  /** The line (1-based) shown and focused initially. */
  startLine?: number | undefined;
  handle?: Ref<CodeEditorHandle>;
}

/** A source editor for MJML with Liquid. Tab indents; Escape followed by Tab moves the focus out. */
export default function CodeEditor({
  document,
  label,
  problems: found,
  readOnly = false,
  startLine,
  handle,
}: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);

  useEffect(() => {
    if (!host.current) return undefined;
    const disconnect = document.connect({ dispatch: (spec) => view.current?.dispatch(spec) }, [
      lineNumbers(),
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
      looks,
    ]);
    const created = new EditorView({
      parent: host.current,
      state: document.state,
      dispatchTransactions: (transactions, editor) => {
        editor.update(transactions);
        document.adopt(transactions);
      },
    });
    view.current = created;
    if (startLine !== undefined) goTo(created, startLine);
    return () => {
      created.destroy();
      view.current = undefined;
      disconnect();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the line to begin with is read once, and the label changes with the language only
  }, [document, label, readOnly]);

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
