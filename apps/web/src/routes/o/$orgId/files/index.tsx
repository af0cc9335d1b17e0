import { Alert, FileButton, Progress, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BrandSelect } from '#web/clients/brands/brand-select.tsx';
import { useDirectus } from '#web/content/collections/use-directus.ts';
import { fileList, filesQuery, type FilesSearch } from '#web/content/files/file-queries.ts';
import { FileList } from '#web/content/files/file-list.tsx';
import { useUpload } from '#web/content/files/use-upload.ts';
import { useOwners } from '#web/content/owners/use-owners.ts';
import { useFormat } from '#web/i18n/format.ts';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { notify } from '#web/ui/notify.tsx';
import { useProblemText } from '#web/ui/problem-text.ts';

export const Route = createFileRoute('/o/$orgId/files/')({
  ...fileList.route,
  beforeLoad: loadContactTexts,
  loader: ({ context, deps }) => context.preload((scope) => [filesQuery(scope, deps)]),
  component: Files,
});

/** Images of items, and other files. */
function Files() {
  const { t } = useTranslation(['files', 'collections']);
  const scope = useOrganization();
  const search = Route.useSearch();
  const query = useQuery(filesQuery(scope, search));
  const isDirectus = useDirectus();
  const used = useUsedSpace();
  const { upload, progress, rejected } = useUpload(isDirectus ? undefined : search.brand, (count) =>
    notify(t('uploaded', { count })),
  );
  const { clients } = useOwners();
  const change = useChangeSearch<FilesSearch>();
  const hasBrands = !isDirectus && clients.some(({ brands }) => brands.length > 0);
  const crumbs = linkOptions([
    { to: '/o/$orgId/collections', params: { orgId: scope.orgId }, label: t('words.collections') },
  ]);
  const create = (
    <FileButton multiple onChange={(files) => files.length > 0 && upload(files)}>
      {(button) => (
        <PermittedButton
          {...button}
          variant="filled"
          permission={['create', 'Content']}
          loading={progress !== undefined}
          leftSection={<IconUpload size={16} />}
        >
          {t('upload')}
        </PermittedButton>
      )}
    </FileButton>
  );
  return (
    <FileList
      query={query}
      list={fileList}
      header={(action) => (
        <>
          <PageHeader
            title={t('title')}
            note={isDirectus ? t('noteDirectus') : `${t('note')} ${used}`}
            crumbs={crumbs}
            primary={action}
          />
          <Uploading progress={progress} rejected={rejected} />
        </>
      )}
      create={{ permission: ['create', 'Content'], button: create }}
      filters={[
        {
          names: ['brand'],
          control: hasBrands && (
            <BrandSelect
              clearable
              aria-label={t('brand.filter')}
              placeholder={t('words.allBrands')}
              clients={clients}
              value={search.brand ?? null}
              onChange={(brand) => change({ brand: brand ?? undefined })}
            />
          ),
        },
      ]}
    />
  );
}

/** @returns how much of the quota the files of the organization use; empty until that is known */
function useUsedSpace(): string {
  const { t } = useTranslation('files');
  const { api, orgId } = useOrganization();
  const format = useFormat();
  const { data } = useQuery(api.organizations.quotas.queryOptions({ input: { id: orgId } }));
  const quota = data?.items.find((one) => one.quota === 'file_megabytes');
  if (quota === undefined) return '';
  return t('used', { used: format.number(quota.used), limit: format.number(quota.limit) });
}

function Uploading({ progress, rejected }: Pick<ReturnType<typeof useUpload>, 'progress' | 'rejected'>) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const say = useProblemText();
  return (
    <>
      {progress && (
        <div role="status">
          <Text size="sm" mb={4}>
            {t('uploading', {
              done: format.number(progress.done + 1),
              total: format.number(progress.total),
            })}
          </Text>
          <Progress value={(progress.done / progress.total) * 100} aria-label={t('progress')} mb="md" />
        </div>
      )}
      {rejected.length > 0 && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          mb="md"
          title={t('refused', { count: rejected.length })}
        >
          <Stack gap={4} component="ul" className="plain-list">
            {rejected.map(({ name, error }, index) => (
              // Two files can have the same name.
              <li key={index}>
                {name}: {say(error)}
              </li>
            ))}
          </Stack>
        </Alert>
      )}
    </>
  );
}
