import { isEmail } from '@reachout/contract/rules/addresses.ts';

/**
 * Extracts the addresses from text copied from lists and mail programs: `"Guest, Gina" <gina@client.example>; …`, one per
 * line, or separated by commas, semicolons or spaces. Invalid addresses are kept, so that they can be corrected.
 */
export function readAddresses(text: string): string[] {
  // Only the address in angle brackets counts; the name before it may contain separators.
  const withoutNames = text.replaceAll(/(?:"(?:[^"\\]|\\.)*"|[^<>,;"\n\r\t])*<([^<>]*)>/g, ' $1 ');
  return withoutNames
    .split(/[,;\s]+/)
    .map(bare)
    .filter(Boolean);
}

/**
 * `readAddresses` for text being typed: empty while the last entry may continue. A space ends an address, but not the name
 * before one.
 */
export function readTyped(text: string): string[] {
  const isClosed = (text.match(/"/g) ?? []).length % 2 === 0 && !/<[^>]*$/.test(text);
  if (!isClosed || !/[,;\s]$/.test(text)) return [];
  const addresses = readAddresses(text);
  return /[,;\n\r\t]$/.test(text) || addresses.every(isEmail) ? addresses : [];
}

const bare = (entry: string): string => entry.replaceAll(/^[<"']+|[>"']+$/g, '');
