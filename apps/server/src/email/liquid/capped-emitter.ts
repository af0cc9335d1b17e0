import { type Emitter, toValue } from 'liquidjs';
import { RenderError } from './render-error.ts';

/** Maximum characters that one part of one message may render, including its static text. */
export const outputLimit = 1_000_000;

/** Collects Liquid's output, and stops the rendering at the limit. */
export class CappedEmitter implements Emitter {
  buffer = '';
  readonly #limit: number;

  /** @param limit maximum characters */
  constructor(limit: number) {
    this.#limit = limit;
  }

  write(value: unknown): void {
    this.buffer += typeof value === 'string' ? value : stringify(value);
    if (this.buffer.length > this.#limit) throw partTooLarge();
  }
}

export function partTooLarge(): RenderError {
  return new RenderError('too_large', `A part renders more than ${outputLimit} characters.`, {
    sendError: { code: 'part_too_large', values: { limit: outputLimit } },
  });
}

/** Converts a value to text as Liquid prints it. */
export function stringify(input: unknown): string {
  const value: unknown = toValue(input);
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  // oxlint-disable-next-line typescript/no-base-to-string -- Liquid prints objects this way too
  return Array.isArray(value) ? value.map(stringify).join('') : String(value);
}
