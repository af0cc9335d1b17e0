import { Alert, Text } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { RuleBuilder } from '#web/content/rules/rule-builder.tsx';
import { QuietText, SectionTitle } from '#web/ui/text.ts';
import type { RuleDraft } from './use-rule-draft.ts';

interface Props {
  draft: RuleDraft;
  /** The stored rule, used if the builder cannot show it. */
  storedRule: unknown;
  collection: string;
  fields: Field[];
  canEdit: boolean;
  /** Whether to mark incomplete conditions. */
  isChecked: boolean;
}

/** The rule of an audience, editable if the builder supports it. */
export function RuleSection({ draft, storedRule, collection, fields, canEdit, isChecked }: Props) {
  const { t } = useTranslation('audiences');
  const nameOf = useCollectionName();
  const { group, setGroup, unfinished } = draft;
  return (
    <div>
      <SectionTitle mb="xs">{t('words.rules')}</SectionTitle>
      {group ? (
        <>
          {group.members.length === 0 && (
            <QuietText mb="sm">{t('everybody', { collection: nameOf(collection) })}</QuietText>
          )}
          <fieldset disabled={!canEdit} className="bare">
            <RuleBuilder
              collection={collection}
              group={group}
              fields={fields}
              unfinished={isChecked ? unfinished : []}
              onChange={setGroup}
            />
          </fieldset>
        </>
      ) : (
        <Alert color="yellow">
          <Text size="sm" mb="xs">
            {t('unreadable')}
          </Text>
          <code className="break">{JSON.stringify(storedRule)}</code>
        </Alert>
      )}
    </div>
  );
}
