import { ActionIcon, Group, NativeSelect, TextInput } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFieldLabel } from '#web/content/collections/field-label.ts';
import {
  isComplete,
  isNegative,
  kindOf,
  needsNoValue,
  newCondition,
  operatorsOf,
  type FieldKind,
  type Operator,
  type RuleCondition,
} from './rule.ts';
import classes from './rule-builder.module.css';
import { OrEmpty } from './or-empty.tsx';
import { TimeInput } from './time-input.tsx';

interface ConditionProps {
  /** Whose items are selected. */
  collection: string;
  condition: RuleCondition;
  fields: readonly Field[];
  isUnfinished: boolean;
  onChange: (condition: RuleCondition) => void;
  onRemove: () => void;
}

export function Condition({
  collection,
  condition,
  fields,
  isUnfinished,
  onChange,
  onRemove,
}: ConditionProps) {
  const { t } = useTranslation('audiences');
  const labelOf = useFieldLabel();
  const field = fields.find((entry) => entry.field === condition.field);
  const kind: FieldKind = field ? kindOf(field.type) : 'text';
  const wordOf = (operator: Operator) => {
    if (
      kind === 'date' &&
      (operator === '_lt' || operator === '_lte' || operator === '_gt' || operator === '_gte')
    ) {
      return t(`dateOperators.${operator}`);
    }
    return t(`operators.${operator}`);
  };
  const chooseField = (name: string) => {
    const next = fields.find((entry) => entry.field === name);
    if (!next) return;
    const nextKind = kindOf(next.type);
    const keeps = nextKind === kind && operatorsOf[nextKind].includes(condition.operator);
    onChange(
      keeps
        ? { ...condition, field: name, orEmpty: undefined }
        : { ...newCondition(name, nextKind), key: condition.key },
    );
  };
  return (
    <div className={classes.condition}>
      <NativeSelect
        aria-label={t('words.field')}
        value={condition.field}
        data={[
          ...(field ? [] : [condition.field]),
          ...fields.map((entry) => ({ value: entry.field, label: labelOf(entry) })),
        ]}
        onChange={(event) => chooseField(event.currentTarget.value)}
      />
      <NativeSelect
        aria-label={t('operator')}
        value={condition.operator}
        data={operatorsOf[kind].map((operator) => ({ value: operator, label: wordOf(operator) }))}
        onChange={(event) => onChange({ ...condition, operator: event.currentTarget.value as Operator })}
      />
      <Value
        condition={condition}
        kind={kind}
        field={field}
        isUnfinished={isUnfinished}
        onChange={onChange}
      />
      <ActionIcon size={36} aria-label={t('removeCondition')} onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
      {isNegative(condition) &&
        (kind === 'boolean' || condition.operator !== '_eq') &&
        isComplete(condition) &&
        field && <OrEmpty collection={collection} condition={condition} kind={kind} onChange={onChange} />}
    </div>
  );
}

interface ValueProps {
  condition: RuleCondition;
  kind: FieldKind;
  field: Field | undefined;
  isUnfinished: boolean;
  onChange: (condition: RuleCondition) => void;
}

function Value({ condition, kind, field, isUnfinished, onChange }: ValueProps) {
  const { t } = useTranslation(['audiences', 'common']);
  if (needsNoValue(condition.operator)) return <span />;
  if (kind === 'boolean') {
    return (
      <NativeSelect
        aria-label={t('words.value')}
        value={condition.value}
        data={[
          { value: 'true', label: t('words.yes') },
          { value: 'false', label: t('words.no') },
        ]}
        onChange={(event) => onChange({ ...condition, value: event.currentTarget.value })}
      />
    );
  }
  const isChosen = condition.operator === '_eq' || condition.operator === '_neq';
  if (field?.choices && isChosen) {
    return (
      <NativeSelect
        aria-label={t('words.value')}
        value={condition.value}
        data={['', ...field.choices]}
        {...(isUnfinished && condition.value === ''
          ? { error: t('common:form.required'), 'data-path': 'rule' }
          : {})}
        onChange={(event) => onChange({ ...condition, value: event.currentTarget.value })}
      />
    );
  }
  const input = (
    label: string,
    part: 'value' | 'upper',
    lacks = isUnfinished && condition[part].trim() === '',
  ) => {
    const props = {
      'aria-label': label,
      // The form finds the rejected field by this attribute.
      ...(lacks ? { error: t('common:form.required'), 'data-path': 'rule' } : {}),
      value: condition[part],
      onChange: (value: string) => onChange({ ...condition, [part]: value }),
    };
    if (kind === 'date') return <TimeInput {...props} type={field?.type} />;
    return (
      <TextInput
        {...props}
        inputMode={kind === 'number' ? 'decimal' : undefined}
        placeholder={
          condition.operator === '_in' || condition.operator === '_nin' ? t('listHint') : undefined
        }
        onChange={(event) => props.onChange(event.currentTarget.value)}
      />
    );
  };
  if (condition.operator !== '_between') return input(t('words.value'), 'value');
  return (
    <Group gap={8} wrap="nowrap" align="stretch">
      {input(t('from'), 'value')}
      {input(t('to'), 'upper')}
    </Group>
  );
}
