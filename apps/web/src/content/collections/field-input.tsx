import { ImageFile } from '#web/content/files/image-file.tsx';
import {
  Checkbox,
  Image,
  JsonInput,
  NumberInput,
  Select,
  TagsInput,
  Textarea,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import { useTranslation } from 'react-i18next';
import { isImageFile } from './field-kind.ts';
import { isNumber } from './item-values.ts';

interface Props {
  field: Pick<Field, 'field' | 'type' | 'interface' | 'choices' | 'required'>;
  /** Name of the field; hidden in a table, where the column header shows it, except for screen readers. */
  name: string;
  isInTable?: boolean;
  /** Value, error and handlers, as provided by forms. */
  input: object;
}

export function FieldInput({ field, name, isInTable = false, input }: Props) {
  const { t } = useTranslation(['collections', 'common']);
  const label = field.required ? name : `${name} ${t('common:optional')}`;
  const props = { ...(isInTable ? { 'aria-label': name, 'data-autofocus': true } : { label }), ...input };
  if (field.interface === 'select') {
    const { value, onChange } = input as { value?: string; onChange?: (choice: string) => void };
    return (
      <Select
        {...props}
        // An empty string would be a value that can be cleared.
        value={value || null}
        onChange={(choice) => onChange?.(choice ?? '')}
        data={field.choices ?? []}
        searchable
        clearable={!field.required}
        // In a portal, a click on an option would count as a click outside the cell editor.
        comboboxProps={{ withinPortal: !isInTable }}
      />
    );
  }
  if (isImageFile(field)) return <ImageFile {...props} />;
  if (field.interface === 'image') return <ImageAddress {...props} />;
  if (field.type === 'boolean') {
    const { checked } = input as { checked?: boolean | '' };
    const isEmpty = checked === '';
    return (
      <Checkbox
        {...input}
        {...(isInTable ? { 'data-autofocus': true } : {})}
        checked={checked === true}
        indeterminate={isEmpty}
        label={name}
        {...(isEmpty ? { description: t('noValue') } : {})}
      />
    );
  }
  if (field.type === 'csv') return <TagsInput {...props} description={t('listHint')} acceptValueOnBlur />;
  if (field.type === 'json') return <JsonInput {...props} autosize minRows={3} maxRows={16} />;
  if (field.type === 'text') return <Textarea {...props} minRows={3} maxRows={16} />;
  if (isNumber(field)) return <NumberInput {...props} hideControls allowDecimal={isFractional(field)} />;
  const inputType = field.interface === 'email' ? 'email' : inputTypes[field.type];
  return <TextInput {...props} type={inputType ?? 'text'} />;
}

const isFractional = ({ type }: Pick<Field, 'type'>): boolean => type === 'float' || type === 'decimal';

const inputTypes: Partial<Record<Field['type'], string>> = {
  date: 'date',
  time: 'time',
  dateTime: 'datetime-local',
  timestamp: 'datetime-local',
};

/** The web address of an image, with a preview once it is valid. */
export function ImageAddress(props: TextInputProps) {
  const { t } = useTranslation('collections');
  const address = String(props.value ?? '');
  return (
    <div>
      <TextInput {...props} type="url" placeholder="https://" description={t('imageHint')} />
      {/^https:\/\/\S+$/.test(address) && (
        <Image
          key={address}
          src={address}
          alt=""
          mt="xs"
          mah={160}
          w="auto"
          maw="100%"
          fit="contain"
          radius="sm"
          referrerPolicy="no-referrer"
        />
      )}
    </div>
  );
}
