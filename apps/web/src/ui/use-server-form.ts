import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useRef, useState, type FocusEvent, type FormEvent } from 'react';
import { isRecord, Problem } from '#web/platform/problem.ts';
import { useProblemText } from './problem-text.ts';

export type Values = Record<string, unknown>;
interface Options<V extends Values> {
  initial: V;
  checks?: { [K in keyof V & string]?: (value: V[K], values: V) => string | null };
  /** Maximum lengths in characters. Longer input stays in its field, which says so: nothing typed or pasted is cut off. */
  limits?: { [K in keyof V & string]?: number | undefined };
  /** Submits the values. May reject with a Problem; its field errors are shown on their fields. */
  submit: (values: V) => Promise<unknown>;
  /** Error codes that belong to one field: `name_taken` belongs to `name`. */
  fieldOfCode?: Record<string, keyof V & string>;
  /** Fields by the server's names, where these differ. */
  fieldOfPath?: Record<string, keyof V & string>;
  /** Message of a field rejected by the server for which only one reason is possible. */
  rejected?: { [K in keyof V & string]?: string };
}

export interface ServerForm<V extends Values> {
  fields: UseFormReturnType<V>;
  pending: boolean;
  /** Number of fields that differ from the stored values. */
  changes: number;
  /** Time of the last save on this page. */
  savedAt: Date | undefined;
  /** The fields that prevented saving, in page order. */
  rejected: readonly RejectedField[];
  /** An error that belongs to no field. */
  error: unknown;
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  /** Makes the saved values the baseline for changes. Input typed during the save is kept as a change. */
  setSaved: (values: V) => void;
  /** Submits and returns whether it succeeded; for "Save and leave". */
  save: () => Promise<boolean>;
}

interface RejectedField {
  path: string;
  /** The field's label. */
  name: string;
  /** Id of its input. */
  id: string;
}

/**
 * A form that keeps all input and shows the server's field errors at their fields. Forms of records are declared
 * (`use-record-form.ts`); the others say at their top why they are written by hand.
 */
export function useServerForm<V extends Values>(options: Options<V>): ServerForm<V> {
  const { t } = useTranslation();
  const fields = useForm<V>({
    initialValues: options.initial,
    validate: withLimits(options, (max) => t('form.tooLong', { max })) as never,
    validateInputOnBlur: true,
    enhanceGetInputProps: ({ inputProps: { onBlur } }) => ({
      onBlur: (event: FocusEvent) => {
        if (!isSubmit(event.relatedTarget)) (onBlur as (() => void) | undefined)?.();
      },
    }),
  });
  const say = useProblemText();
  const sending = useMutation({ mutationFn: options.submit });
  const [savedAt, setSavedAt] = useState<Date>();
  const submitted = useRef<V>(undefined);
  const [rejected, setRejected] = useState<readonly RejectedField[]>([]);
  const showRejected = (errors: Record<string, unknown>) => {
    const paths = Object.keys(errors);
    setRejected(describeFields(fields, paths));
    focusFirst(fields, paths);
  };
  const rejectedFields = fieldErrors(sending.error, options, say);

  const save = async (): Promise<boolean> => {
    sending.reset();
    const checked = fields.validate();
    if (checked.hasErrors) {
      showRejected(checked.errors);
      return false;
    }
    try {
      submitted.current = fields.getValues();
      await sending.mutateAsync(submitted.current);
      setSavedAt(new Date());
      return true;
    } catch (error) {
      const errors = fieldErrors(error, options, say);
      fields.setErrors(errors);
      showRejected(errors);
      return false;
    }
  };

  return {
    fields,
    pending: sending.isPending,
    error: Object.keys(rejectedFields).length === 0 ? sending.error : undefined,
    changes: Object.keys(options.initial).filter((field) => fields.isDirty(field)).length,
    savedAt,
    rejected,
    setSaved: (saved) => {
      const now = fields.getValues();
      const isTyped = (field: string) => now[field] !== submitted.current?.[field];
      fields.setValues(
        Object.fromEntries(
          Object.entries(saved).map(([field, value]) => [field, isTyped(field) ? now[field] : value]),
        ) as V,
      );
      fields.setInitialValues(saved);
      fields.resetDirty(saved);
    },
    save,
    onSubmit: (event) => {
      event?.preventDefault();
      if (!sending.isPending) void save();
    },
  };
}

/** @param say  the message for input that is too long */
const withLimits = <V extends Values>(
  { initial, checks = {}, limits = {} }: Pick<Options<V>, 'initial' | 'checks' | 'limits'>,
  say: (max: number) => string,
) =>
  Object.fromEntries(
    (Object.keys(initial) as (keyof V & string)[]).map((name) => [
      name,
      (value: V[typeof name], values: V) => {
        const max = limits[name];
        const isTooLong = max !== undefined && typeof value === 'string' && value.trim().length > max;
        return isTooLong ? say(max) : (checks[name]?.(value, values) ?? null);
      },
    ]),
  );

/**
 * Whether the focus moves to the submit button, which validates all fields anyway. A message that appears during mouse down
 * would move the button, and the click would be lost.
 */
const isSubmit = (target: EventTarget | null): boolean =>
  target instanceof HTMLButtonElement && target.type === 'submit';

function fieldErrors<V extends Values>(
  error: unknown,
  options: Options<V>,
  say: (error: unknown) => string,
): Record<string, string> {
  if (!(error instanceof Problem)) return {};
  const landed: Record<string, string> = {};
  for (const { path, message } of error.fields) {
    const field = options.fieldOfPath?.[path] ?? path;
    if (Object.hasOwn(options.initial, field)) landed[field] = options.rejected?.[field] ?? message;
  }
  // Some errors contain the field name, such as a duplicate value.
  const data = error.extra['data'];
  const named = isRecord(data) ? data['field'] : undefined;
  if (typeof named === 'string' && Object.hasOwn(options.initial, named)) landed[named] = say(error);
  const field = options.fieldOfCode?.[error.code.toLowerCase()];
  if (field) landed[field] = say(error);
  return landed;
}

/** Reads the names from the labels on the page, which are their only source. */
const describeFields = <V extends Values>(
  fields: UseFormReturnType<V>,
  paths: readonly string[],
): RejectedField[] =>
  inOrder(paths.map((path) => ({ path, node: fields.getInputNode(path as never) }))).map(({ path, node }) => {
    const label = node?.closest('.mantine-InputWrapper-root')?.querySelector('.mantine-InputWrapper-label');
    return { path, name: label?.textContent ?? '', id: node?.id ?? '' };
  });

/** Focuses the first of these fields, in page order. */
export function focusFirst<V extends Values>(fields: UseFormReturnType<V>, paths: string[]): void {
  // After React has rendered the messages, so that a screen reader announces field and message together.
  requestAnimationFrame(() => {
    const [first] = inOrder(paths.map((path) => ({ node: fields.getInputNode(path as never) })));
    // A group of check boxes is not focusable itself.
    const focusable = 'input, select, textarea, button, [tabindex]';
    const node = first?.node;
    (node?.matches(focusable) ? node : node?.querySelector<HTMLElement>(focusable))?.focus();
  });
}

/** Sorts fields in page order; those not on the page come last. */
const inOrder = <F extends { node: HTMLElement | null }>(fields: readonly F[]): F[] =>
  fields.toSorted(({ node: one }, { node: other }) => {
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1;
  });
