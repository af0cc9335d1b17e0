import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

// The colors are CSS variables of the page, so a theme change needs no new editor.
export const colors = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--mantine-color-anchor)' },
  { tag: tags.attributeName, color: 'var(--app-warning)' },
  { tag: [tags.attributeValue, tags.string], color: 'var(--app-success)' },
  { tag: [tags.comment, tags.meta], color: 'var(--mantine-color-dimmed)' },
  { tag: tags.invalid, color: 'var(--app-danger)' },
]);

export const looks = EditorView.theme({
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
