import { isContractProcedure } from '@orpc/contract';
import type { $ZodCheck, $ZodChecks, $ZodType, $ZodTypes } from 'zod/v4/core';
import { documented, type TextFormat } from './values.ts';

// What a form knows of the input of an operation without its schema: read when the web app is built, because a browser would
// need the whole validation library for it.

export interface FieldBounds {
  type: 'text' | 'number' | 'boolean' | 'list' | 'other';
  /** An empty text, no choice or no number is rejected. */
  required?: true;
  /** Null stands for an empty value. */
  nullable?: true;
  /** An empty value is left out of the input. */
  omitted?: true;
  /** Most and fewest characters of a text or entries of a list, or the range of a number. */
  max?: number;
  min?: number;
  /** Most decimals of a number. */
  decimals?: number;
  format?: TextFormat;
  choices?: readonly string[];
  /** What the operation takes if nothing is given. */
  initial?: string | number | boolean | null;
  /** Of an object. */
  fields?: InputFields;
}

type InputFields = Readonly<Record<string, FieldBounds>>;

/**
 * @param router  the contract
 * @param name  of an operation, such as `brands.update`
 * @throws Error if there is no such operation, or none with an input
 */
export function readInputBounds(router: object, name: string): InputFields {
  const operation = name
    .split('.')
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], router);
  if (!isContractProcedure(operation)) throw new Error(`The contract has no operation ${name}.`);
  const { inputSchema, route } = operation['~orpc'];
  const fields = readFields(inputSchema as $ZodType, route.method === 'PATCH');
  if (fields === undefined) throw new Error(`The input of ${name} is no object.`);
  return fields;
}

/** @param isChange  a field that is left out keeps its value, so that an empty one is not left out */
function readFields(schema: $ZodType, isChange: boolean): InputFields | undefined {
  const def = defOf(schema);
  if (def.type !== 'object') return undefined;
  return Object.fromEntries(
    Object.entries(def.shape).map(([name, field]) => [name, readField(field, isChange)]),
  );
}

function readField(schema: $ZodType, isChange: boolean): FieldBounds {
  const bounds = readShape(schema);
  const accepts = (value: unknown) => takes(schema, value);
  const isNullable = accepts(null);
  const isOmitted = !isChange && !isNullable && accepts(undefined) && bounds.initial === undefined;
  const isEmptyAccepted = bounds.type === 'list' ? accepts([]) : bounds.type === 'text' && accepts('');
  return {
    ...bounds,
    ...(isNullable && { nullable: true as const }),
    ...(isOmitted && !isEmptyAccepted && { omitted: true as const }),
    ...(!isNullable &&
      !isOmitted &&
      !isEmptyAccepted &&
      ['text', 'number', 'list'].includes(bounds.type) && { required: true as const }),
  };
}

/** What a schema or a check was made of. */
const defOf = <S extends $ZodType | $ZodCheck>({ _zod }: S): Def<S> => _zod.def as Def<S>;

type Def<S> = S extends $ZodType ? $ZodTypes['_zod']['def'] : $ZodChecks['_zod']['def'];

const takes = (schema: $ZodType, value: unknown): boolean =>
  (schema as $ZodType & { safeParse: (value: unknown) => { success: boolean } }).safeParse(value).success;

/** What a schema says of values that are there. */
function readShape(schema: $ZodType): FieldBounds {
  const def = defOf(schema);
  const { format } = documented.get(schema) ?? {};
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return readShape(def.innerType);
    case 'default':
      return { ...readShape(def.innerType), ...initialOf(def.defaultValue) };
    case 'pipe': {
      // Of `optional`, what is behind its conversion; of others what is before it, as people type it.
      const isConverted = defOf(def.in).type === 'transform';
      return { ...readShape(isConverted ? def.out : def.in), ...(format && { format }) };
    }
    case 'union': {
      const options = def.options.filter((option) => !takes(option, ''));
      if (options.length === 1) return readShape(options[0]!);
      // Objects of several kinds: the fields of all, among which a form shows those of the chosen one.
      const fields = Object.fromEntries(
        options.flatMap((option) => Object.entries(readFields(option, false) ?? {})),
      );
      return { type: 'other', ...(Object.keys(fields).length > 0 && { fields }) };
    }
    case 'string':
      return { type: 'text', ...readLimits(schema), ...(format && { format }) };
    case 'enum':
      return { type: 'text', choices: Object.values(def.entries).map(String) };
    case 'number':
      return { type: 'number', ...readLimits(schema) };
    case 'boolean':
      return { type: 'boolean' };
    case 'array':
      return { type: 'list', ...readLimits(schema) };
    case 'object': {
      const fields = readFields(schema, false);
      return { type: 'other', ...(fields && { fields }) };
    }
    default:
      return { type: 'other' };
  }
}

const initialOf = (value: unknown) =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)
    ? { initial: value as string | number | boolean | null }
    : {};

/** From the checks, and the length that a refinement checks, which counts characters. */
function readLimits(schema: $ZodType): Pick<FieldBounds, 'max' | 'min' | 'decimals'> {
  const limits: Pick<FieldBounds, 'max' | 'min' | 'decimals'> = {};
  const { maxLength } = documented.get(schema) ?? {};
  if (typeof maxLength === 'number') limits.max = maxLength;
  const def = defOf(schema);
  const checks = [def, ...(def.checks ?? []).map(defOf)];
  for (const check of checks.filter((each) => 'check' in each) as $ZodChecks['_zod']['def'][])
    switch (check.check) {
      case 'less_than':
        limits.max = Number(check.value);
        break;
      case 'greater_than':
        limits.min = Number(check.value);
        break;
      case 'max_length':
        limits.max = check.maximum;
        break;
      case 'min_length':
        limits.min = check.minimum;
        break;
      case 'multiple_of':
        limits.decimals = Math.max(0, Math.round(-Math.log10(Number(check.value))));
        break;
      case 'number_format':
        if (check.format.includes('int')) limits.decimals = 0;
    }
  return limits;
}
