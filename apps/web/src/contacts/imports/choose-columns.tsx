import { Alert, Button, Group, Paper, Progress, Select, Stack, Text } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { ContentImport, ImportSettings } from '@reachout/contract/content-imports.ts';
import { csvSeparators } from '@reachout/contract/rules/csv-rows.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { consentField, hasSubscriptions } from '#web/content/collections/contact-fields.ts';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { sendFile } from '#web/platform/upload.ts';
import { ActionError } from '#web/ui/states.tsx';
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx';
import type { ChosenFile } from './choose-file.tsx';
import { useFieldLabel } from '#web/content/collections/field-label.ts';
import { useItemWords } from '#web/content/collections/item-words.ts';
import { useDirectus } from '#web/content/collections/use-directus.ts';
import { ColumnMapping } from './column-mapping.tsx';
import { consentReadingOf, type Mapping } from './mapping.ts';
import { readFileSample, type CsvChoice, type FileSample } from './file-sample.ts';
import type { ImportTarget } from './import-target.ts';
import { SampleRows } from './sample-rows.tsx';
import { suggestMapping } from './suggest-mapping.ts';

interface Props {
  /** Undefined until it is decided whose contacts these are. */
  target: ImportTarget | undefined;
  chosen: ChosenFile;
  fields: readonly Field[];
  /** Called when the user goes on without a target. */
  onTargetMissing: () => void;
  onSample: (sample: FileSample) => void;
  onOther: () => void;
  onStarted: (started: ContentImport) => void;
}

/** Placeholder in the field selection; no field can have this name. */
const noKey = '-';

/** The second step of an import: maps columns to fields. The upload starts here. */
export function ChooseColumns({
  target,
  chosen,
  fields,
  onTargetMissing,
  onSample,
  onOther,
  onStarted,
}: Props) {
  const { t } = useTranslation(['collections', 'consent']);
  const format = useFormat();
  const { file, sample } = chosen;
  const suggested = suggestMapping(
    sample.header,
    sample.columns,
    fields.map((field) => field.field),
  );
  const [edited, setEdited] = useState<Mapping>();
  const mapping = edited ?? { fieldOf: suggested, newFields: [], rejectFields: [], consent: undefined };
  const labelOf = useFieldLabel();
  const hasContacts = hasSubscriptions(fields);
  const words = useItemWords(hasContacts);
  const isDirectus = useDirectus();
  // A Directus may match contacts by their addresses even if these are not unique there.
  const unique = fields.filter((field) => field.unique || (isDirectus && field.field === 'email'));
  const [keyField, setKeyField] = useState(unique[0]?.field ?? null);
  const [tried, setTried] = useState(false);
  const reason = useInvalidReason(fields, Object.values(mapping.fieldOf), keyField);
  const { upload, sent } = useUpload(onStarted);
  const read = useMutation({
    mutationFn: (choice: CsvChoice) => readFileSample(file, choice),
    onSuccess: (again) => {
      setEdited(undefined);
      onSample(again);
    },
  });
  const start = () => {
    setTried(true);
    if (target === undefined) onTargetMissing();
    else if (!reason) upload.mutate({ target, chosen, mapping, keyField });
  };
  return (
    <Stack gap="lg">
      {/* Closing the tab loses data only during the upload. */}
      <UnsavedGuard dirty={upload.isPending} saving={false} onSave={async () => false} />
      <Paper withBorder p="md" radius="md">
        <Group justify="space-between" mb="md">
          <Text fw={650}>
            {file.name} · {format.size(file.size)}
          </Text>
          <Button size="xs" variant="subtle" onClick={onOther} disabled={upload.isPending}>
            {t('csv.other')}
          </Button>
        </Group>
        <SampleRows
          sample={sample}
          isDisabled={read.isPending || upload.isPending}
          onChange={(choice) => read.mutate(choice)}
        />
      </Paper>
      <Paper withBorder p="md" radius="md">
        <ColumnMapping
          sample={sample}
          fields={fields}
          mapping={mapping}
          suggested={suggested}
          keyField={keyField}
          canAddFields={!isDirectus}
          onChange={setEdited}
        />
        {hasContacts && (
          <Text size="sm" c="dimmed" mt="md" maw={720}>
            {t('consent:importHint')}
          </Text>
        )}
        {unique.length > 0 && (
          <Select
            mt="md"
            maw={360}
            label={words.matchBy}
            description={words.matchHint}
            value={keyField ?? noKey}
            onChange={(value) => setKeyField(value === noKey ? null : value)}
            data={[
              ...unique.map((field) => ({ value: field.field, label: labelOf(field) })),
              ...(hasContacts ? [] : [{ value: noKey, label: t('csv.noKey') }]),
            ]}
            allowDeselect={false}
          />
        )}
      </Paper>
      {tried && reason && (
        <Alert color="red" variant="light" role="alert">
          {reason}
        </Alert>
      )}
      <ActionError error={upload.error ?? read.error} />
      {upload.isPending ? (
        <div role="status">
          <Text size="sm" mb={4}>
            {t('csv.uploading', { percent: format.percent(sent) })} {t('csv.keepOpen')}
          </Text>
          <Progress value={sent * 100} aria-label={t('csv.progress')} size="lg" />
        </div>
      ) : (
        <Group>
          <Button variant="filled" onClick={start} disabled={read.isPending}>
            {t('csv.check')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Why the file cannot be imported with these columns; undefined if it can. */
function useInvalidReason(fields: readonly Field[], targets: readonly string[], keyField: string | null) {
  const { t } = useTranslation('collections');
  const labelOf = useFieldLabel();
  const nameOf = (name: string) =>
    labelOf(fields.find(({ field }) => field === name) ?? { field: name, label: null });
  const double = targets.find((field, index) => targets.indexOf(field) !== index);
  if (double) return t('csv.duplicate', { field: nameOf(double) });
  const missing = fields.find((field) => field.required && !targets.includes(field.field));
  if (missing) return t('csv.missing', { field: labelOf(missing) });
  if (targets.length === 0) return t('csv.nothing');
  return keyField === null || targets.includes(keyField)
    ? undefined
    : t('csv.keyMissing', { field: nameOf(keyField) });
}

interface Upload {
  target: ImportTarget;
  chosen: ChosenFile;
  mapping: Mapping;
  keyField: string | null;
}

/** Uploads the file; `sent` is the uploaded share, from 0 to 1. */
function useUpload(onStarted: (started: ContentImport) => void) {
  const { orgId } = useOrganization();
  const [sent, setSent] = useState(0);
  const upload = useMutation({
    mutationFn: ({ target, chosen: { file, sample }, mapping, keyField }: Upload) =>
      sendFile<ContentImport>(`content/${encodeURIComponent(orgId)}/imports`, file, {
        fields: {
          ...target,
          mapping: mapping.fieldOf,
          new_fields: [...mapping.newFields],
          key_field: keyField ?? '',
          format: sample.format,
          separator: csvSeparators.find((known) => known === sample.separator) ?? ',',
          encoding: sample.encoding,
          reject_fields: mapping.rejectFields.filter(
            (field) => field !== consentField && Object.values(mapping.fieldOf).includes(field),
          ),
          consent: consentReadingOf(sample, mapping),
          check: 'true',
        } satisfies ImportSettings,
        onProgress: setSent,
      }),
    onSuccess: onStarted,
  });
  return { upload, sent };
}
