import { Context, Output, type Template, TypeGuards } from 'liquidjs';
import type { CompileProblem, EmailContent, EmailContext } from '../email-content.ts';
import { nowhereLinks } from './nowhere-links.ts';
import { renderSnapshot } from './render-snapshot.ts';
import { createLiquidEngine, type LiquidEngine } from '../liquid/liquid-engine.ts';
import { walkNodes } from '../liquid/liquid-nodes.ts';
import { renderNodes } from '../liquid/template-part.ts';

export interface EmailPreview {
  subject: string;
  preheader: string;
  html: string;
  text: string;
  warnings: CompileProblem[];
}

const renderLimitMs = 1500;

/** Does the work of `renderPreview`. Runs in a template process, which may be killed at any moment. */
export async function previewEmail(
  content: EmailContent,
  context: EmailContext,
  contact: Record<string, unknown>,
): Promise<EmailPreview> {
  const { snapshot, fullHtml, problems } = await renderSnapshot(content, context);
  const empty = { subject: '', preheader: '', html: '', text: '', warnings: problems };
  if (snapshot === undefined) return empty;
  const html = createLiquidEngine('html', renderLimitMs);
  const plain = createLiquidEngine('plain', renderLimitMs);
  const links: Record<string, string> = { ...nowhereLinks };
  const scope = { ...context, contact, links };
  try {
    const missing = new Map<string, CompileProblem>();
    const subject = renderNoting(plain, content.subject, scope, 'subject', content, missing);
    const preheader = renderNoting(plain, content.preheader, scope, 'preheader', content, missing);
    renderNoting(html, fullHtml, scope, 'mjml', content, missing);
    for (const [index, { url, personal }] of snapshot.links.entries()) {
      const address = personal ? render(plain, plain.parse(url), scope) : url;
      links[`click_${index}`] = /^https?:\/\//i.test(address.trim()) ? address.trim() : '#';
    }
    return {
      subject,
      preheader,
      html: render(html, html.parse(snapshot.html), scope),
      text: render(plain, plain.parse(snapshot.text), scope),
      warnings: [...problems, ...missing.values()],
    };
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 500) : String(error);
    return { ...empty, warnings: [...problems, { code: 'render_failed', severity: 'error', message }] };
  }
}

function render(engine: LiquidEngine, nodes: Template[], scope: object): string {
  return renderNodes(engine, nodes, new Context(scope, engine.liquid.options, { sync: true }));
}

/** Renders, and notes each variable that was printed and turned out empty. A default counts as not empty. */
function renderNoting(
  engine: LiquidEngine,
  source: string,
  scope: object,
  field: 'subject' | 'preheader' | 'mjml',
  content: EmailContent,
  missing: Map<string, CompileProblem>,
): string {
  const nodes = engine.parse(source);
  for (const node of walkNodes(nodes)) {
    if (!(node instanceof Output)) continue;
    const variable = printedVariable(node);
    if (variable === undefined || variable.startsWith('links.') || missing.has(variable)) continue;
    const original = node.render.bind(node);
    node.render = function* note(liquidContext, emitter) {
      const before = emitter.buffer.length;
      yield* original(liquidContext, emitter);
      if (emitter.buffer.length > before) return;
      const line = lineOf(content[field], node.token.getText());
      missing.set(variable, {
        code: 'variable_empty',
        severity: 'warning',
        message: `${variable} renders empty.`,
        variable,
        field,
        ...(line === undefined ? {} : { line }),
      });
    };
  }
  return render(engine, nodes, scope);
}

/** `contact.first_name` of `{{ contact.first_name | upcase }}`; undefined for anything but a plain path. */
function printedVariable({ value }: Output): string | undefined {
  const [expression] = value.initial.postfix;
  return expression !== undefined && TypeGuards.isPropertyAccessToken(expression)
    ? expression.input.slice(expression.begin, expression.end).trim()
    : undefined;
}

function lineOf(source: string, part: string): number | undefined {
  const at = source.indexOf(part);
  return at < 0 ? undefined : source.slice(0, at).split('\n').length;
}
