import { parser, RuleType, type MarkdownToJSX } from 'markdown-to-jsx/react';

/** How texts of the help are read: markup in them is text. */
export const parserOptions = {
  disableParsingRawHTML: true,
  disableFrontmatter: true,
  forceBlock: true,
} as const;

/** @returns the level of the highest heading of a text, in whatever way it is marked; 6 without one */
export const highestHeading = (text: string): number => Math.min(6, ...levelsIn(parser(text, parserOptions)));

/** Headings can also stand in quotations and lists. */
function levelsIn(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(levelsIn);
  if (typeof value !== 'object' || value === null) return [];
  const node = value as MarkdownToJSX.ASTNode;
  return node.type === RuleType.heading ? [node.level] : Object.values(node).flatMap(levelsIn);
}
