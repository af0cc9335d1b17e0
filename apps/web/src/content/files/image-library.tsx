import {
  Button,
  FileButton,
  Group,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import type { ContentFile } from '@reachout/contract/content-files.ts';
import { shownFileTypes } from '@reachout/contract/rules/storage.ts';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { QuietText } from '#web/ui/text.ts';
import { assetUrl, imagesPerPage, imagesQuery } from './file-queries.ts';
import classes from './files.module.css';

interface Props {
  /** The brand whose images come first; undefined if only all images can be listed. */
  brandId?: string | undefined;
  /** Absent without permission to upload. */
  onUpload?: (file: File) => void;
  onChoose: (file: ContentFile) => void;
}

/** The images to choose from, with search and pages, of a brand or of the whole organization. */
export function ImageLibrary({ brandId, onUpload, onChoose }: Props) {
  const { t } = useTranslation('files');
  const scope = useOrganization();
  const [isOfBrand, setOfBrand] = useState(true);
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const listed = isOfBrand ? brandId : undefined;
  const query = useQuery(imagesQuery(scope, search, page, listed));
  return (
    <Stack gap="md">
      <Group gap="sm" justify="space-between">
        <SearchField
          label={t('records.search', { records: t('title') })}
          value={search}
          onSearch={(text) => {
            setSearch(text);
            setPage(1);
          }}
        />
        {brandId !== undefined && (
          <SegmentedControl
            aria-label={t('emailImage.whose')}
            value={isOfBrand ? 'brand' : 'all'}
            onChange={(value) => {
              setOfBrand(value === 'brand');
              setPage(1);
            }}
            data={[
              { value: 'brand', label: t('emailImage.ofBrand') },
              { value: 'all', label: t('emailImage.ofAll') },
            ]}
          />
        )}
      </Group>
      {onUpload && (
        <Group gap="sm">
          <FileButton accept={shownFileTypes.join(',')} onChange={(file) => file && onUpload(file)}>
            {(button) => (
              <Button {...button} leftSection={<IconUpload size={16} />}>
                {t('image.upload')}
              </Button>
            )}
          </FileButton>
          <QuietText>{t('emailImage.receive')}</QuietText>
        </Group>
      )}
      <AsyncRegion query={query} what={t('records.what', { records: t('title') })}>
        {({ items, count }) =>
          count === 0 ? (
            <Text c="dimmed">
              {search !== ''
                ? t('records.noMatchSearch', { records: t('title'), search })
                : t(listed === undefined ? 'image.none' : 'emailImage.noneOfBrand')}
            </Text>
          ) : (
            <>
              <ImageChoices images={items} onChoose={onChoose} />
              <Pager
                page={page}
                pageSize={imagesPerPage}
                shown={items.length}
                total={count}
                hasMore={false}
                onPage={setPage}
              />
            </>
          )
        }
      </AsyncRegion>
    </Stack>
  );
}

interface ChoicesProps {
  images: readonly ContentFile[];
  onChoose: (file: ContentFile) => void;
}

function ImageChoices({ images, onChoose }: ChoicesProps) {
  const { orgId } = useOrganization();
  return (
    <SimpleGrid minColWidth={120} spacing="sm">
      {images.map((file) => (
        <UnstyledButton key={file.id} className={classes.choice} onClick={() => onChoose(file)}>
          <img src={assetUrl(orgId, file.id)} alt="" loading="lazy" />
          <span title={file.filename_download}>{file.filename_download}</span>
        </UnstyledButton>
      ))}
    </SimpleGrid>
  );
}
