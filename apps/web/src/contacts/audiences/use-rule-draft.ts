import type { Field } from '@reachout/contract/content-fields.ts';
import type { Filter } from '@reachout/contract/filters.ts';
import { useState } from 'react';
import { fromRule, kindOf, toRule, unfinishedKeys } from '#web/content/rules/rule.ts';

/** The rule of an audience during editing. @param fields  the fields of its contacts known so far */
export function useRuleDraft(filter: Filter | undefined, fields: readonly Field[]) {
  const [group, setGroup] = useState(() => fromRule(filter?.rule ?? {}));
  // Compared in the builder's format: an equivalent rule written differently is not a change.
  const [stored, setStored] = useState(group);
  const kindOfField = (name: string) => {
    const found = fields.find(({ field }) => field === name);
    return found ? kindOf(found.type) : 'text';
  };
  return {
    group,
    setGroup,
    // A rule that the builder cannot show is not changed.
    rule: (group ? toRule(group, kindOfField) : (filter?.rule ?? {})) as Filter['rule'],
    unfinished: group ? unfinishedKeys(group) : [],
    isChanged: JSON.stringify(group) !== JSON.stringify(stored),
    setSaved: () => setStored(group),
    discard: () => setGroup(stored),
  };
}

export type RuleDraft = ReturnType<typeof useRuleDraft>;
