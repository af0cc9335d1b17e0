import type { Item } from '@reachout/contract/content.ts';
import { valueText } from '#web/ui/value-text.ts';

/** @returns the contact's name if there is one, otherwise the address */
export function contactName(item: Item): string {
  const name = ['first_name', 'last_name']
    .map((field) => item[field])
    .filter((part): part is string => typeof part === 'string' && part.trim() !== '')
    .join(' ');
  return name === '' ? valueText(item['email']) : name;
}
