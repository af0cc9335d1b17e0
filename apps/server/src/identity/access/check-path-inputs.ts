import { itemErrors } from '@reachout/contract/rules/item-errors.ts';
import { attempt } from '../../platform/attempt.ts';
import { invalidInput } from '../../platform/http/api-error.ts';

/**
 * Rejects a body or query input that has the name of a path parameter but another value: the path alone identifies the
 * record of an operation. Also rejects a path with an empty last part, such as an empty key: for the router it would be the
 * path of the list.
 * @param template  as in the contract, `/clients/{id}`
 * @throws 422 `invalid_input`
 */
export function checkPathInputs(template: string, path: string, input: unknown): void {
  const given = path.split('/');
  const parts = template.split('/');
  if (given.length > parts.length)
    throw parts.includes('items')
      ? invalidInput('key', itemErrors.key)
      : invalidInput('id', 'The path ends with a slash: what follows it is missing.');
  for (const [index, part] of parts.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) continue;
    const value = (input as Record<string, unknown> | undefined)?.[name];
    if (value !== decodePart(given[index] ?? ''))
      throw invalidInput(name, 'This is not an input of this operation.');
  }
}

const decodePart = (part: string): string => attempt(() => decodeURIComponent(part), part);
