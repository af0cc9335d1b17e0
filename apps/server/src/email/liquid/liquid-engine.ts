import { CaptureTag, type Context, Liquid, type Template } from 'liquidjs';
import { CappedEmitter, outputLimit, stringify } from './capped-emitter.ts';
import { escapeHtml } from './escape-html.ts';

/** Longest template source in characters; the API takes at most 1 MB of it. */
const parseLimit = 1_500_000;
/** Liquid's own unit: characters and elements made while rendering. */
const memoryLimit = 5_000_000;

export interface LiquidEngine {
  liquid: Liquid;
  /** @throws LiquidError with the place of the mistake */
  parse: (source: string) => Template[];
}

/**
 * A Liquid without files, partial templates or inherited properties. Its limits stop honest mistakes
 * early; they are no wall, so the renderer also needs a clock that can kill.
 * @param renderLimit milliseconds one rendering may take
 */
export function createLiquidEngine(output: 'html' | 'plain', renderLimit: number): LiquidEngine {
  const liquid = new Liquid({
    ...(output === 'html' ? { outputEscape: escape } : {}),
    // An in-memory table, and an empty one: the file system is out of reach whatever tag asks for it.
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
  liquid.registerTag('capture', CountedCaptureTag);
  // Templates are whole: blocks and layouts are put together before they get here.
  for (const tag of ['include', 'render', 'layout', 'block']) delete liquid.tags[tag];
  return { liquid, parse: (source) => liquid.parse(source) };
}

/** Replaces Liquid's own filter, which takes many times the memory of a text that is full of quotes. */
function escape(this: { context: Context }, value: unknown): string {
  const text = stringify(value);
  this.context.memoryLimit.use(text.length);
  return escapeHtml(text);
}

/** Liquid's own `capture` counts nothing: doubling a text a few dozen times took the whole process down. */
class CountedCaptureTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const emitter = new CappedEmitter(outputLimit);
    yield this.liquid.renderer.renderTemplates(this.templates, context, emitter);
    context.memoryLimit.use(emitter.buffer.length);
    (context.bottom() as Record<string, unknown>)[this.variable] = emitter.buffer;
  }
}
