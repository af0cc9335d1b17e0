import { Text } from '@mantine/core';
import type { AudienceCount, Filter } from '@reachout/contract/filters.ts';
import { useTranslation } from 'react-i18next';
import type { Field } from '@reachout/contract/content-fields.ts';
import { useFieldLabel } from '#web/content/collections/field-label.ts';
import { useFieldText } from '#web/content/collections/field-text.ts';
import { byImportance } from '#web/content/collections/field-order.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { valueText } from '#web/ui/value-text.ts';
import { EmailText } from '#web/ui/email-text.tsx';
import { fieldsOfRule } from '#web/content/rules/rule.ts';

const maxFields = 4;

interface Props {
  sample: AudienceCount['sample'];
  /** Fields of the collection, for their labels. */
  fields: readonly Field[];
  /** The rule, whose fields are shown first. */
  rule: Filter['rule'];
}

/** Ten contacts that a rule matches, to check that it selects the right ones. */
export function SampleTable({ sample, fields: known, rule }: Props) {
  const { t } = useTranslation('audiences');
  const labelOf = useFieldLabel();
  const textOf = useFieldText();
  if (sample.length === 0) return null;
  const fields = fieldsOf(sample, fieldsOfRule(rule));
  return (
    <div>
      <Text fw={650} mb="xs">
        {t('sample', { count: sample.length })}
      </Text>
      <PlainTable
        label={t('sampleLabel')}
        minWidth={0}
        rows={sample}
        rowKey={({ id }) => id}
        columns={[
          {
            header: t('words.emailAddress'),
            cell: ({ email }) => (
              // Beside the rule there is little room, which the other columns would take.
              <Text span fw={500} inherit display="inline-block" miw="9rem">
                <EmailText address={email} />
              </Text>
            ),
          },
          ...fields.map((name) => {
            const field = known.find((entry) => entry.field === name) ?? untold(name);
            return {
              header: labelOf(field),
              cell: ({ data }: AudienceCount['sample'][number]) => textOf(field, data[name]),
            };
          }),
        ]}
      />
    </div>
  );
}

/** The rule's fields, then other informative fields; without timestamps, ids and the address itself. */
function fieldsOf(sample: AudienceCount['sample'], ofRule: ReadonlySet<string>): string[] {
  const skip = new Set(['id', 'email', 'unsubscribed', 'date_created', 'date_updated', 'user_created']);
  const fields = new Set(sample.flatMap((person) => Object.keys(person.data)));
  return [...fields]
    .filter(
      (field) =>
        ofRule.has(field) || (!skip.has(field) && sample.some((person) => isTelling(person.data[field]))),
    )
    .filter((field) => field !== 'email')
    .toSorted(
      (one, other) =>
        Number(ofRule.has(other)) - Number(ofRule.has(one)) || byImportance({ field: one }, { field: other }),
    )
    .slice(0, maxFields);
}

/** Used until the collection's fields are loaded. */
const untold = (field: string) => ({ field, label: null, type: 'string' as const });

const isTelling = (value: unknown) => typeof value !== 'boolean' && valueText(value) !== '–';
