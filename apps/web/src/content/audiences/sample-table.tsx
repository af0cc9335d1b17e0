import { Text } from '@mantine/core';
import type { AudienceCount } from '@reachout/contract/filters.ts';
import { useTranslation } from 'react-i18next';
import { byImportance } from '#web/content/collections/field-order.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { valueText } from '#web/ui/value-text.ts';
import { EmailText } from '#web/ui/email-text.tsx';

const maxFields = 4;

/** Ten of the people a rule selects, to see whether it selects the right ones. */
export function SampleTable({ sample }: { sample: AudienceCount['sample'] }) {
  const { t } = useTranslation('audiences');
  if (sample.length === 0) return null;
  const fields = fieldsOf(sample);
  return (
    <div>
      <Text fw={650} mb="xs">
        {t('sample', { count: sample.length })}
      </Text>
      <PlainTable
        label={t('sampleLabel')}
        minWidth={420}
        rows={sample}
        rowKey={({ id }) => id}
        columns={[
          {
            header: t('email'),
            cell: ({ email }) => (
              <Text span fw={500} inherit>
                <EmailText address={email} />
              </Text>
            ),
          },
          ...fields.map((field) => ({
            header: field,
            cell: ({ data }: AudienceCount['sample'][number]) => valueText(data[field]),
          })),
        ]}
      />
    </div>
  );
}

/** Fields that say something about somebody; stamps, ids and the address itself do not. */
function fieldsOf(sample: AudienceCount['sample']): string[] {
  const skip = new Set(['id', 'email', 'unsubscribed', 'date_created', 'date_updated', 'user_created']);
  const fields = new Set(sample.flatMap((person) => Object.keys(person.data)));
  return [...fields]
    .filter((field) => !skip.has(field) && sample.some((person) => isTelling(person.data[field])))
    .toSorted((one, other) => byImportance({ field: one }, { field: other }))
    .slice(0, maxFields);
}

const isTelling = (value: unknown) => typeof value !== 'boolean' && valueText(value) !== '–';
