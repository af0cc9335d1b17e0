import { Modal, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { assetUrl, imagesPerPage, imagesQuery } from './file-queries.ts';
import classes from './files.module.css';

interface Props {
  onChoose: (id: string) => void;
  onClose: () => void;
}

/** Lists the image files to choose from. Mount it to open it. */
export function ImagePicker({ onChoose, onClose }: Props) {
  const { t } = useTranslation(['files', 'common']);
  const scope = useOrganization();
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const query = useQuery(imagesQuery(scope, search, page));
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('image.choose')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack gap="md">
        <SearchField
          label={t('search')}
          value={search}
          onSearch={(text) => {
            setSearch(text);
            setPage(1);
          }}
        />
        <AsyncRegion query={query} what={t('what')}>
          {({ items, count }) =>
            count === 0 ? (
              <Text c="dimmed">{search === '' ? t('image.none') : t('noMatch', { search })}</Text>
            ) : (
              <>
                <div className={classes.choices}>
                  {items.map((file) => (
                    <UnstyledButton
                      key={file.id}
                      className={classes.choice}
                      onClick={() => onChoose(file.id)}
                    >
                      <img src={assetUrl(scope.orgId, file.id)} alt="" loading="lazy" />
                      <span title={file.filename_download}>{file.filename_download}</span>
                    </UnstyledButton>
                  ))}
                </div>
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
    </Modal>
  );
}
