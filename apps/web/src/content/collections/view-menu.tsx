import { Button, Menu, Text } from '@mantine/core';
import type { Preset } from '@reachout/contract/content-presets.ts';
import { IconCheck, IconChevronDown, IconTable } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notify } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import type { ItemsSearch } from './item-queries.ts';
import type { ItemWords } from './item-words.ts';
import { toPreset, type useViews } from './use-views.ts';
import { ViewDrawer } from './view-drawer.tsx';

interface Props {
  collection: string;
  search: ItemsSearch;
  views: ReturnType<typeof useViews>;
  /** The fields of the visible columns. */
  columns: readonly string[];
  defaultOrder: string;
  words: ItemWords;
  /** Views of a Directus are changed in the Directus itself. */
  isReadOnly: boolean;
}

/** The saved views of a collection: opens one, or saves the current display as one. */
export function ViewMenu({
  collection,
  search,
  views: { views, current, isChanged, apply },
  columns,
  defaultOrder,
  words,
  isReadOnly,
}: Props) {
  const { t } = useTranslation(['collections', 'common']);
  const { api, orgId, can } = useOrganization();
  const [dialog, setDialog] = useState<'new' | 'edit' | 'delete'>();
  const close = () => setDialog(undefined);
  const shown = toPreset(search, columns, defaultOrder);
  const update = useMutation(api.content.updatePreset.mutationOptions());
  const remove = useMutation(api.content.deletePreset.mutationOptions());
  const mayChange = !isReadOnly && current !== undefined && (!current.is_shared || can('update', 'Content'));
  const store = ({ id }: Preset) =>
    update.mutate(
      { organization_id: orgId, id, ...shown },
      {
        onSuccess: (stored) => {
          notify(t('views.saved'));
          apply(stored);
        },
      },
    );
  const entry = (view: Preset) => (
    <Menu.Item
      key={view.id}
      rightSection={view.id === current?.id && <IconCheck size={16} className="thick-icon" aria-hidden />}
      aria-current={view.id === current?.id}
      onClick={() => apply(view)}
    >
      {view.bookmark}
    </Menu.Item>
  );
  const shared = views.filter((view) => view.is_shared);
  const own = views.filter((view) => !view.is_shared);
  // There is no view to open and none can be saved.
  if (isReadOnly && views.length === 0) return null;
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button leftSection={<IconTable size={16} />} rightSection={<IconChevronDown size={14} />}>
            {current?.bookmark ?? words.all}
            {isChanged && (
              <Text span c="dimmed" ml={6}>
                {t('views.changed')}
              </Text>
            )}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={480} style={{ overflowY: 'auto' }}>
          <Menu.Item
            rightSection={current === undefined && <IconCheck size={16} className="thick-icon" aria-hidden />}
            onClick={() => apply(undefined)}
          >
            {words.all}
          </Menu.Item>
          {shared.length > 0 && <Menu.Label>{t('views.shared')}</Menu.Label>}
          {shared.map(entry)}
          {own.length > 0 && <Menu.Label>{t('views.own')}</Menu.Label>}
          {own.map(entry)}
          {(!isReadOnly || isChanged) && <Menu.Divider />}
          {mayChange && isChanged && (
            <Menu.Item onClick={() => store(current)}>
              {t('views.save', { name: current.bookmark })}
            </Menu.Item>
          )}
          {isChanged && <Menu.Item onClick={() => apply(current)}>{t('views.reset')}</Menu.Item>}
          {!isReadOnly && <Menu.Item onClick={() => setDialog('new')}>{t('views.saveAs')}</Menu.Item>}
          {mayChange && (
            <>
              <Menu.Item onClick={() => setDialog('edit')}>{t('views.edit')}</Menu.Item>
              <Menu.Item c="var(--app-danger)" onClick={() => setDialog('delete')}>
                {t('views.delete')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <ActionError error={update.error} title={t('common:error.saveFailed')} />
      {(dialog === 'new' || dialog === 'edit') && (
        <ViewDrawer
          collection={collection}
          view={dialog === 'edit' ? current : undefined}
          shown={shown}
          onSaved={(view) => dialog === 'new' && apply(view)}
          onClose={close}
        />
      )}
      {dialog === 'delete' && current && (
        <ConfirmDialog
          title={t('views.deleteTitle', { name: current.bookmark })}
          confirmLabel={t('common:actions.delete')}
          onClose={close}
          onConfirm={async () => {
            await remove.mutateAsync({ organization_id: orgId, id: current.id });
            notify(t('views.deleted'));
            apply(undefined);
          }}
        >
          {current.is_shared && <Text>{t('views.deleteShared')}</Text>}
          <Text>{words.viewDeleted}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
