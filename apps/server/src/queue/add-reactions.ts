export { addReactions } from './add-reactions.queries.ts';

/** SQL that stores what listeners make of events, as `addReactions` does. @param causes  selects rows of `cause` */
export const addReactionsTo = (causes: string): string => `add_reactions(array(${causes}))`;
