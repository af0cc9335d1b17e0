import { Button, Drawer, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import type { Share } from '@reachout/contract/content-shares.ts';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { ShareDeletion } from './share-deletion.tsx';
import { ShareForm } from './share-form.tsx';
import { ShareState } from './share-state.tsx';

interface Props {
  collection: string;
  item: string;
  /** What people call the item. */
  name: string;
  onClose: () => void;
}

/** The links to an item, and a form for a new one. Mount it to open it. */
export default function ItemShares({ collection, item, name, onClose }: Props) {
  const { t } = useTranslation(['shares', 'common']);
  const { api, orgId } = useOrganization();
  const shares = useQuery(
    api.content.shares.queryOptions({
      // More than a person looks through is cut off; the latest come first.
      input: { organization_id: orgId, collection, item, page: 0, page_size: 100 },
    }),
  );
  const roles = useQuery(api.organizationRoles.list.queryOptions({ input: { id: orgId } }));
  const [isCreating, setCreating] = useState(false);
  const [ending, setEnding] = useState<Share>();
  useFocusBack();
  return (
    <>
      <Drawer
        opened
        onClose={onClose}
        title={t('ofItem', { name })}
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
        closeOnEscape={!isCreating && ending === undefined}
      >
        <Stack gap="md">
          <Text size="sm">{t('intro')}</Text>
          <AsyncRegion query={roles} what={t('records.what', { records: t('title') })}>
            {() => (
              <Group>
                <Button
                  variant="filled"
                  leftSection={<IconPlus size={16} />}
                  onClick={() => setCreating(true)}
                >
                  {t('newLink')}
                </Button>
              </Group>
            )}
          </AsyncRegion>
          <AsyncRegion query={shares} what={t('records.what', { records: t('title') })}>
            {({ items }) =>
              items.length === 0 ? (
                <Text c="dimmed">{t('noLinks')}</Text>
              ) : (
                <Stack gap="sm" component="ul" className="plain-list" aria-label={t('linksOf')}>
                  {items.map((share) => (
                    <li key={share.id}>
                      <ShareCard share={share} onEnd={() => setEnding(share)} />
                    </li>
                  ))}
                </Stack>
              )
            }
          </AsyncRegion>
        </Stack>
      </Drawer>
      {isCreating && (
        <ShareForm
          collection={collection}
          item={item}
          itemName={name}
          roles={roles.data?.items ?? []}
          onClose={() => setCreating(false)}
        />
      )}
      {ending && <ShareDeletion share={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function ShareCard({ share, onEnd }: { share: Share; onEnd: () => void }) {
  const { t } = useTranslation('shares');
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={500} className="break">
            {share.name ?? t('unnamed')}
          </Text>
          <ShareState share={share} />
        </Group>
        <TextInput readOnly aria-label={t('words.copyLink')} value={share.url} />
        <Group gap="xs">
          <CopyTextButton size="xs" text={share.url} label={t('words.copyLink')} />
          <Button size="xs" c="var(--app-danger)" onClick={onEnd}>
            {t('stop')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
