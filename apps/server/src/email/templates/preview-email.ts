import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { Context, type Template } from 'liquidjs';
import type { CompileProblem, EmailContent, EmailContext, MergeTags } from '../email-content.ts';
import { toHeaderText } from '../encoding/header-text.ts';
import { nowhereLinks, findPlainLinks } from './render-page.ts';
import type { Trial } from '../trial.ts';
import { renderSnapshot } from './render-snapshot.ts';
import { tryRecipients } from './try-recipients.ts';
import { createLiquidEngine, type LiquidEngine } from '../liquid/liquid-engine.ts';
import { renderNodes } from '../liquid/template-part.ts';

export interface EmailPreview {
  subject: string;
  preheader: string;
  html: string;
  text: string;
  tags: MergeTags;
  warnings: CompileProblem[];
  /** Of the one contact; undefined if the email cannot be sent. */
  trial?: Trial;
}

const renderLimitMs = 1500;

/** Does the work of `renderPreview` in a template process, which may be killed at any time. */
export async function previewEmail(
  content: EmailContent,
  context: EmailContext,
  contact: Record<string, unknown>,
): Promise<EmailPreview> {
  const { snapshot, tags, problems } = await renderSnapshot(content, context);
  const empty = { subject: '', preheader: '', html: '', text: '', tags, warnings: problems };
  if (snapshot === undefined) return empty;
  const html = createLiquidEngine('html', renderLimitMs);
  const plain = createLiquidEngine('plain', renderLimitMs);
  try {
    const links = findPlainLinks(snapshot, contact);
    const scope = { ...context, contact, links: { ...nowhereLinks, ...links.html } };
    const textScope = { ...scope, links: { ...nowhereLinks, ...links.text } };
    return {
      subject: toHeaderText(render(plain, plain.parse(content.subject), scope)),
      preheader: render(plain, plain.parse(content.preheader), scope),
      tags,
      html: render(html, html.parse(snapshot.html), scope),
      text: render(plain, plain.parse(snapshot.text), textScope),
      warnings: problems,
      ...(problems.every(({ severity }) => severity === 'warning') && {
        trial: tryRecipients(snapshot, [contact]),
      }),
    };
  } catch (error) {
    const message = error instanceof Error ? cutText(error.message, 500) : String(error);
    return { ...empty, warnings: [...problems, { code: 'render_failed', severity: 'error', message }] };
  }
}

const render = (engine: LiquidEngine, nodes: Template[], scope: object): string =>
  renderNodes(engine, nodes, new Context(scope, engine.liquid.options, { sync: true }));
