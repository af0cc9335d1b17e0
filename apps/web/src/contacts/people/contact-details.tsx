import { Badge, Group, Text } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { useTranslation } from 'react-i18next';
import { useFieldLabel } from '#web/content/collections/field-label.ts';
import { byImportance } from '#web/content/collections/field-order.ts';
import { useFieldText } from '#web/content/collections/field-text.ts';
import { consentField } from '#web/content/collections/contact-fields.ts';
import { SectionCard } from '#web/ui/section-card.tsx';
import { valueText } from '#web/ui/value-text.ts';
import { ValueList } from '#web/ui/value-list.tsx';

/** The stored values of a contact, labeled by field. */
export function ContactDetails({ fields, item }: { fields: readonly Field[]; item: Item }) {
  const { t } = useTranslation('collections');
  const labelOf = useFieldLabel();
  const textOf = useFieldText();
  const known = fields
    .filter(({ field }) => field !== consentField && !isEmpty(item[field]))
    .toSorted(byImportance);
  return (
    <SectionCard title={t('contact.details')}>
      {known.length === 0 ? (
        <Text c="dimmed">{t('contact.noValues')}</Text>
      ) : (
        <ValueList
          values={known.map((field) => {
            const value = item[field.field];
            return {
              name: labelOf(field),
              value:
                field.type === 'csv' && Array.isArray(value) ? (
                  <Group gap={6}>
                    {value.map((entry, index) => (
                      <Badge key={index} color="gray" variant="light" tt="none">
                        {valueText(entry)}
                      </Badge>
                    ))}
                  </Group>
                ) : (
                  <span className="break">{textOf(field, value)}</span>
                ),
            };
          })}
        />
      )}
    </SectionCard>
  );
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
