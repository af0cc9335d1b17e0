/** For each status those that may follow it. */
export type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>;

export const isPossible = <S extends string>(transitions: Transitions<S>, from: S, to: S): boolean =>
  transitions[from].includes(to);

/** The statuses that something can still leave. */
export const listOpen = <S extends string>(statuses: readonly S[], transitions: Transitions<S>): S[] =>
  statuses.filter((status) => transitions[status].length > 0);

/** The statuses that `to` may follow. */
export const listBefore = <S extends string>(transitions: Transitions<S>, to: S): S[] =>
  (Object.keys(transitions) as S[]).filter((from) => isPossible(transitions, from, to));
