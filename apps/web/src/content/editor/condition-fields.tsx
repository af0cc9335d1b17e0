import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFieldLabel } from '#web/content/collections/field-label.ts';
import { fieldsQuery } from '#web/content/collections/item-queries.ts';
import { useExampleContacts } from '#web/content/templates/use-example-contacts.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { isLoop } from './blocks.ts';
import { setTagCode } from './source/operations.ts';
import type { SourceCondition } from './source/parse-source.ts';
import type { BlockEditor } from './use-block-editor.ts';

const simple = /^contact\.(\w+)(?:\s*(==|!=)\s*(?:"([^"]*)"|(blank)))?$/;
const operators = ['set', 'empty', 'is', 'isNot'] as const;

/** The code of a condition, written once it is complete: half of one means something else. */
function ConditionCode({
  code,
  label,
  readOnly,
  onWrite,
}: {
  code: string;
  label: string;
  readOnly: boolean;
  onWrite: (code: string) => void;
}) {
  const [draft, setDraft] = useState(code);
  const finish = () => {
    const text = draft.replaceAll(/%\}|\{%/g, '').trim();
    if (text !== '' && text !== code) onWrite(text);
    else setDraft(code);
  };
  return (
    <TextInput
      label={label}
      readOnly={readOnly}
      value={draft}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        finish();
      }}
    />
  );
}

/** A condition on a field of the contact without code; any other one as code. */
export function ConditionFields({ editor, condition }: { editor: BlockEditor; condition: SourceCondition }) {
  const { t } = useTranslation('editor');
  const scope = useOrganization();
  const label = useFieldLabel();
  const { readOnly } = editor;
  const { collection } = useExampleContacts(editor.sources);
  const { data } = useQuery({ ...fieldsQuery(scope, collection ?? ''), enabled: collection !== undefined });
  const { tag } = condition.branches[0]!;
  const put = (code: string) => editor.set(setTagCode(editor.parsed, tag, code));
  const found = tag.name === 'if' ? simple.exec(tag.code) : null;
  if (found === null)
    return (
      <ConditionCode
        key={tag.code}
        code={tag.code}
        label={t(isLoop(condition) ? 'field.loop' : 'field.condition')}
        readOnly={readOnly}
        onWrite={put}
      />
    );
  const [, field = '', comparison, value = '', blank] = found;
  const operator =
    comparison === undefined ? 'set' : blank !== undefined ? 'empty' : comparison === '==' ? 'is' : 'isNot';
  const known = (data?.data ?? []).map((one) => ({ value: one.field, label: label(one) }));
  const build = (name: string, how: string, what: string) => {
    const text = what.replaceAll(/["{}%]/g, '');
    if (how === 'set') put(`contact.${name}`);
    else if (how === 'empty') put(`contact.${name} == blank`);
    else put(`contact.${name} ${how === 'is' ? '==' : '!='} "${text}"`);
  };
  return (
    <>
      <NativeSelect
        label={t('fieldOfContact')}
        value={field}
        disabled={readOnly}
        data={known.some((one) => one.value === field) ? known : [{ value: field, label: field }, ...known]}
        onChange={({ currentTarget }) => build(currentTarget.value, operator, value)}
      />
      <NativeSelect
        label={t('operator')}
        value={operator}
        disabled={readOnly}
        data={operators.map((one) => ({ value: one, label: t(`operators.${one}`) }))}
        onChange={({ currentTarget }) => build(field, currentTarget.value, value)}
      />
      {(operator === 'is' || operator === 'isNot') && (
        <TextInput
          label={t('words.value')}
          value={value}
          readOnly={readOnly}
          onChange={({ currentTarget }) => build(field, operator, currentTarget.value)}
        />
      )}
    </>
  );
}
