import { CaptureTag, type Context, Liquid, type Template } from 'liquidjs';
import { CappedEmitter, outputLimit, stringify } from './capped-emitter.ts';
import { escapeHtml } from './escape-html.ts';
import { sanitizeRichText } from './rich-text.ts';
import { toPlainText } from './text-template.ts';

/** Maximum characters of a template source; the API accepts at most 1 MB. */
const parseLimit = 1_500_000;
/** In Liquid's own unit: characters and elements created while rendering. */
const memoryLimit = 5_000_000;

export interface LiquidEngine {
  liquid: Liquid;
  /** @throws LiquidError with the position of the error */
  parse: (source: string) => Template[];
}

/**
 * Creates a Liquid engine without files, partial templates or inherited properties. Its limits stop honest mistakes
 * early, but not every template, so that the renderer also needs a time limit that can abort it.
 * @param renderLimit milliseconds one rendering may take
 */
export function createLiquidEngine(output: 'html' | 'plain', renderLimit: number): LiquidEngine {
  const liquid = new Liquid({
    ...(output === 'html' ? { outputEscape: escape } : {}),
    // An empty in-memory table, so that no tag can access the file system.
    templates: {},
    relativeReference: false,
    dynamicPartials: false,
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: false,
    timezoneOffset: 0,
    locale: 'en-US',
    parseLimit,
    renderLimit,
    memoryLimit,
  });
  liquid.registerFilter('escape', escape);
  // The output is not escaped again.
  liquid.registerFilter('rich_text', { handler: output === 'html' ? richText : plainRichText, raw: true });
  liquid.registerTag('capture', CountedCaptureTag);
  // Templates are complete: blocks and layouts are combined beforehand.
  for (const tag of ['include', 'render', 'layout', 'block']) delete liquid.tags[tag];
  return { liquid, parse: (source) => liquid.parse(source) };
}

/** Replaces Liquid's own filter, which needs many times the memory of a text with many quotes. */
function escape(this: { context: Context }, value: unknown): string {
  const text = stringify(value);
  this.context.memoryLimit.use(text.length);
  return escapeHtml(text);
}

/** Reading a character of HTML takes that many times the memory of one that is copied. */
const richTextWeight = 8;

function richText(this: { context: Context }, value: unknown): string {
  const text = stringify(value);
  this.context.memoryLimit.use(text.length * richTextWeight);
  return sanitizeRichText(text);
}

function plainRichText(this: { context: Context }, value: unknown): string {
  return toPlainText(richText.call(this, value));
}

/** Counts the captured text. Liquid's own `capture` does not: doubling a text a few dozen times crashed the process. */
class CountedCaptureTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const emitter = new CappedEmitter(outputLimit);
    yield this.liquid.renderer.renderTemplates(this.templates, context, emitter);
    context.memoryLimit.use(emitter.buffer.length);
    (context.bottom() as Record<string, unknown>)[this.variable] = emitter.buffer;
  }
}
