import { history, isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import {
  Compartment,
  EditorState,
  Transaction,
  type Extension,
  type TransactionSpec,
} from '@codemirror/state';
import type { Splice } from './source/attributes.ts';
import { parseSource, type ParsedSource } from './source/parse-source.ts';

/**
 * The document of all views, with one history: a view of CodeMirror takes over the state while it is shown, and visual
 * operations are transactions like typing.
 */
export class DocumentStore {
  #state: EditorState;
  #snapshot: Snapshot;
  #view: { dispatch: (spec: TransactionSpec) => void } | undefined;
  #isTyping = false;
  #selection = 0;
  readonly #ofView = new Compartment();
  readonly #listeners = new Set<() => void>();

  constructor(source: string) {
    this.#state = EditorState.create({
      doc: source,
      extensions: [
        // Any other character, such as CR, belongs to the lines, so that the document keeps its bytes.
        EditorState.lineSeparator.of('\n'),
        history({ newGroupDelay: 700 }),
        this.#ofView.of([]),
      ],
    });
    this.#snapshot = new Snapshot(this.#state, source);
  }

  /** Changes with each change of the document. */
  readonly read = (): Snapshot => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get state(): EditorState {
    return this.#state;
  }

  /** Selects the block that begins at an offset. */
  select(start: number | undefined): void {
    if (this.#selected === start) return;
    this.#selection += 1;
    this.#publish(this.#snapshot.source, start);
  }

  /**
   * @param selected  where the selected block begins afterwards; by default, the selection stays
   * @param kind  successive changes are undone together if they are letters of a text, or of a setting; a text shows its letters
   *   itself, so that the email may be drawn later
   */
  apply({ splices, selected }: Change, kind?: 'text' | 'setting'): void {
    this.#isTyping = kind === 'text';
    if (splices.length > 0)
      this.dispatch({
        changes: splices.map(({ from, to, insert }) => ({ from, to, insert })),
        userEvent: kind === undefined ? 'input.block' : 'input.type',
        ...(kind === undefined ? { annotations: isolateHistory.of('full') } : {}),
      });
    this.#isTyping = false;
    if (selected !== undefined) this.select(selected);
  }

  /** Replaces the whole document; can be undone. */
  replace(source: string): void {
    this.apply({ splices: [{ from: 0, to: this.#state.doc.length, insert: source }] });
  }

  undo(): boolean {
    return undo({ state: this.#state, dispatch: (transaction) => this.dispatch(transaction) });
  }

  redo(): boolean {
    return redo({ state: this.#state, dispatch: (transaction) => this.dispatch(transaction) });
  }

  dispatch(spec: TransactionSpec | Transaction): void {
    if (this.#view) this.#view.dispatch(spec);
    else this.adopt([spec instanceof Transaction ? spec : this.#state.update(spec)]);
  }

  /** Lets a view show the document. @returns ends it */
  connect(view: { dispatch: (spec: TransactionSpec) => void }, extensions: Extension): () => void {
    this.#state = this.#state.update({ effects: this.#ofView.reconfigure(extensions) }).state;
    this.#view = view;
    return () => {
      this.#view = undefined;
      this.#state = this.#state.update({ effects: this.#ofView.reconfigure([]) }).state;
    };
  }

  /** Takes over what a view has done. */
  adopt(transactions: readonly Transaction[]): void {
    const last = transactions.at(-1);
    if (last === undefined) return;
    this.#state = last.state;
    if (!transactions.some(({ docChanged }) => docChanged)) return;
    let selected = this.#selected;
    for (const { changes } of transactions)
      if (selected !== undefined) selected = changes.mapPos(selected, 1);
    this.#publish(last.state.doc.toString(), selected);
  }

  get #selected(): number | undefined {
    return this.#snapshot.selected;
  }

  #publish(source: string, selected: number | undefined): void {
    this.#snapshot = new Snapshot(
      this.#state,
      source,
      selected,
      this.#snapshot,
      this.#isTyping,
      this.#selection,
    );
    for (const listener of this.#listeners) listener();
  }
}

interface Change {
  splices: readonly Splice[];
  selected?: number | undefined;
}

/** The document at one time. */
export class Snapshot {
  readonly source: string;
  /** Where the selected block begins. */
  readonly selected: number | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Whether it came from a letter of a text, of which more may follow at once. */
  readonly isTyping: boolean;
  /** Changes when another block is selected, not when changes of the document move the selected one. */
  readonly selection: number;
  #parsed: ParsedSource | undefined;

  constructor(
    state: EditorState,
    source: string,
    selected?: number,
    before?: Snapshot,
    isTyping = false,
    selection = 0,
  ) {
    this.source = source;
    this.selected = selected;
    this.canUndo = undoDepth(state) > 0;
    this.canRedo = redoDepth(state) > 0;
    this.isTyping = isTyping;
    this.selection = selection;
    if (before?.source === source) this.#parsed = before.#parsed;
  }

  get parsed(): ParsedSource {
    this.#parsed ??= parseSource(this.source);
    return this.#parsed;
  }
}
