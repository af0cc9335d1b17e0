import { Alert, Button, Code, Group, Popover, Stack, Text } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RuleBuilder } from '#web/content/rules/rule-builder.tsx';
import {
  countConditions,
  fromRule,
  kindOf,
  newCondition,
  newGroup,
  toRule,
  unfinishedKeys,
  type RuleGroup,
} from '#web/content/rules/rule.ts';
import { byImportance } from './field-order.ts';
import type { ItemRule } from './item-queries.ts';

interface Props {
  collection: string;
  fields: readonly Field[];
  rule: ItemRule | undefined;
  onChange: (rule: ItemRule | undefined) => void;
}

/** Filters items with a rule like that of an audience. The rule is kept as a draft until it is applied. */
export function ItemFilter({ collection, fields: unsorted, rule, onChange }: Props) {
  const { t } = useTranslation(['collections', 'common']);
  const fields = unsorted.toSorted(byImportance);
  const [opened, setOpened] = useState(false);
  const [draft, setDraft] = useState(() => fromRule(rule ?? {}));
  const [known, setKnown] = useState(rule);
  // Back, a saved view or "Clear filters" changes the URL while the editor is shown.
  if (JSON.stringify(known) !== JSON.stringify(rule)) {
    setKnown(rule);
    setDraft(fromRule(rule ?? {}));
  }
  const count = rule === undefined ? 0 : countConditions(fromRule(rule));
  const change = (next: boolean) => {
    setOpened(next);
    const [first] = fields;
    if (next && draft?.members.length === 0 && first)
      setDraft(newGroup('_and', [newCondition(first.field, kindOf(first.type))]));
  };
  const apply = (next: ItemRule | undefined) => {
    onChange(next);
    setOpened(false);
  };
  return (
    <Popover
      opened={opened}
      onChange={change}
      position="bottom-start"
      trapFocus
      returnFocus
      shadow="md"
      width="min(640px, calc(100vw - 32px))"
    >
      <Popover.Target>
        <Button
          data-filter-button
          variant={rule === undefined ? 'default' : 'light'}
          leftSection={<IconFilter size={16} />}
          onClick={() => change(!opened)}
        >
          {rule === undefined ? t('filter.title') : t('filter.on', { count })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah="min(560px, 70vh)" style={{ overflowY: 'auto' }} aria-label={t('filter.title')}>
        <Editor
          collection={collection}
          draft={draft}
          fields={fields}
          rule={rule}
          onDraft={setDraft}
          onApply={apply}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

interface EditorProps {
  collection: string;
  /** Undefined for a rule that the editor cannot show. */
  draft: RuleGroup | undefined;
  fields: readonly Field[];
  rule: ItemRule | undefined;
  onDraft: (draft: RuleGroup) => void;
  onApply: (rule: ItemRule | undefined) => void;
}

function Editor({ collection, draft, fields, rule, onDraft, onApply }: EditorProps) {
  const { t } = useTranslation(['collections', 'common']);
  const [tried, setTried] = useState(false);
  const unfinished = draft === undefined ? [] : unfinishedKeys(draft);
  const kindOfField = (name: string) => {
    const found = fields.find(({ field }) => field === name);
    return found ? kindOf(found.type) : 'text';
  };
  const submit = () => {
    setTried(true);
    if (draft === undefined || unfinished.length > 0) return;
    const next = toRule(draft, kindOfField);
    onApply(Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        {draft === undefined ? (
          <Alert color="yellow">
            <Text size="sm" mb="xs">
              {t('filter.unreadable')}
            </Text>
            <Code block>{JSON.stringify(rule, null, 2)}</Code>
          </Alert>
        ) : (
          <RuleBuilder
            collection={collection}
            group={draft}
            fields={fields}
            unfinished={tried ? unfinished : []}
            onChange={onDraft}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button onClick={() => onApply(undefined)}>{t('filter.clear')}</Button>
          {draft !== undefined && (
            <Button variant="filled" type="submit">
              {t('filter.apply')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
