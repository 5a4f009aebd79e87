import {
  defaultKeymap,
  history,
  historyField,
  historyKeymap,
  indentWithTab,
  isolateHistory,
  undo,
} from "@codemirror/commands";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import {
  bracketMatching,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

/** An editor for handler.mjs. */
export class Editor {
  readonly #parent: Element;
  #view!: EditorView; // since the first code was opened
  readonly #extensions;

  constructor(parent: Element, onChange: () => void, run: () => void) {
    this.#parent = parent;
    this.#extensions = [
      lineNumbers(),
      history(),
      bracketMatching(),
      indentOnInput(),
      EditorView.lineWrapping,
      javascriptLanguage,
      syntaxHighlighting(classHighlighter),
      keymap.of([
        { key: "Mod-Enter", run: () => (run(), true) },
        ...[...defaultKeymap, ...historyKeymap, indentWithTab],
      ]),
      EditorView.contentAttributes.of({
        "aria-label": "handler.mjs",
        tabindex: "0",
        "aria-describedby": "lab-keys",
      }),
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged) onChange();
      }),
    ];
  }

  get code(): string {
    return this.#view.state.doc.toString();
  }

  /** The code and what can be undone, as JSON. */
  get saved(): string {
    return JSON.stringify(this.#view.state.toJSON({ history: historyField }));
  }

  /** Opens other code at its start, or what was saved. */
  open(doc: string, isReadOnly: boolean, saved?: string): void {
    const readOnly = EditorState.readOnly.of(isReadOnly);
    const config = { doc, extensions: [...this.#extensions, readOnly] };
    const state = saved
      ? EditorState.fromJSON(JSON.parse(saved), config, {
        history: historyField,
      })
      : EditorState.create(config);
    // Another view starts at the top, even if it is not visible.
    this.#view?.destroy();
    this.#view = new EditorView({ state, parent: this.#parent });
  }

  /** Replaces the code; undo restores it. */
  replace(insert: string): void {
    const { length } = this.#view.state.doc;
    this.#view.dispatch({
      changes: { from: 0, to: length, insert },
      annotations: isolateHistory.of("full"),
    });
  }

  /** Returns whether there was an edit to undo. */
  undo(): boolean {
    return undo(this.#view);
  }

  /** Marks an error. Line 0 removes the mark. */
  mark(line: number, column: number, message: string): void {
    const from = this.#find(line, column);
    const { state } = this.#view;
    const to = state.wordAt(from)?.to ?? Math.min(from + 1, state.doc.length);
    const marks = line === 0
      ? []
      : [{ from, to, severity: "error" as const, message }];
    this.#view.dispatch(setDiagnostics(state, marks));
  }

  /** Moves the cursor to a place. */
  focus(line: number, column: number): void {
    const anchor = this.#find(line, column);
    const effects = EditorView.scrollIntoView(anchor, { y: "center" });
    this.#view.dispatch({ selection: { anchor }, effects });
    this.#view.focus();
  }

  #find(line: number, column: number): number {
    const { doc } = this.#view.state;
    const { from, to } = doc.line(Math.max(1, Math.min(line, doc.lines)));
    return Math.max(from, Math.min(from + column - 1, to));
  }
}
