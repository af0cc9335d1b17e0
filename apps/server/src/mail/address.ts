export const addressErrors = ['malformed', 'too_long', 'smtputf8', 'address_literal'] as const;
export type AddressError = (typeof addressErrors)[number];

export interface ParsedAddress {
  address: string;
  key: string;
}

export function parseAddress(_input: string): ParsedAddress | { error: AddressError } {
  throw new Error('not built yet');
}
