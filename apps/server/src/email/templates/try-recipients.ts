import { Context } from 'liquidjs';
import type { EmailSnapshot } from '../email-content.ts';
import { toHeaderText } from '../encoding/header-text.ts';
import { createLinkTargets } from '../links/link-targets.ts';
import { tokenPurposes, type MessageTokens } from '../links/tokens.ts';
import { watchStructures } from '../liquid/capped-emitter.ts';
import { createLiquidEngine } from '../liquid/liquid-engine.ts';
import { RenderError } from '../liquid/render-error.ts';
import { renderNodes } from '../liquid/template-part.ts';
import { createEmailRenderer, type EmailRenderer } from '../mime/email-renderer.ts';
import type { Trial } from '../trial.ts';
import { threadCpuMs } from '../../platform/cpu-time.ts';

/** CPU time of all recipients, of the 2 s that the process has. */
const trialLimitMs = 1_000;
const renderLimitMs = 500;

type Contact = Record<string, unknown>;

/**
 * Builds the messages of recipients as a send would, and counts what goes wrong because of their values. What the renderer
 * decides is not decided here a second time. Runs in a template process, and stops at a time limit.
 */
export function tryRecipients(snapshot: EmailSnapshot, contacts: readonly Contact[]): Trial {
  const renderer = createTrialRenderer(snapshot);
  const findNowhere = createNowhereFinder(snapshot);
  const subjectOf = createSubjectReader(snapshot);
  const failed = new Map<string, Trial['failed'][number]>();
  const nowhere = new Map<number, number>();
  const structures = new Map<string, number>();
  let emptySubjects = 0;
  let tried = 0;
  const startedAt = threadCpuMs();
  for (const contact of contacts) {
    if (tried > 0 && threadCpuMs() - startedAt > trialLimitMs) break;
    tried += 1;
    const printed = new Set<object>();
    try {
      watchStructures(
        (value) => printed.add(value),
        () => build(renderer, contact),
      );
      if (subjectOf(contact) === '') emptySubjects += 1;
      for (const linkNo of findNowhere(contact)) addTo(nowhere, linkNo);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      const key = JSON.stringify(error.sendError);
      const known = failed.get(key);
      if (known === undefined) failed.set(key, { error: error.sendError, count: 1 });
      else known.count += 1;
    }
    for (const variable of new Set([...printed].flatMap((value) => nameOf(value, contact))))
      addTo(structures, variable);
  }
  return {
    tried,
    failed: [...failed.values()],
    emptySubjects,
    nowhere: [...nowhere].map(([linkNo, count]) => ({ url: snapshot.links[linkNo]!.url, count })),
    structures: [...structures].map(([variable, count]) => ({ variable, count })),
  };
}

const addTo = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);

/** As long as those of a real message; nothing in it is ever shown. */
const tokens = Object.fromEntries(tokenPurposes.map((purpose) => [purpose, 'x'.repeat(45)])) as MessageTokens;
const date = new Date(0);

const createTrialRenderer = (snapshot: EmailSnapshot): EmailRenderer =>
  createEmailRenderer(snapshot, {
    publicUrl: 'https://localhost',
    signer: { sign: () => tokens },
    sendNumber: 1,
    messageIdBase: 'x'.repeat(36),
    bounceDomain: 'localhost',
    headers: { feedbackId: 'x', listId: 'x' },
  });

function build(renderer: EmailRenderer, variables: Contact): void {
  renderer.build({ seq: 1, contactId: 'x', address: 'recipient@example.com', variables }, date);
}

function createSubjectReader({ subject, context }: EmailSnapshot): (contact: Contact) => string {
  const engine = createLiquidEngine('plain', renderLimitMs);
  const nodes = engine.parse(subject);
  return (contact) => {
    const scope = { ...context, contact, links: {} };
    return toHeaderText(
      renderNodes(engine, nodes, new Context(scope, engine.liquid.options, { sync: true })),
    );
  };
}

/** @returns a function with the links that lead nowhere for a contact; a condition may hide others */
function createNowhereFinder(snapshot: EmailSnapshot): (contact: Contact) => number[] {
  const targets = createLinkTargets(snapshot);
  const engine = createLiquidEngine('html', renderLimitMs);
  const nodes = engine.parse(snapshot.html);
  const personal = [...snapshot.links.keys()].filter((linkNo) => snapshot.links[linkNo]!.personal);
  return (contact) => {
    const missing = personal.filter((linkNo) => targets.find(contact, linkNo) === undefined);
    if (missing.length === 0) return [];
    const mark = (linkNo: number) => `nowhere-${linkNo}-`;
    const links = Object.fromEntries(missing.map((linkNo) => [`click_${linkNo}`, mark(linkNo)]));
    const scope = { ...snapshot.context, contact, links };
    const html = renderNodes(engine, nodes, new Context(scope, engine.liquid.options, { sync: true }));
    return missing.filter((linkNo) => html.includes(mark(linkNo)));
  };
}

/** How deep objects in a contact are searched for a value. */
const maxDepth = 3;

/** @returns the path of a value in a contact, if it is there */
function nameOf(value: object, contact: Contact, path = 'contact', depth = 0): string[] {
  if (depth === maxDepth) return [];
  for (const [name, inner] of Object.entries(contact)) {
    if (inner === value) return [`${path}.${name}`];
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue;
    const found = nameOf(value, inner as Contact, `${path}.${name}`, depth + 1);
    if (found.length > 0) return found;
  }
  return [];
}
