import {
  Checkbox,
  Group,
  NumberInput,
  Radio,
  Select,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { FieldBounds } from '@reachout/contract/input-bounds.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { CharactersLeft } from './characters-left.tsx';
import { isEmptyValue, typedText } from './field-values.ts';
import type { FieldKind, RecordForm, ShownField } from './use-record-form.ts';
import type { Values } from './use-server-form.ts';
import { ValueList } from './value-list.tsx';

interface Props<V extends Values> {
  form: RecordForm<V>;
  /** Which of them, for a page with several sections; by default all. */
  only?: readonly (keyof V & string)[];
  /** In a drawer: the first field has the focus. */
  isFocused?: boolean;
}

/** The controls of a form, as they are declared. */
export function RecordFields<V extends Values>({ form, only, isFocused = false }: Props<V>) {
  const shown = fieldsOf(form, only).filter(([, { isShown }]) => isShown?.(form.fields.getValues()) ?? true);
  const first = isFocused
    ? shown.find(([name, field]) => takesFocus(kindOf(field, form.bounds[name])))
    : undefined;
  const rows = shown.reduce<string[][]>((made, [name, { isBeside = false }]) => {
    const last = made.at(-1);
    if (isBeside && last) last.push(name);
    else made.push([name]);
    return made;
  }, []);
  const draw = (name: string) => (
    <Control key={name} form={form} name={name} isFocused={name === first?.[0]} />
  );
  return (
    <Stack gap="md">
      {rows.map((names) =>
        names.length === 1 ? (
          draw(names[0]!)
        ) : (
          <Group key={names[0]} grow align="flex-start" preventGrowOverflow={false}>
            {names.map(draw)}
          </Group>
        ),
      )}
    </Stack>
  );
}

/** The values of the same fields for those who cannot change them: text instead of disabled controls. */
export function RecordValues<V extends Values>({ form, only }: Pick<Props<V>, 'form' | 'only'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const values = form.fields.getValues();
  return (
    <ValueList
      values={fieldsOf(form, only).map(([name, { label = '', text, options }]) => {
        const value = values[name];
        const say = (): ReactNode => {
          if (isEmptyValue(value)) return t('none');
          if (text) return text(value as never);
          const chosen = options?.find((option) => option.value === String(value));
          if (chosen) return chosen.label;
          if (typeof value === 'number') return format.exact(value);
          return (
            <span className="break" style={{ whiteSpace: 'pre-line' }}>
              {String(value)}
            </span>
          );
        };
        return { name: label, value: say() };
      })}
    />
  );
}

const fieldsOf = <V extends Values>(
  { declared }: RecordForm<V>,
  only: Props<V>['only'],
): [string, ShownField][] => Object.entries(declared).filter(([name]) => only?.includes(name) ?? true);

function kindOf({ kind, options }: ShownField, bounds: FieldBounds | undefined): FieldKind {
  if (kind !== undefined) return kind;
  if (options !== undefined)
    return bounds?.type === 'list'
      ? 'checks'
      : bounds?.type === 'boolean' || options.some(({ hint }) => hint !== undefined)
        ? 'radio'
        : 'select';
  if (bounds?.type === 'boolean') return 'switch';
  if (bounds?.type === 'number') return 'number';
  return bounds?.format === 'multi-line' ? 'multi-line' : 'text';
}

const takesFocus = (kind: FieldKind): boolean => ['text', 'multi-line', 'number'].includes(kind);

const inputTypes: Partial<Record<NonNullable<FieldBounds['format']>, string>> = {
  email: 'email',
  phone: 'tel',
  'web-address': 'url',
  'time-of-day': 'time',
};

interface ControlProps<V extends Values> {
  form: RecordForm<V>;
  name: string;
  isFocused: boolean;
}

function Control<V extends Values>({ form, name, isFocused }: ControlProps<V>) {
  const { t } = useTranslation();
  const format = useFormat();
  const field = form.declared[name]!;
  const bounds = form.bounds[name];
  const kind = kindOf(field, bounds);
  const { isOptional = kind !== 'checks' && acceptsNothing(bounds), options = [], input: Input } = field;
  const isChecked = kind === 'switch' || kind === 'checkbox';
  const { onChange, value, ...bound } = form.fields.getInputProps(name, {
    type: isChecked ? 'checkbox' : 'input',
  }) as { onChange: (given: unknown) => void; value: unknown; error: ReactNode };
  const common = {
    ...(isFocused && { 'data-autofocus': true }),
    ...(field.label !== undefined && {
      label: isOptional ? `${field.label} ${t('optional')}` : field.label,
    }),
    ...(field.hint !== undefined && { description: field.hint }),
    ...(field.autoComplete !== undefined && { autoComplete: field.autoComplete }),
    ...field.inputProps,
    ...bound,
  };
  const change = (given: unknown) => onChange(given ?? '');
  if (Input) return <Input {...common} value={value} onChange={change} />;
  switch (kind) {
    case 'switch':
      return <Switch {...common} onChange={onChange} />;
    case 'checkbox':
      return <Checkbox {...common} onChange={onChange} />;
    case 'select':
      return (
        <Select
          {...common}
          allowDeselect={false}
          clearable={isOptional}
          data={[...options]}
          value={value === '' ? null : String(value)}
          onChange={change}
        />
      );
    case 'radio':
      return (
        <Radio.Group
          {...common}
          value={String(value)}
          onChange={(chosen) => onChange(typeof value === 'boolean' ? chosen === 'true' : chosen)}
        >
          <Options options={options} as={Radio} />
        </Radio.Group>
      );
    case 'checks':
      return (
        <Checkbox.Group {...common} value={value as string[]} onChange={change}>
          <Options options={options} as={Checkbox} />
        </Checkbox.Group>
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          {...(bounds?.min !== undefined && { min: bounds.min })}
          {...(bounds?.max !== undefined && { max: bounds.max })}
          clampBehavior="none"
          allowDecimal={bounds?.decimals !== 0}
          decimalSeparator={decimalSeparator(format.locale)}
          value={value as number | string}
          onChange={change}
        />
      );
    default:
      return <TextControl {...{ kind, field, bounds, common, onChange }} value={String(value)} />;
  }
}

interface TextControlProps {
  kind: FieldKind;
  field: ShownField;
  bounds: FieldBounds | undefined;
  common: object;
  value: string;
  onChange: (given: unknown) => void;
}

function TextControl({
  kind,
  field: { rows: [minRows, maxRows] = [2, 6] },
  bounds,
  common,
  value,
  onChange,
}: TextControlProps) {
  const shown = { ...common, value, onChange };
  const control =
    kind === 'multi-line' ? (
      <Textarea minRows={minRows} maxRows={maxRows} {...shown} />
    ) : (
      <TextInput type={inputTypes[bounds?.format ?? 'multi-line'] ?? 'text'} {...shown} />
    );
  if (bounds?.max === undefined || bounds.format === 'time-of-day') return control;
  return (
    <div>
      {control}
      <CharactersLeft text={typedText(value, bounds)} max={bounds.max} />
    </div>
  );
}

function Options({
  options,
  as: As,
}: {
  options: NonNullable<ShownField['options']>;
  as: typeof Radio | typeof Checkbox;
}) {
  return (
    <Stack gap="xs" mt="xs">
      {options.map(({ value, label, hint, disabled = false }) => (
        <As key={value} value={value} label={label} description={hint} disabled={disabled} />
      ))}
    </Stack>
  );
}

const acceptsNothing = (bounds: FieldBounds | undefined): boolean =>
  bounds !== undefined &&
  (bounds.nullable === true ||
    bounds.omitted === true ||
    (bounds.type === 'text' && bounds.required !== true));

const decimalSeparator = (locale: string): string =>
  new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
