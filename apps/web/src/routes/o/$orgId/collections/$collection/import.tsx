import '@mantine/dropzone/styles.css';
import { Alert, Button, Group, Paper, Progress, Select, Stack, Stepper, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import type { Field } from '@reachout/contract/content.ts';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { ColumnMapping } from '#web/content/imports/column-mapping.tsx';
import {
  isBinary,
  readCsvSample,
  sampleBytes,
  suggestMapping,
  type CsvSample,
} from '#web/content/imports/csv-sample.ts';
import { importEnded, ImportProgress } from '#web/content/imports/import-progress.tsx';
import { SampleRows } from '#web/content/imports/sample-rows.tsx';
import { maxImportBytes, uploadImport } from '#web/content/imports/upload-import.ts';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ActionError, ForbiddenState } from '#web/ui/states.tsx';
import { useAction } from '#web/ui/use-action.ts';
import { useOnChange } from '#web/ui/use-on-change.ts';
import { checked } from '#web/platform/list-search.ts';

interface Search {
  /** A started import: leaving and coming back finds it again. */
  run?: string;
}

export const Route = createFileRoute('/o/$orgId/collections/$collection/import')({
  validateSearch: checked((raw): Search => (typeof raw['run'] === 'string' ? { run: raw['run'] } : {})),
  component: ImportPage,
});

interface ChosenFile {
  file: File;
  bytes: Uint8Array;
  sample: CsvSample;
}

function ImportPage() {
  const { t } = useTranslation('collections');
  const { collection } = Route.useParams();
  const { run } = Route.useSearch();
  const { api, orgId, can } = useOrganization();
  const navigate = Route.useNavigate();
  const nameOf = useCollectionName();
  const [chosen, setChosen] = useState<ChosenFile>();
  const fields = useQuery(api.content.fields.queryOptions({ input: { organization_id: orgId, collection } }));
  if (!can('create', 'Content')) return <ForbiddenState />;
  const step = run ? 2 : chosen ? 1 : 0;
  return (
    <>
      <PageHeader
        title={t('csv.title', { name: nameOf(collection) })}
        section={t('title')}
        crumbs={[
          <LinkAnchor key="collections" to="/o/$orgId/collections" params={{ orgId }}>
            {t('title')}
          </LinkAnchor>,
          <LinkAnchor key="collection" to="/o/$orgId/collections/$collection" params={{ orgId, collection }}>
            {nameOf(collection)}
          </LinkAnchor>,
        ]}
      />
      <Stepper active={step} size="sm" mb="lg" allowNextStepsSelect={false} maw={560}>
        <Stepper.Step label={t('csv.steps.file')} />
        <Stepper.Step label={t('csv.steps.columns')} />
        <Stepper.Step label={t('csv.steps.run')} />
      </Stepper>
      {run ? (
        <Run
          id={run}
          onAgain={() => {
            setChosen(undefined);
            void navigate({ search: {} });
          }}
        />
      ) : chosen ? (
        <AsyncRegion query={fields} what={t('whatItems')}>
          {({ data }) => (
            <Columns
              chosen={chosen}
              fields={data.filter((field) => !field.readonly && field.field !== 'id')}
              onSample={(sample) => setChosen({ ...chosen, sample })}
              onOther={() => setChosen(undefined)}
              onStarted={(id) => void navigate({ search: { run: id } })}
            />
          )}
        </AsyncRegion>
      ) : (
        <FileStep onChosen={setChosen} />
      )}
    </>
  );
}

function FileStep({ onChosen }: { onChosen: (chosen: ChosenFile) => void }) {
  const { t } = useTranslation('collections');
  const format = useFormat();
  const [denialReason, setRefusal] = useState<string>();
  const limit = format.size(maxImportBytes);
  const choose = async (files: File[]) => {
    const file = files[0];
    if (!file) return;
    const bytes = new Uint8Array(await file.slice(0, sampleBytes).arrayBuffer());
    if (isBinary(bytes)) {
      setRefusal(t('csv.refused', { size: limit }));
      return;
    }
    const sample = readCsvSample(bytes, file.size <= sampleBytes);
    if (sample.rows.length === 0) setRefusal(t('csv.empty'));
    else onChosen({ file, bytes, sample });
  };
  return (
    <Stack maw={720}>
      <Dropzone
        multiple={false}
        maxSize={maxImportBytes}
        accept={{
          'text/csv': ['.csv', '.txt', '.tsv'],
          'text/plain': ['.csv', '.txt', '.tsv'],
          'application/vnd.ms-excel': ['.csv'],
        }}
        onDrop={(files) => void choose(files)}
        onReject={() => setRefusal(t('csv.refused', { size: limit }))}
        inputProps={{ 'aria-label': t('csv.drop') }}
        p="xl"
      >
        <Stack align="center" gap="xs" py="lg">
          <IconFileTypeCsv size={40} stroke={1.5} className="quiet-icon" aria-hidden />
          <Text fw={500} ta="center">
            {t('csv.drop')}
          </Text>
          <Text size="sm" c="dimmed" ta="center">
            {t('csv.dropHint', { size: limit })}
          </Text>
        </Stack>
      </Dropzone>
      {denialReason && (
        <Alert color="red" variant="light" role="alert">
          {denialReason}
        </Alert>
      )}
    </Stack>
  );
}

