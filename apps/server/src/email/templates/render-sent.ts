import { Context } from 'liquidjs';
import type { EmailSnapshot } from '../email-content.ts';
import { toHeaderText } from '../encoding/header-text.ts';
import { createLiquidEngine } from '../liquid/liquid-engine.ts';
import { renderNodes } from '../liquid/template-part.ts';
import { nowhereLinks, findPlainLinks, renderPage } from './render-page.ts';

/** A message as one recipient received it. */
export interface SentEmail {
  subject: string;
  preheader: string;
  html: string;
  text: string;
}

/** In milliseconds; the process has 2 s in total. */
const renderLimitMs = 1_500;

/**
 * Renders a sent email for later display. Links lead to their plain destinations or nowhere, never to tracking or
 * unsubscribe URLs. Runs in a template process.
 * @throws RenderError
 */
export function renderSent(snapshot: EmailSnapshot, contact: Record<string, unknown>): SentEmail {
  const html = renderPage(snapshot, contact, nowhereLinks);
  const { parse, liquid } = createLiquidEngine('plain', renderLimitMs);
  const links = { ...nowhereLinks, ...findPlainLinks(snapshot, contact).text };
  const scope = { ...snapshot.context, contact, links };
  const render = (source: string) =>
    renderNodes({ parse, liquid }, parse(source), new Context(scope, liquid.options, { sync: true }));
  return {
    subject: toHeaderText(render(snapshot.subject)),
    preheader: render(snapshot.preheader),
    html,
    text: render(snapshot.text),
  };
}
