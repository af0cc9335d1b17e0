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

export const partTooLarge = (): RenderError =>
  new RenderError('too_large', `A part renders more than ${outputLimit} characters.`, {
    sendError: { code: 'part_too_large', values: { limit: outputLimit } },
  });

let noteStructure: ((value: object) => void) | undefined;

/** Runs a synchronous task, and tells each list and object that it prints as a text. */
export function watchStructures<Result>(note: (value: object) => void, task: () => Result): Result {
  noteStructure = note;
  try {
    return task();
  } finally {
    noteStructure = undefined;
  }
}

/** Converts a value to text as Liquid prints it, and an object to JSON. */
export function stringify(input: unknown): string {
  const value: unknown = toValue(input);
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') {
    noteStructure?.(value);
    return Array.isArray(value) ? value.map(stringify).join('') : JSON.stringify(value);
  }
  // oxlint-disable-next-line typescript/no-base-to-string -- no object is left
  return String(value);
}
