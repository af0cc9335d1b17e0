import { Anchor, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { Social } from '@reachout/contract/address-book.ts';
import { IconExternalLink, IconLink, IconPlus } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AsyncRegion } from '../ui/async-region.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { notify } from '../ui/notify.tsx';
import { ReasonedButton } from '../ui/reasoned-button.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { RowsSkeleton } from '../ui/skeletons.tsx';
import { ActionError, FirstUse } from '../ui/states.tsx';
import { useGoneRows } from '../ui/use-gone-rows.ts';
import type { BookCalls } from './address-list.tsx';
import { isKnownNetwork, SocialForm, type SocialValues } from './social-form.tsx';

interface Props {
  query: UseQueryResult<{ items: Social[] }>;
  /** A deleted link is gone for good: Undo makes it anew. */
  calls: Omit<BookCalls<SocialValues>, 'restore'>;
  /** Fetches the list again, and whatever else shows these links. */
  refresh: () => Promise<unknown>;
  /** Why nothing can be changed here; undefined when it can. */
  refusal?: string | undefined;
  /** The sentence under "No link yet": what links are for here. */
  purpose: string;
}

/** Where a person or a client is found on the web. */
export function SocialList({ query, calls, refresh, refusal, purpose }: Props) {
  const { t } = useTranslation(['addressBook', 'common']);
  const [open, setOpen] = useState<Social | 'new'>();
  const deletion = useGoneRows(refresh);
  const mayChange = refusal === undefined;
  const networkName = (network: string) => (isKnownNetwork(network) ? t(`networks.${network}`) : network);

  const add = (
    <ReasonedButton
      reason={refusal}
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => setOpen('new')}
    >
      {t('social.add')}
    </ReasonedButton>
  );
  const columns: Column<Social>[] = [
    {
      key: 'network',
      header: t('social.network'),
      cell: (social) =>
        mayChange ? (
          <UnstyledButton className="row-button" onClick={() => setOpen(social)}>
            {networkName(social.network)}
          </UnstyledButton>
        ) : (
          networkName(social.network)
        ),
    },
    {
      key: 'url',
      header: t('social.url'),
      cell: (social) => (
        <Anchor href={social.url} target="_blank" rel="noopener noreferrer" className="break" size="sm">
          {social.url} <IconExternalLink size={14} stroke={1.75} aria-hidden />
          <VisuallyHidden>{t('social.newTab')}</VisuallyHidden>
        </Anchor>
      ),
    },
  ];
  const save = async (values: SocialValues) => {
    if (typeof open === 'object') await calls.update(open.id, values);
    else await calls.create(values);
    await refresh();
    setOpen(undefined);
    notify(t(typeof open === 'object' ? 'social.changed' : 'social.added'));
  };

  return (
    <>
      <ActionError error={deletion.error} />
      <AsyncRegion query={query} what={t('social.what')} skeleton={<RowsSkeleton rows={3} />}>
        {({ items }) =>
          items.length === 0 && deletion.gone.length === 0 ? (
            <FirstUse
              icon={<IconLink size={28} stroke={1.75} />}
              title={t('social.empty')}
              actions={mayChange ? add : undefined}
            >
              {purpose}
              {refusal !== undefined && <div>{refusal}</div>}
            </FirstUse>
          ) : (
            <>
              <DataTable
                label={t('social.list')}
                columns={columns}
                rows={items}
                rowKey={(social) => social.id}
                gone={deletion.gone}
                rowActions={
                  !mayChange
                    ? undefined
                    : (social, index) => (
                        <RowMenu name={networkName(social.network)}>
                          <Menu.Item onClick={() => setOpen(social)}>{t('common:actions.edit')}</Menu.Item>
                          <Menu.Item
                            c="var(--app-danger)"
                            onClick={() =>
                              void deletion.remove({
                                id: social.id,
                                name: t('social.one', { network: networkName(social.network) }),
                                index,
                                remove: () => calls.remove(social.id),
                                restore: () =>
                                  calls.create({
                                    network: isKnownNetwork(social.network) ? social.network : 'other',
                                    url: social.url,
                                  }),
                              })
                            }
                          >
                            {t('common:actions.delete')}
                          </Menu.Item>
                        </RowMenu>
                      )
                }
              />
              <div className="below-list">{add}</div>
            </>
          )
        }
      </AsyncRegion>
      {open !== undefined && (
        <SocialForm
          {...(typeof open === 'object' ? { social: open } : {})}
          submit={save}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}