interface ColumnsProps {
  chosen: ChosenFile;
  fields: readonly Field[];
  onSample: (sample: CsvSample) => void;
  onOther: () => void;
  onStarted: (id: string) => void;
}

function Columns({ chosen, fields, onSample, onOther, onStarted }: ColumnsProps) {
  const { t } = useTranslation('collections');
  const format = useFormat();
  const { orgId } = useOrganization();
  const { collection } = Route.useParams();
  const { file, bytes, sample } = chosen;
  const suggested = suggestMapping(
    sample.header,
    fields.map((field) => field.field),
  );
  const [edited, setEdited] = useState<Record<string, string>>();
  const mapping = edited ?? suggested;
  const unique = fields.filter((field) => field.unique);
  const [keyField, setKeyField] = useState(unique[0]?.field ?? 'email');
  const [sent, setSent] = useState(0);
  const [tried, setTried] = useState(false);
  const action = useAction();

  const targets = Object.values(mapping);
  const double = targets.find((field, index) => targets.indexOf(field) !== index);
  const missing = fields.find((field) => field.required && !targets.includes(field.field));
  const denialReason = double
    ? t('csv.double', { field: double })
    : missing
      ? t('csv.missing', { field: missing.field })
      : targets.includes(keyField)
        ? undefined
        : t('csv.keyMissing', { field: keyField });

  const start = () => {
    setTried(true);
    if (denialReason) return;
    void action.run(async () => {
      const started = await uploadImport(
        orgId,
        { collection, mapping, key_field: keyField, separator: sample.separator, encoding: sample.encoding },
        file,
        setSent,
      );
      onStarted(started.id);
    });
  };
  return (
    <Stack gap="lg">
      {/* Only while the file is leaving this machine does closing the tab lose anything. */}
      <UnsavedGuard dirty={action.pending} onSave={async () => false} />
      <Paper withBorder p="md" radius="md">
        <Group justify="space-between" mb="md">
          <Text fw={650}>
            {file.name} · {format.size(file.size)}
          </Text>
          <Button size="xs" variant="subtle" onClick={onOther} disabled={action.pending}>
            {t('csv.other')}
          </Button>
        </Group>
        <SampleRows
          sample={sample}
          onChange={(choose) => {
            setEdited(undefined);
            onSample(readCsvSample(bytes, file.size <= bytes.length, choose));
          }}
        />
      </Paper>
      <Paper withBorder p="md" radius="md">
        <ColumnMapping
          sample={sample}
          fields={fields}
          mapping={mapping}
          suggested={suggested}
          onChange={setEdited}
        />
        {unique.length > 0 && (
          <Select
            mt="md"
            maw={360}
            label={t('csv.keyField')}
            description={t('csv.keyHint')}
            value={keyField}
            onChange={(value) => value && setKeyField(value)}
            data={unique.map((field) => field.field)}
            allowDeselect={false}
          />
        )}
      </Paper>
      {tried && denialReason && (
        <Alert color="red" variant="light" role="alert">
          {denialReason}
        </Alert>
      )}
      <ActionError error={action.error} />
      {action.pending ? (
        <div role="status">
          <Text size="sm" mb={4}>
            {t('csv.uploading', { percent: format.percent(sent) })} {t('csv.keepOpen')}
          </Text>
          <Progress value={sent * 100} aria-label={t('csv.progress')} size="lg" />
        </div>
      ) : (
        <Group>
          <Button onClick={start}>{t('csv.submit', { name: file.name })}</Button>
        </Group>
      )}
    </Stack>
  );
}

const pollMs = 1_000;

function Run({ id, onAgain }: { id: string; onAgain: () => void }) {
  const { t } = useTranslation('collections');
  const { api, orgId } = useOrganization();
  const query = useQuery(
    api.content.getImport.queryOptions({
      input: { organization_id: orgId, id },
      meta: { quiet: true },
      refetchInterval: ({ state }) => {
        if (!state.data || !importEnded(state.data)) return pollMs;
        return false;
      },
      refetchIntervalInBackground: true,
    }),
  );
  // A small file may have ended before the first look.
  useOnChange(query.data !== undefined && importEnded(query.data), () => void refreshOrganization(orgId));
  return (
    <AsyncRegion query={query} what={t('csv.steps.run')}>
      {(entry) => <ImportProgress entry={entry} onAgain={onAgain} />}
    </AsyncRegion>
  );
}
