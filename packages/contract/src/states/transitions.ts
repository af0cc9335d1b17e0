/** For each status, the statuses that can follow it. */
export type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>;

export const isPossible = <S extends string>(transitions: Transitions<S>, from: S, to: S): boolean =>
  transitions[from].includes(to);

/** @returns the statuses that are not final */
export const listOpen = <S extends string>(statuses: readonly S[], transitions: Transitions<S>): S[] =>
  statuses.filter((status) => transitions[status].length > 0);

/** @returns the statuses that can precede `to` */
export const listBefore = <S extends string>(transitions: Transitions<S>, to: S): S[] =>
  (Object.keys(transitions) as S[]).filter((from) => isPossible(transitions, from, to));
