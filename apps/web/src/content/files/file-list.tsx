import { Anchor, Menu } from '@mantine/core';
import type { ContentFile } from '@reachout/contract/content-files.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { isShown, maxFileBytes } from '@reachout/contract/rules/storage.ts';
import { IconFiles } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDirectus } from '#web/content/collections/use-directus.ts';
import { useOwners } from '#web/content/owners/use-owners.ts';
import { useFormat } from '#web/i18n/format.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { nameColumn, Nothing, timeColumn } from '#web/identity/lists/columns.tsx';
import { RecordList, type RecordListProps } from '#web/identity/lists/record-list.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { NameDrawer } from '#web/ui/name-drawer.tsx';
import { FileBrand } from './file-brand.tsx';
import { FileMark } from './file-mark.tsx';
import { assetUrl } from './file-queries.ts';
import { PublicAddress } from './public-address.tsx';
import { isSignable, SignedAddress, type SignableFile } from './signed-address.tsx';

type Props = Pick<
  RecordListProps<ContentFile, ContentFile>,
  'query' | 'list' | 'header' | 'create' | 'filters' | 'empty'
>;

/** Files with their actions. */
export function FileList(list: Props) {
  const { t } = useTranslation('files');
  const { api, orgId } = useOrganization();
  const isDirectus = useDirectus();
  const [linking, setLinking] = useState<SignableFile>();
  const rename = useMutation(api.content.updateFile.mutationOptions());
  return (
    <>
      <RecordList
        {...list}
        records={recordLists.files}
        withheld={isDirectus ? ['brand', 'publish'] : []}
        texts="files"
        icon={IconFiles}
        columns={useColumns(isDirectus)}
        nameOf={(file) => file.filename_download}
        links={(file) => (
          <>
            {isOpened(file) ? (
              <Menu.Item component="a" href={`${assetUrl(orgId, file.id)}?download`} download>
                {t('words.download')}
              </Menu.Item>
            ) : (
              <Menu.Label>{t('tooLarge')}</Menu.Label>
            )}
            {isSignable(file) && (
              <Menu.Item onClick={() => setLinking(file)}>{t('words.copyLink')}</Menu.Item>
            )}
          </>
        )}
        shown={{
          rename: {
            open: ({ id, filename_download: initial }, close) => (
              <NameDrawer
                title={t('rename')}
                label={t('form.name')}
                submitLabel={t('actions.save')}
                initial={initial}
                done={t('renamed')}
                submit={(filename_download) =>
                  rename.mutateAsync({ organization_id: orgId, id, filename_download })
                }
                onClose={close}
              />
            ),
          },
          brand: {
            label: t('brand.choose'),
            open: (file, close) => <FileBrand file={file} onClose={close} />,
          },
          publish: {
            label: t('public.title'),
            open: (file, close) => <PublicAddress file={file} onClose={close} />,
          },
          delete: { done: t('deleted') },
        }}
      />
      {linking && <SignedAddress file={linking} onClose={() => setLinking(undefined)} />}
    </>
  );
}

/** Files in a Directus may be too large to be opened here. */
const isOpened = ({ filesize }: ContentFile): boolean => filesize <= maxFileBytes;

function useColumns(isDirectus: boolean): ListColumn<ContentFile>[] {
  const { t } = useTranslation('files');
  const { orgId } = useOrganization();
  const format = useFormat();
  const { clients } = useOwners();
  const brandOf = ({ brand_id }: ContentFile) =>
    clients.flatMap(({ brands }) => brands).find((brand) => brand.brand_id === brand_id)?.brand_name;
  const ofOrganization: ListColumn<ContentFile>[] = [
    { name: 'brand', header: t('words.brand'), cell: (file) => brandOf(file) ?? <Nothing /> },
    {
      name: 'visibility',
      header: t('visibility'),
      cell: ({ public_url }) => t(public_url === null ? 'words.organization' : 'public.yes'),
    },
  ];
  return [
    nameColumn({
      header: t('form.name'),
      sort: 'filename_download',
      picture: (file) => <FileMark id={file.id} isImage={isShown(file.type) && isOpened(file)} />,
      cell: (file) =>
        isOpened(file) ? (
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
        ),
    }),
    { name: 'type', header: t('words.type'), cell: (file) => typeName(file) || <Nothing /> },
    {
      name: 'size',
      header: t('words.size'),
      sort: 'filesize',
      align: 'end',
      cell: ({ filesize }) => format.size(filesize),
    },
    ...(isDirectus ? [] : ofOrganization),
    timeColumn('added', t('words.added'), (file) => file.date_created, {
      sort: 'date_created',
      isDescendingFirst: true,
    }),
  ];
}

/** Display name of the type: by the detected type if known, otherwise by the file extension. */
function typeName({ type, filename_download }: ContentFile): string {
  const known = /^(?:image\/|application\/(?=pdf))([a-z]+)/.exec(type)?.[1];
  const end = /\.([a-z0-9]{1,8})$/i.exec(filename_download)?.[1];
  return (known ?? end ?? '').toUpperCase();
}
