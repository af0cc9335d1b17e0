import type { CompileProblem } from '../email-content.ts';

/** At-rules, and selectors of states and of pseudo-elements: no `style` attribute can contain them. */
const notInlinable = /@[\w-]+|::?(?:hover|active|focus|visited|link|before|after)\b|[{}]/gi;

/**
 * Names what is lost of the CSS of an `mj-style` that is inlined.
 * @param lineAt the line of an offset in `css`
 */
export function findLostCss(css: string, lineAt: (offset: number) => number): CompileProblem[] {
  // Blanks keep the offsets.
  const code = css.replaceAll(/\/\*[^]*?\*\/|"[^"\n]*"|'[^'\n]*'/g, (found) => ' '.repeat(found.length));
  const problems: CompileProblem[] = [];
  const add = (offset: number, message: string) =>
    problems.push({ code: 'css_dropped', severity: 'warning', field: 'mjml', message, line: lineAt(offset) });
  const open: number[] = [];
  for (const { 0: found, index } of code.matchAll(notInlinable)) {
    if (found === '{') open.push(index);
    else if (found === '}') {
      if (open.pop() === undefined) add(index, 'This } of an inlined mj-style closes nothing.');
      // Within a rule or an at-rule, a colon belongs to a declaration, or to what is named already.
    } else if (open.length === 0)
      add(
        index,
        `${found} has no effect in an inlined mj-style: move its rule to one without inline="inline".`,
      );
  }
  const unclosed = open.at(0);
  if (unclosed !== undefined)
    add(unclosed, 'This { of an inlined mj-style is not closed: rules after it may have no effect.');
  return problems;
}
