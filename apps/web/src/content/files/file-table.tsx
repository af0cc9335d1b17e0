import { Anchor, Menu, Text } from '@mantine/core';
import type { ContentFile } from '@reachout/contract/content-files.ts';
import { maxFileBytes } from '@reachout/contract/rules/storage.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDirectus } from '#web/content/collections/use-directus.ts';
import { useOwners } from '#web/content/owners/use-owners.ts';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { NameDrawer } from '#web/ui/name-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { RowName } from '#web/ui/row-name.tsx';
import { Time } from '#web/ui/time.tsx';
import { FileBrand } from './file-brand.tsx';
import { FileMark } from './file-mark.tsx';
import { assetUrl } from './file-queries.ts';
import { PublicAddress } from './public-address.tsx';
import { isSignable, SignedAddress, type SignableFile } from './signed-address.tsx';
import { isShown } from './upload-file.ts';

/** Files with their actions. */
export function FileTable(table: TableState<ContentFile>) {
  const { t } = useTranslation(['files', 'common']);
  const { api, orgId, can } = useOrganization();
  const isDirectus = useDirectus();
  const [renaming, setRenaming] = useState<ContentFile>();
  const [deleting, setDeleting] = useState<ContentFile>();
  const [branding, setBranding] = useState<ContentFile>();
  const [publishing, setPublishing] = useState<ContentFile>();
  const [linking, setLinking] = useState<SignableFile>();
  const rename = useMutation(api.content.updateFile.mutationOptions());
  const remove = useMutation(
    api.content.deleteFile.mutationOptions({ onSuccess: () => notify(t('deleted')) }),
  );
  const rowActions = (file: ContentFile) => (
    <RowMenu name={file.filename_download}>
      {isOpened(file) ? (
        <Menu.Item component="a" href={`${assetUrl(orgId, file.id)}?download`} download>
          {t('download')}
        </Menu.Item>
      ) : (
        <Menu.Label>{t('tooLarge')}</Menu.Label>
      )}
      {isSignable(file) && <Menu.Item onClick={() => setLinking(file)}>{t('link.copy')}</Menu.Item>}
      {can('update', 'Content') && (
        <Menu.Item onClick={() => setRenaming(file)}>{t('common:actions.rename')}</Menu.Item>
      )}
      {can('update', 'Content') && !isDirectus && (
        <Menu.Item onClick={() => setBranding(file)}>{t('brand.choose')}</Menu.Item>
      )}
      {can('update', 'Content') && isShown(file.type) && !isDirectus && (
        <Menu.Item onClick={() => setPublishing(file)}>{t('public.title')}</Menu.Item>
      )}
      {can('delete', 'Content') && <DeleteItem onClick={() => setDeleting(file)} />}
    </RowMenu>
  );
  return (
    <>
      <DataTable {...table} label={t('title')} columns={useColumns(isDirectus)} rowActions={rowActions} />
      {renaming && (
        <NameDrawer
          title={t('rename')}
          label={t('name')}
          submitLabel={t('common:actions.save')}
          initial={renaming.filename_download}
          done={t('renamed')}
          submit={(filename_download) =>
            rename.mutateAsync({ organization_id: orgId, id: renaming.id, filename_download })
          }
          onClose={() => setRenaming(undefined)}
        />
      )}
      {branding && <FileBrand file={branding} onClose={() => setBranding(undefined)} />}
      {publishing && <PublicAddress file={publishing} onClose={() => setPublishing(undefined)} />}
      {linking && <SignedAddress file={linking} onClose={() => setLinking(undefined)} />}
      {deleting && (
        <ConfirmDialog
          title={t('deleteTitle', { name: deleting.filename_download })}
          confirmLabel={t('common:actions.delete')}
          onConfirm={() => remove.mutateAsync({ organization_id: orgId, id: deleting.id })}
          onClose={() => setDeleting(undefined)}
        >
          <Text>{t('deleteBody')}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Files in a Directus may be too large to be opened here. */
const isOpened = ({ filesize }: ContentFile): boolean => filesize <= maxFileBytes;

function useColumns(isDirectus: boolean): Column<ContentFile>[] {
  const { t } = useTranslation(['files', 'common']);
  const { orgId } = useOrganization();
  const format = useFormat();
  const { clients } = useOwners();
  const nameOf = ({ brand_id }: ContentFile) =>
    clients.flatMap(({ brands }) => brands).find((brand) => brand.brand_id === brand_id)?.brand_name;
  return [
    {
      header: t('name'),
      sort: 'filename_download',
      cell: (file) => (
        <RowName picture={<FileMark id={file.id} isImage={isShown(file.type) && isOpened(file)} />}>
          {isOpened(file) ? (
            <Anchor
              href={assetUrl(orgId, file.id)}
              target="_blank"
              rel="noreferrer"
              title={file.filename_download}
            >
              {file.filename_download}
            </Anchor>
          ) : (
            file.filename_download
          )}
        </RowName>
      ),
    },
    { header: t('type'), cell: (file) => typeName(file) || t('common:none') },
    { header: t('size'), sort: 'filesize', align: 'end', cell: ({ filesize }) => format.size(filesize) },
    ...(isDirectus
      ? []
      : [
          { header: t('brand.label'), cell: (file: ContentFile) => nameOf(file) ?? t('common:none') },
          {
            header: t('visibility'),
            cell: ({ public_url }: ContentFile) => t(public_url === null ? 'public.no' : 'public.yes'),
          },
        ]),
    {
      header: t('added'),
      sort: 'date_created',
      isDescendingFirst: true,
      cell: ({ date_created }) => <Time at={date_created} />,
    },
  ];
}

/** Display name of the type: by the detected type if known, otherwise by the file extension. */
function typeName({ type, filename_download }: ContentFile): string {
  const known = /^(?:image\/|application\/(?=pdf))([a-z]+)/.exec(type)?.[1];
  const end = /\.([a-z0-9]{1,8})$/i.exec(filename_download)?.[1];
  return (known ?? end ?? '').toUpperCase();
}
