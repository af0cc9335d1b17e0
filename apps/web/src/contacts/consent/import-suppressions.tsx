import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { Alert, FileInput, Select, Stack, Text } from '@mantine/core';
import { CsvRowTooLong } from '@reachout/contract/rules/csv-rows.ts';
import { maxImportedSuppressions } from '@reachout/contract/suppressions.ts';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { refresh } from '#web/platform/query-client.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { openSuppressions, readSuppressions, type SuppressionFile } from './read-suppressions.ts';

// The form is written by hand: a file is sent in batches, and its columns are chosen once it is read.

interface Sums {
  rows: number;
  added: number;
  known: number;
  rejected: number;
  /** The first of the rejected rows. */
  shown: { row: number; address: string }[];
}

const none: Sums = { rows: 0, added: 0, known: 0, rejected: 0, shown: [] };
const shownRejections = 20;

interface Values extends Record<string, unknown> {
  file: File | null;
  /** Empty for all brands. */
  brand: string;
  address: string;
  reason: string;
  at: string;
}

/** Imports a CSV file of addresses that must get no email, such as an export of another organization. */
export function ImportSuppressions({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['consent', 'common']);
  const { api, orgId } = useOrganization();
  const brands = useQuery(
    api.brands.list.queryOptions({ input: { organization_id: orgId, page: 0, page_size: 500 } }),
  );
  const [opened, setOpened] = useState<SuppressionFile>();
  const [sums, setSums] = useState<Sums>();
  const isClosed = useRef(false);
  const form = useServerForm<Values>({
    initial: { file: null, brand: '', address: '', reason: '', at: '' },
    checks: { file: () => (opened === undefined ? t('import.noAddresses') : null) },
    submit: async ({ brand, ...chosen }) => {
      if (opened === undefined) return;
      const index = (text: string) => (text === '' ? undefined : Number(text));
      const columns = {
        address: index(chosen.address) ?? opened.columns.address,
        reason: index(chosen.reason),
        at: index(chosen.at),
      };
      let total = none;
      const show = (next: Sums) => {
        total = next;
        setSums(next);
      };
      show(none);
      try {
        for await (const rows of readSuppressions(opened, columns))
          for (let start = 0; start < rows.length && !isClosed.current; start += maxImportedSuppressions) {
            const batch = rows.slice(start, start + maxImportedSuppressions);
            const result = await client.suppressions.import({
              organization_id: orgId,
              brand_id: brand === '' ? null : brand,
              note: cutText(opened.file.name, 200),
              items: batch.map(({ address, reason, at }) => ({
                address: cutText(address, 1_000),
                reason: cutText(reason, 200),
                at: cutText(at, 100),
              })),
            });
            const rejected = result.rejected.map((position) => batch[position]!);
            show({
              rows: total.rows + batch.length,
              added: total.added + result.added_count,
              known: total.known + result.known_count,
              rejected: total.rejected + rejected.length,
              shown: [...total.shown, ...rejected].slice(0, shownRejections),
            });
          }
      } catch (error) {
        if (!(error instanceof CsvRowTooLong)) throw error;
        form.fields.setFieldError('file', t('import.broken', { row: total.rows + 2 }));
      } finally {
        await refresh(orgId);
      }
    },
  });
  const choose = async (file: File | null) => {
    form.fields.setFieldValue('file', file);
    setSums(undefined);
    const found = file === null ? undefined : await openSuppressions(file);
    setOpened(found);
    form.fields.setFieldError('file', file !== null && found === undefined ? t('import.noAddresses') : null);
    const text = (index: number | undefined) => (index === undefined ? '' : String(index));
    form.fields.setFieldValue('address', text(found?.columns.address));
    form.fields.setFieldValue('reason', text(found?.columns.reason));
    form.fields.setFieldValue('at', text(found?.columns.at));
  };
  const close = () => {
    isClosed.current = true;
    onClose();
  };
  const isDone = sums !== undefined && !form.pending;
  return (
    <FormDrawer
      onClose={close}
      title={t('import.action')}
      form={form}
      submitLabel={t('words.import')}
      cancelLabel={t(isDone ? 'common:actions.close' : 'common:actions.cancel')}
    >
      <Text size="sm">{t('import.body')}</Text>
      <FileInput
        label={t('import.file')}
        placeholder={t('import.choose')}
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        value={form.fields.getValues().file}
        onChange={(file) => void choose(file)}
        error={form.fields.errors['file']}
      />
      {opened !== undefined && opened.header.length > 0 && <Columns header={opened.header} form={form} />}
      <Select
        label={t('list.appliesTo')}
        description={t('import.appliesToHint')}
        allowDeselect={false}
        searchable
        data={[
          { value: '', label: t('words.allBrands') },
          ...(brands.data?.items ?? []).map(({ id, name, client: of }) => ({
            value: id,
            label: t('brand', { client: of.name, brand: name }),
          })),
        ]}
        {...form.fields.getInputProps('brand')}
      />
      {sums !== undefined && <Result sums={sums} isDone={isDone} />}
    </FormDrawer>
  );
}

function Columns({
  header,
  form,
}: {
  header: readonly string[];
  form: ReturnType<typeof useServerForm<Values>>;
}) {
  const { t } = useTranslation('consent');
  const data = header.map((name, index) => ({
    value: String(index),
    label: name === '' ? t('import.column', { number: index + 1 }) : name,
  }));
  return (
    <>
      <Select
        label={t('import.addressColumn')}
        allowDeselect={false}
        data={data}
        {...form.fields.getInputProps('address')}
      />
      {(['reason', 'at'] as const).map((part) => {
        const { value, onChange, ...props } = form.fields.getInputProps(part) as {
          value: string;
          onChange: (value: string) => void;
        };
        return (
          <Select
            key={part}
            label={t(`import.${part}Column`)}
            description={t(`import.${part}Hint`)}
            placeholder={t('import.noColumn')}
            clearable
            data={data}
            value={value === '' ? null : value}
            onChange={(next) => onChange(next ?? '')}
            {...props}
          />
        );
      })}
    </>
  );
}

function Result({ sums, isDone }: { sums: Sums; isDone: boolean }) {
  const { t } = useTranslation('consent');
  const { rows, added, known, rejected, shown } = sums;
  return (
    <Alert color={rejected > 0 ? 'yellow' : 'marine'} role="status">
      <Stack gap="xs">
        <Text size="sm">
          {t(isDone ? 'import.done' : 'import.running', { rows, added, known, rejected })}
        </Text>
        {shown.length > 0 && (
          <ul className="plain-list">
            {shown.map(({ row, address }) => (
              <li key={row}>{t('import.rejected', { row, address })}</li>
            ))}
          </ul>
        )}
        {rejected > shown.length && (
          <Text size="sm">{t('words.andMore', { count: rejected - shown.length })}</Text>
        )}
      </Stack>
    </Alert>
  );
}
