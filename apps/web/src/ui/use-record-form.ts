import type { FieldBounds } from '@reachout/contract/input-bounds.ts';
import type { ElementType, ReactNode } from 'react';
import type { Bounds } from '#web/platform/bounds-of.ts';
import { isRecord } from '#web/platform/problem.ts';
import { emptyValue, toFormValue, toInputValue } from './field-values.ts';
import { notify } from './notify.tsx';
import { useFieldCheck } from './use-field-check.ts';
import { useServerForm, type ServerForm, type Values } from './use-server-form.ts';

/** What the contract does not say of a field: its texts, and its control where another one than usual is needed. */
export interface Field {
  label?: ByValues<string>;
  hint?: ByValues<ReactNode>;
  /** By default by the type and the format in the contract. */
  kind?: FieldKind;
  /** Values with what they mean, in this order; hints make them radio buttons. */
  options?: ByValues<readonly FieldOption[]>;
  /** Another control, with the props of those of Mantine; `inputProps` are its own. */
  input?: ElementType;
  inputProps?: ByValues<object>;
  autoComplete?: string;
  /** Of a text of many lines: the fewest and the most that are shown. */
  rows?: readonly [number, number];
  /** Stands beside the field before it. */
  isBeside?: boolean;
  /** Whether "(optional)" follows the label, where the contract alone does not tell. */
  isOptional?: boolean;
  /** Instead of "Required." */
  missing?: string | undefined;
  /** The first value of a new record, and of a field that records do not have. */
  initial?: unknown;
  /** Whether the field is asked for; otherwise nothing in it prevents saving. By default it is. */
  isShown?: (values: Values) => boolean;
  /** What people see who may not change it. */
  text?: (value: never) => ReactNode;
}

/** What may depend on the values of the form. */
type ByValues<T> = T | ((values: Values) => T);

/** A field, by the present values. */
export type ShownField = {
  [K in keyof Field]: K extends Dependent ? Exclude<Field[K], (values: Values) => unknown> : Field[K];
};

const dependent = ['label', 'hint', 'options', 'inputProps'] as const;
type Dependent = (typeof dependent)[number];

export type FieldKind =
  | 'text'
  | 'multi-line'
  | 'number'
  | 'select'
  | 'radio'
  | 'checks'
  | 'checkbox'
  | 'switch';

interface FieldOption {
  value: string;
  label: string;
  hint?: string;
  disabled?: boolean;
}

/** A value as its control has it: no text, choice or number is ''. */
type FormValue<T> =
  NonNullable<T> extends boolean
    ? boolean
    : NonNullable<T> extends number
      ? number | ''
      : NonNullable<T> extends string
        ? NonNullable<T> | ''
        : NonNullable<T>;

/** A value as the operation takes it; of a field that it does not have, as the form has it. */
type InputValue<T, F, K extends keyof F> = K extends keyof T
  ? Exclude<T[K], undefined>
  : F[K] extends { initial: boolean | readonly unknown[] }
    ? F[K]['initial']
    : string;

type InputValues<T, F> = { [K in keyof F & string]: InputValue<T, F, K> };
type FormValues<T, F> = { [K in keyof F & string]: FormValue<InputValue<T, F, K>> };

interface Options<T, F extends Readonly<Record<string, Field>>> {
  /** The record to change; undefined for a new one. */
  record?: object | undefined;
  /** In the order of the screen. */
  fields: F;
  /** Rules that the contract does not have as bounds, mostly between fields. They get values within the bounds. */
  checks?: {
    [K in keyof F & string]?: (
      value: FormValues<T, F>[K],
      values: FormValues<T, F>,
    ) => string | null | undefined;
  };
  /** May reject with a Problem; its field errors are shown on their fields. @returns the stored record, if it is shown next */
  save: (values: InputValues<T, F>) => Promise<unknown>;
  fieldOfCode?: Record<string, keyof F & string>;
  fieldOfPath?: Record<string, keyof F & string>;
  rejected?: { [K in keyof F & string]?: string };
  /** Closes a drawer after saving. Without it, the form stays and shows what is stored. */
  onClose?: () => void;
  /** Notification after saving. */
  notice?: string | undefined;
}

export interface RecordForm<V extends Values> extends ServerForm<V> {
  declared: Readonly<Record<string, ShownField>>;
  bounds: Readonly<Record<string, FieldBounds | undefined>>;
}

/** A form whose initial values, limits, formats and conversions come from the contract. */
export function useRecordForm<T, const F extends Readonly<Record<string, Field>>>(
  bounds: Bounds<T>,
  options: Options<T, F>,
): RecordForm<FormValues<T, F>> & { current: InputValues<T, F> } {
  const { record, fields, checks, save, fieldOfCode, fieldOfPath, rejected, onClose, notice } = options;
  type Shown = FormValues<T, F>;
  const check = useFieldCheck();
  const boundsOfField = bounds as Readonly<Record<string, FieldBounds | undefined>>;
  const names = Object.keys(fields) as (keyof F & string)[];
  const toForm = (stored: object): Shown =>
    Object.fromEntries(
      names.map((name) => [name, firstOf(name, stored, fields[name]!, boundsOfField[name])]),
    ) as Shown;
  const toInput = (shown: Shown): InputValues<T, F> =>
    Object.fromEntries(
      names.map((name) => [name, toInputValue(shown[name], boundsOfField[name])]),
    ) as InputValues<T, F>;
  const form = useServerForm<Shown>({
    initial: toForm(record ?? {}),
    checks: Object.fromEntries(
      names.map((name) => [
        name,
        (value: Shown[typeof name], values: Shown) =>
          fields[name]?.isShown?.(values) === false
            ? null
            : (check(value, boundsOfField[name], fields[name]?.missing) ??
              checks?.[name]?.(value, values) ??
              null),
      ]),
    ) as never,
    ...(fieldOfCode && { fieldOfCode }),
    ...(fieldOfPath && { fieldOfPath }),
    ...(rejected && { rejected }),
    submit: async (shown) => {
      const values = toInput(shown);
      const stored = await save(values);
      if (onClose) onClose();
      else form.setSaved(toForm({ ...values, ...(isRecord(stored) ? stored : {}) }));
      if (notice !== undefined) notify(notice);
    },
  });
  return {
    ...form,
    declared: Object.fromEntries(
      names.map((name) => [name, toShown(fields[name]!, form.fields.getValues())]),
    ),
    bounds: boundsOfField,
    current: toInput(form.fields.getValues()),
  };
}

const toShown = (field: Field, values: Values): ShownField =>
  Object.fromEntries(
    Object.entries(field).map(([key, given]: [string, unknown]) => [
      key,
      dependent.some((one) => one === key) && typeof given === 'function'
        ? (given as (values: Values) => unknown)(values)
        : given,
    ]),
  );

const firstOf = (
  name: string,
  record: object,
  { initial }: Field,
  bounds: FieldBounds | undefined,
): unknown =>
  name in record
    ? toFormValue((record as Record<string, unknown>)[name], bounds)
    : initial === undefined
      ? emptyValue(bounds)
      : toFormValue(initial, bounds);
