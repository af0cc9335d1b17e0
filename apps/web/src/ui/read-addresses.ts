import { isEmail } from '@reachout/contract/rules/addresses.ts';

/**
 * Takes the addresses out of what people copy from lists and mail programs: `"Guest, Gina" <gina@client.example>; …`,
 * one to a line, or separated by commas, semicolons or spaces. What is no address stays, so that it can be corrected.
 */
export function readAddresses(text: string): string[] {
  // An address in angle brackets is what counts; the name before it may itself hold separators.
  const withoutNames = text.replaceAll(/(?:"(?:[^"\\]|\\.)*"|[^<>,;"\n\r\t])*<([^<>]*)>/g, ' $1 ');
  return withoutNames
    .split(/[,;\s]+/)
    .map(bare)
    .filter(Boolean);
}

/**
 * The same for what is being typed: nothing while the last entry may go on. A space ends an address, but not the name
 * before one.
 */
export function readTyped(text: string): string[] {
  const isClosed = (text.match(/"/g) ?? []).length % 2 === 0 && !/<[^>]*$/.test(text);
  if (!isClosed || !/[,;\s]$/.test(text)) return [];
  const addresses = readAddresses(text);
  return /[,;\n\r\t]$/.test(text) || addresses.every(isEmail) ? addresses : [];
}

const bare = (entry: string): string => entry.replaceAll(/^[<"']+|[>"']+$/g, '');
