import { Alert, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { ImportDetails, RejectionReason } from '@reachout/contract/content-imports.ts';
import { describeImportError } from '@reachout/contract/rules/import-error-text.ts';
import { isImportMoving } from '@reachout/contract/states/import.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFieldLabel } from '#web/content/collections/field-label.ts';
import { useFormat } from '#web/i18n/format.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { QuietText, SectionTitle } from '#web/ui/text.ts';

interface Props {
  entry: ImportDetails;
  fields: readonly Field[];
  /** The actions available next. */
  children: ReactNode;
}

/** A file that is being checked or imported, with the expected or actual counts, and the rejected rows with reasons. */
export function ImportProgress({ entry, fields, children }: Props) {
  const { t, i18n } = useTranslation(['collections', 'common']);
  const format = useFormat();
  const labelOf = useFieldLabel();
  const language = i18n.language === 'de' ? 'de' : 'en';
  const isMoving = isImportMoving(entry);
  const percent = entry.bytes_total === 0 ? 0 : Math.min(100, (entry.bytes_done / entry.bytes_total) * 100);
  const known = [...fields, ...entry.new_fields];
  const nameOf = (name: string) =>
    labelOf(known.find(({ field }) => field === name) ?? { field: name, label: null });
  const rows = format.number(entry.rows_done);
  const metrics = [
    { key: 'created', value: entry.created_count },
    { key: 'updated', value: entry.updated_count },
    { key: 'unchanged', value: entry.unchanged_count },
    { key: 'rejected', value: entry.rejected_count },
  ] as const;
  return (
    <Stack gap="md">
      <div role="status">
        <SectionTitle>{t(`csv.heads.${entry.status}`, { rows })}</SectionTitle>
        <QuietText>{isMoving ? t('csv.leaving') : entry.file_name}</QuietText>
        {isMoving && entry.yields_to_sends && <Text size="sm">{t('csv.yieldsToSends')}</Text>}
      </div>
      {isMoving && <Progress value={percent} aria-label={t('csv.progress')} size="lg" />}
      {entry.error && (
        <Alert color={isMoving ? 'yellow' : 'red'} icon={<IconAlertTriangle size={18} />}>
          {describeImportError(entry.error, language)}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, sm: 4 }} component="dl">
        {metrics.map((metric) => (
          <Paper key={metric.key} withBorder p="md" radius="md">
            <QuietText component="dt">{t(`csv.${metric.key}`)}</QuietText>
            <Text component="dd" className="key-metric">
              {format.number(metric.value)}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      {!isMoving && entry.rows_done > 0 && (
        <Text>
          {t('csv.sum', {
            count: entry.rows_done,
            created: entry.created_count,
            updated: entry.updated_count,
            unchanged: entry.unchanged_count,
            merged: entry.merged_count,
            rejected: entry.rejected_count,
          })}
        </Text>
      )}
      {entry.merged_count > 0 && <Text>{t('csv.merged', { count: entry.merged_count })}</Text>}
      {entry.new_fields.length > 0 && (
        <Text>{t('csv.newFields', { names: format.list(entry.new_fields.map(({ label }) => label)) })}</Text>
      )}
      <Reasons
        title={t('csv.rejectedTitle')}
        reasons={entry.reasons.filter(({ kind }) => kind === 'rejected')}
        nameOf={nameOf}
      />
      <Reasons
        title={t('csv.leftOutTitle')}
        hint={t('csv.leftOutHint')}
        reasons={entry.reasons.filter(({ kind }) => kind === 'left_out')}
        nameOf={nameOf}
      />
      {!isMoving && <Group>{children}</Group>}
    </Stack>
  );
}

interface ReasonsProps {
  title: string;
  hint?: string;
  reasons: readonly RejectionReason[];
  nameOf: (field: string) => string;
}

/** Why rows were rejected or values left out, each reason with the number of rows and the first values. */
function Reasons({ title, hint, reasons, nameOf }: ReasonsProps) {
  const { t, i18n } = useTranslation(['collections', 'common']);
  const format = useFormat();
  const language = i18n.language === 'de' ? 'de' : 'en';
  if (reasons.length === 0) return null;
  return (
    <section>
      <Title order={3} mb="xs">
        {title}
      </Title>
      {hint !== undefined && <QuietText mb="xs">{hint}</QuietText>}
      <PlainTable
        label={title}
        minWidth={480}
        maxHeight={360}
        rows={reasons}
        rowKey={({ field, error }) => `${field} ${error.code}`}
        columns={[
          {
            header: t('csv.fieldColumn'),
            cell: ({ field }) => (field === null ? t('common:none') : nameOf(field)),
          },
          { header: t('csv.reason'), cell: ({ error }) => describeImportError(error, language) },
          { header: t('csv.rowCount'), align: 'end', cell: ({ count }) => format.number(count) },
          {
            header: t('csv.examples'),
            cell: ({ count, examples }) => <Examples count={count} examples={examples} />,
          },
        ]}
      />
    </section>
  );
}

/** The first values with their lines, as they are in the file. */
function Examples({ count, examples }: Pick<RejectionReason, 'count' | 'examples'>) {
  const { t } = useTranslation('collections');
  const format = useFormat();
  return (
    <ul className="plain-list" style={{ gap: 2 }}>
      {examples.map(({ line, value }, index) => (
        // Several objects of a JSON file may be on one line.
        <li key={index} className="break">
          {value
            ? t('csv.lineValue', { line: format.number(line), value })
            : t('csv.lineOnly', { line: format.number(line) })}
        </li>
      ))}
      {count > examples.length && <li>{t('words.andMore', { count: count - examples.length })}</li>}
    </ul>
  );
}
