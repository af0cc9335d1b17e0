import { Button, Group, Select, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import type { ContentFile } from '@reachout/contract/content-files.ts';
import type { ContentBucket } from '@reachout/contract/rules/storage.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ActionError } from '#web/ui/states.tsx';

/** A file that is not in a Directus. */
export type SignableFile = ContentFile & { bucket: ContentBucket; path: string };

export const isSignable = (file: ContentFile): file is SignableFile => file.bucket !== null;

/** In hours. */
const durations = [
  ['hour', 1],
  ['day', 24],
  ['week', 7 * 24],
] as const;

interface Props {
  file: SignableFile;
  onClose: () => void;
}

/** A link that opens a private file for a while, for people who cannot sign in. Mount it to open it. */
export function SignedAddress({ file: { bucket, path, filename_download }, onClose }: Props) {
  const { t } = useTranslation(['files', 'common']);
  const { api, orgId } = useOrganization();
  const format = useFormat();
  const [hours, setHours] = useState<number>(24);
  const create = useMutation({
    ...api.storage.createSignedUrl.mutationOptions(),
    meta: { refreshes: false },
  });
  const { url, expires_at } = create.data ?? {};
  const until = expires_at && t('link.until', { time: format.dateTime(expires_at) });
  return (
    <Dialog onClose={onClose} title={t('link.title', { name: filename_download })}>
      <Stack gap="md">
        <Text size="sm">{t('link.intro')}</Text>
        <Select
          data-autofocus
          allowDeselect={false}
          label={t('link.duration')}
          data={durations.map(([name, value]) => ({ value: String(value), label: t(`link.hours.${name}`) }))}
          value={String(hours)}
          onChange={(value) => {
            setHours(Number(value));
            create.reset();
          }}
        />
        {url && <TextInput readOnly label={t('words.link')} description={until} value={url} />}
        <VisuallyHidden role="status">{until}</VisuallyHidden>
        <ActionError error={create.error} />
        <Group>
          {url ? (
            <CopyTextButton
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that had the focus is gone
              autoFocus
              text={url}
              label={t('words.copyLink')}
            />
          ) : (
            <Button
              variant="filled"
              loading={create.isPending}
              onClick={() =>
                create.mutate({
                  organization_id: orgId,
                  bucket,
                  path: `${orgId}/${path}`,
                  expires_in: hours * 3_600,
                })
              }
            >
              {t('words.createLink')}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
