// By hand: the rows are a part of a form, and stored with it.
import { Checkbox, Group, Menu, Select, Stack, Text, TextInput } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import { canBeAsked } from '@reachout/contract/rules/sign-up-inputs.ts';
import type { SignUpField } from '@reachout/contract/sign-up-forms.ts';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFieldLabel } from '#web/content/collections/field-label.ts';
import { byPlace } from '#web/content/collections/field-order.ts';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { QuietText } from '#web/ui/text.ts';

interface Props {
  /** Of the collection. */
  known: readonly Field[];
  value: readonly SignUpField[];
  onChange: (fields: SignUpField[]) => void;
  error: unknown;
}

/** The fields that a form asks for, in their order, and the choice of further ones. */
export function SignUpFieldList({ known, value, onChange, error }: Props) {
  const { t } = useTranslation('signUpForms');
  const labelOf = useFieldLabel();
  const left = known
    .filter((field) => canBeAsked(field) && !value.some(({ name }) => name === field.field))
    .toSorted(byPlace);
  const change = (index: number, changes: Partial<SignUpField>) =>
    onChange(value.map((field, place) => (place === index ? { ...field, ...changes } : field)));
  const move = (index: number, by: -1 | 1) => {
    const rest = value.filter((_field, place) => place !== index);
    onChange(rest.toSpliced(index + by, 0, value[index]!));
  };
  return (
    <Stack gap="md">
      {value.length > 0 && (
        <Stack component="ul" className="plain-list" style={{ gap: 12 }}>
          {value.map((field, index) => {
            const found = known.find((each) => each.field === field.name);
            const name = found ? labelOf(found) : field.name;
            return (
              <Group component="li" key={field.name} gap="sm" align="flex-end">
                <TextInput
                  flex="1 1 10rem"
                  label={t('fields.labelOf', { field: name })}
                  description={found ? undefined : t('fields.missing', { field: field.name })}
                  value={field.label}
                  onChange={(event) => change(index, { label: event.currentTarget.value })}
                />
                <Group gap="xs" wrap="nowrap" style={{ flex: 'none' }}>
                  <Checkbox
                    label={t('words.required')}
                    aria-label={t('fields.requiredOf', { field: name })}
                    checked={field.is_required}
                    onChange={(event) => change(index, { is_required: event.currentTarget.checked })}
                  />
                  <RowMenu name={name}>
                    <Menu.Item disabled={index === 0} onClick={() => move(index, -1)}>
                      {t('words.moveUp')}
                    </Menu.Item>
                    <Menu.Item disabled={index === value.length - 1} onClick={() => move(index, 1)}>
                      {t('words.moveDown')}
                    </Menu.Item>
                    <Menu.Item onClick={() => onChange(value.filter((_field, place) => place !== index))}>
                      {t('words.remove')}
                    </Menu.Item>
                  </RowMenu>
                </Group>
              </Group>
            );
          })}
        </Stack>
      )}
      {error !== undefined && (
        <Text size="sm" c="var(--app-danger)" role="alert">
          {error as string}
        </Text>
      )}
      {left.length === 0 ? (
        <QuietText>{t('fields.none')}</QuietText>
      ) : (
        <Select
          maw={320}
          searchable
          label={t('fields.add')}
          leftSection={<IconPlus size={16} />}
          data={left.map((field) => ({ value: field.field, label: labelOf(field) }))}
          // Chosen fields join the list above.
          value={null}
          onChange={(name) => {
            const field = left.find((each) => each.field === name);
            if (field)
              onChange([...value, { name: field.field, label: labelOf(field), is_required: field.required }]);
          }}
        />
      )}
    </Stack>
  );
}
