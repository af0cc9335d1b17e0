import { invalidTransition } from './http/api-error.ts';

/** For each status those that may follow it. */
export type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>;

export const isPossible = <S extends string>(transitions: Transitions<S>, from: S, to: S): boolean =>
  transitions[from].includes(to);

/** @throws 409 `invalid_transition`, naming both */
export function assertTransition<S extends string>(transitions: Transitions<S>, from: S, to: S): void {
  if (!isPossible(transitions, from, to)) throw invalidTransition(from, to);
}
