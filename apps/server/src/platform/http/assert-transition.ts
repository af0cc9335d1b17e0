import { isPossible, type Transitions } from '@reachout/contract/states/transitions.ts';
import { invalidTransition } from './api-error.ts';

/** @throws 409 `invalid_transition` with both statuses */
export function assertTransition<S extends string>(transitions: Transitions<S>, from: S, to: S): void {
  if (!isPossible(transitions, from, to)) throw invalidTransition(from, to);
}
