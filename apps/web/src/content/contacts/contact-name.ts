import type { Item } from '@reachout/contract/content.ts';
import { valueText } from '#web/ui/value-text.ts';

/** Who a contact is: the name, where there is one, or the address. */
export function contactName(item: Item): string {
  const name = ['first_name', 'last_name']
    .map((field) => item[field])
    .filter((part): part is string => typeof part === 'string' && part.trim() !== '')
    .join(' ');
  return name === '' ? valueText(item['email']) : name;
}
