import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ContentFile } from '@reachout/contract/content-files.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ActionError } from '#web/ui/states.tsx';

/** The public address of an image, such as for recipients of emails. Mount it to open it. */
export function PublicAddress({ file, onClose }: { file: ContentFile; onClose: () => void }) {
  const { t } = useTranslation(['files', 'common']);
  const { api, orgId } = useOrganization();
  const [address, setAddress] = useState(file.public_url);
  // Ending it is confirmed first, because a public address cannot be restored.
  const [isEnding, setEnding] = useState(false);
  const change = useMutation(
    api.content.updateFile.mutationOptions({
      onSuccess: ({ public_url }) => {
        setAddress(public_url);
        setEnding(false);
      },
    }),
  );
  const setPublic = (is_public: boolean) => change.mutate({ organization_id: orgId, id: file.id, is_public });
  return (
    <Dialog onClose={onClose} title={t('public.title')}>
      <Stack gap="md">
        <Text size="sm">
          {t(isEnding ? 'public.endHint' : address === null ? 'public.intro' : 'public.hint')}
        </Text>
        {address !== null && <TextInput readOnly label={t('words.address')} value={address} />}
        <ActionError error={change.error} />
        <Group>
          {address === null ? (
            <Button
              variant="filled"
              data-autofocus
              loading={change.isPending}
              onClick={() => setPublic(true)}
            >
              {t('public.make')}
            </Button>
          ) : (
            <>
              {isEnding ? (
                <Button onClick={() => setEnding(false)}>{t('common:actions.cancel')}</Button>
              ) : (
                <CopyTextButton text={address} label={t('public.copy')} />
              )}
              <Button
                c="var(--app-danger)"
                loading={change.isPending}
                onClick={() => (isEnding ? setPublic(false) : setEnding(true))}
              >
                {t('public.end')}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
