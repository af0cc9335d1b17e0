import { Button, Group, NativeSelect, VisuallyHidden } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { FinePrint } from '#web/ui/text.ts';
import { kindOf, maxDepth, newCondition, newGroup, type RuleGroup, type RuleNode } from './rule.ts';
import classes from './rule-builder.module.css';
import { Condition } from './rule-condition.tsx';

interface GroupProps {
  /** Whose items are selected. */
  collection: string;
  group: RuleGroup;
  fields: readonly Field[];
  depth?: number;
  /** Keys of conditions to mark as incomplete. */
  unfinished?: readonly string[];
  onChange: (group: RuleGroup) => void;
  onRemove?: () => void;
}

/** Groups of conditions as sentences: field, operator, value. */
export function RuleBuilder({
  collection,
  group,
  fields,
  depth = 1,
  unfinished = [],
  onChange,
  onRemove,
}: GroupProps) {
  const { t } = useTranslation('audiences');
  const first = fields[0];
  const replace = (key: string, next: RuleNode | undefined) =>
    onChange({
      ...group,
      members: group.members.flatMap((node) => (node.key === key ? (next ? [next] : []) : [node])),
    });
  const add = (node: RuleNode) => onChange({ ...group, members: [...group.members, node] });

  return (
    <fieldset className={classes.group} data-depth={depth}>
      <VisuallyHidden component="legend">{t('words.rules')}</VisuallyHidden>
      {group.members.length > 1 && (
        <Group gap="xs" mb="sm">
          <NativeSelect
            size="sm"
            aria-label={t('match')}
            value={group.join}
            data={[
              { value: '_and', label: t('all') },
              { value: '_or', label: t('any') },
            ]}
            onChange={(event) => onChange({ ...group, join: event.currentTarget.value as RuleGroup['join'] })}
          />
        </Group>
      )}
      <ul className="bare">
        {group.members.map((node, index) => (
          <li key={node.key}>
            {index > 0 && <FinePrint py={4}>{t(group.join === '_and' ? 'and' : 'or')}</FinePrint>}
            {node.kind === 'group' ? (
              <RuleBuilder
                collection={collection}
                group={node}
                fields={fields}
                depth={depth + 1}
                unfinished={unfinished}
                onChange={(next) => replace(node.key, next)}
                onRemove={() => replace(node.key, undefined)}
              />
            ) : (
              <Condition
                collection={collection}
                condition={node}
                fields={fields}
                isUnfinished={unfinished.includes(node.key)}
                onChange={(next) => replace(node.key, next)}
                onRemove={() => replace(node.key, undefined)}
              />
            )}
          </li>
        ))}
      </ul>
      <Group gap="xs" mt={group.members.length > 0 ? 'sm' : 0}>
        <Button
          size="xs"
          leftSection={<IconPlus size={16} />}
          onClick={() => first && add(newCondition(first.field, kindOf(first.type)))}
        >
          {t('addCondition')}
        </Button>
        {depth < maxDepth && (
          <Button
            size="xs"
            variant="subtle"
            onClick={() =>
              first &&
              add(
                newGroup(group.join === '_and' ? '_or' : '_and', [
                  newCondition(first.field, kindOf(first.type)),
                ]),
              )
            }
          >
            {t('addGroup')}
          </Button>
        )}
        {onRemove && (
          <Button size="xs" variant="subtle" color="gray" onClick={onRemove}>
            {t('removeGroup')}
          </Button>
        )}
      </Group>
    </fieldset>
  );
}
