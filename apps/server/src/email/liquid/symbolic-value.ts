import { stringify } from './capped-emitter.ts';
import { allOf, anyOf, constant, notOf, unknownTest, type ContactTest } from '../merge-tags.ts';

/** The value of a Liquid expression, as far as it is known without a contact. */
export type SymbolicValue =
  /** The same for all recipients. `path`: where it is in the context, unless it is written in the template. */
  | { kind: 'shared'; value: unknown; path?: readonly string[] }
  | { kind: 'field'; path: string[] }
  | { kind: 'default'; value: SymbolicValue; fallback: SymbolicValue }
  /** Assigned under a condition. */
  | { kind: 'either'; test: ContactTest; met: SymbolicValue; unmet: SymbolicValue }
  /** A text that differs from the value, but is empty exactly when the value is. */
  | { kind: 'filtered'; value: SymbolicValue }
  /** Some text that is never empty. */
  | { kind: 'filled' }
  | { kind: 'unknown' };

/** Whether it prints nothing, or only white space. */
export function isBlank(value: SymbolicValue): ContactTest {
  switch (value.kind) {
    case 'shared':
      return constant(stringify(value.value).trim() === '');
    case 'field':
      return { kind: 'blank', path: value.path };
    case 'default':
      // White space is printed; no fallback replaces it.
      return anyOf(
        allOf(isUnset(value.value), isBlank(value.fallback)),
        allOf(isBlank(value.value), notOf(isUnset(value.value))),
      );
    case 'either':
      return choose(value, isBlank);
    case 'filtered':
      return isBlank(value.value);
    default:
      return value.kind === 'filled' ? constant(false) : unknownTest;
  }
}

/** Whether the filter `default` replaces it. */
export function isUnset(value: SymbolicValue): ContactTest {
  switch (value.kind) {
    case 'shared': {
      const { value: given } = value;
      return constant(given === undefined || given === null || given === false || stringify(given) === '');
    }
    case 'field':
      return { kind: 'unset', path: value.path };
    case 'default':
      return allOf(isUnset(value.value), isUnset(value.fallback));
    case 'either':
      return choose(value, isUnset);
    case 'filtered':
      return isUnset(value.value);
    default:
      return value.kind === 'filled' ? constant(false) : unknownTest;
  }
}

/** Whether it meets a condition. */
export function isTruthy(value: SymbolicValue): ContactTest {
  switch (value.kind) {
    case 'shared':
      return constant(value.value !== undefined && value.value !== null && value.value !== false);
    case 'field':
      return { kind: 'truthy', path: value.path };
    case 'default':
      return anyOf(notOf(isUnset(value.value)), isTruthy(value.fallback));
    case 'either':
      return choose(value, isTruthy);
    default:
      return value.kind === 'filled' ? constant(true) : unknownTest;
  }
}

/** The other side of a comparison: a literal, or one of Liquid's keywords. */
export type Comparand = { literal: string | number | boolean } | { word: 'nil' | 'empty' | 'blank' };

export function isEqual(value: SymbolicValue, to: Comparand): ContactTest {
  if (value.kind === 'either') return choose(value, (inner) => isEqual(inner, to));
  if (value.kind === 'shared' && 'literal' in to) return constant(value.value === to.literal);
  if (value.kind === 'default')
    return anyOf(
      allOf(isUnset(value.value), isEqual(value.fallback, to)),
      allOf(notOf(isUnset(value.value)), isEqual(value.value, to)),
    );
  if (value.kind !== 'field') return unknownTest;
  const { path } = value;
  if ('literal' in to) return { kind: 'equals', path, value: to.literal };
  if (to.word === 'nil') return { kind: 'null', path };
  if (to.word === 'empty') return { kind: 'empty', path };
  return anyOf({ kind: 'blank', path }, { kind: 'empty', path }, { kind: 'equals', path, value: false });
}

function choose(
  { test, met, unmet }: Extract<SymbolicValue, { kind: 'either' }>,
  ask: (value: SymbolicValue) => ContactTest,
): ContactTest {
  return anyOf(allOf(test, ask(met)), allOf(notOf(test), ask(unmet)));
}
