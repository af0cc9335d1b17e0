import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { valueText } from '#web/ui/value-text.ts';

/** The server names an item by these, too: `titleOf` in its `check-items.ts`. */
const nameFields = ['title', 'name', 'subject', 'headline'];

/** @returns what people call an item: its title or the like, otherwise its first text, otherwise its key */
export function itemName(item: Item, fields: readonly Field[]): string {
  const texts = fields
    .filter(({ type, hidden }) => !hidden && (type === 'string' || type === 'text'))
    .map(({ field }) => field);
  for (const name of [...nameFields, ...texts]) {
    const value = item[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, 120);
  }
  return valueText(item['id']);
}
