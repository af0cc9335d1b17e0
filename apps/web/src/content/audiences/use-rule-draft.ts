import type { Field } from '@reachout/contract/content.ts';
import type { Filter } from '@reachout/contract/filters.ts';
import { useState } from 'react';
import { fromRule, kindOf, toRule, unfinishedKeys } from './rule.ts';

/** The rule of an audience while it is written. @param fields  those of its contacts, as far as they are known */
export function useRuleDraft(filter: Filter | undefined, fields: readonly Field[]) {
  const [group, setGroup] = useState(() => fromRule(filter?.rule ?? {}));
  // Compared as it is shown: a rule that says the same in another way is no change.
  const [stored, setStored] = useState(group);
  const kindOfField = (name: string) => {
    const found = fields.find(({ field }) => field === name);
    return found ? kindOf(found.type) : 'text';
  };
  return {
    group,
    setGroup,
    // A rule the builder cannot show is left as it is.
    rule: (group ? toRule(group, kindOfField) : (filter?.rule ?? {})) as Filter['rule'],
    unfinished: group ? unfinishedKeys(group) : [],
    isChanged: JSON.stringify(group) !== JSON.stringify(stored),
    setSaved: () => setStored(group),
    discard: () => setGroup(stored),
  };
}

export type RuleDraft = ReturnType<typeof useRuleDraft>;
