import { Menu, UnstyledButton } from '@mantine/core';
import type { Address } from '@reachout/contract/address-book.ts';
import { IconMapPin, IconPlus } from '@tabler/icons-react';
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
import { AddressForm, type AddressValues } from './address-form.tsx';
import { countryNames } from './country-name.ts';

/** The calls behind a list of addresses or contacts, whoever they belong to. */
export interface BookCalls<Values> {
  create: (values: Values) => Promise<unknown>;
  update: (id: string, values: Values) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
  restore: (id: string) => Promise<unknown>;
}

interface Props {
  query: UseQueryResult<{ items: Address[] }>;
  calls: BookCalls<AddressValues>;
  /** Fetches the list again, and whatever else shows these addresses. */
  refresh: () => Promise<unknown>;
  /** Why nothing can be changed here; undefined when it can. */
  refusal?: string | undefined;
  /** The sentence under "No address yet": what addresses are for here. */
  purpose: string;
  /** The country that a new address starts with. */
  countryId?: string | null;
}

/** The addresses of a person, an organization or a client. Deleting asks nothing, and leaves a line with Undo. */
export function AddressList({ query, calls, refresh, refusal, purpose, countryId = null }: Props) {
  const { t, i18n } = useTranslation(['addressBook', 'common']);
  const [open, setOpen] = useState<Address | 'new'>();
  const deletion = useGoneRows(refresh);
  const country = countryNames(i18n.language);
  const mayChange = refusal === undefined;

  const add = (
    <ReasonedButton
      reason={refusal}
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => setOpen('new')}
    >
      {t('address.add')}
    </ReasonedButton>
  );
  const columns: Column<Address>[] = [
    {
      key: 'line1',
      header: t('address.line1'),
      cell: (address) => {
        const lines = [address.line1, address.line2].filter(Boolean).join(', ');
        return mayChange ? (
          <UnstyledButton className="row-button" onClick={() => setOpen(address)}>
            {lines}
          </UnstyledButton>
        ) : (
          lines
        );
      },
    },
    {
      key: 'city',
      header: t('address.city'),
      cell: (address) => [address.postal_code, address.city].filter(Boolean).join(' '),
    },
    {
      key: 'region',
      header: t('address.region'),
      cell: (address) => address.region ?? t('common:none'),
    },
    { key: 'country', header: t('address.country'), cell: (address) => country(address.country_id) },
  ];
  const save = async (values: AddressValues) => {
    if (typeof open === 'object') await calls.update(open.id, values);
    else await calls.create(values);
    await refresh();
    setOpen(undefined);
    notify(t(typeof open === 'object' ? 'address.changed' : 'address.added'));
  };

  return (
    <>
      <ActionError error={deletion.error} />
      <AsyncRegion query={query} what={t('address.what')} skeleton={<RowsSkeleton rows={3} />}>
        {({ items }) =>
          items.length === 0 && deletion.gone.length === 0 ? (
            <FirstUse
              icon={<IconMapPin size={28} stroke={1.75} />}
              title={t('address.empty')}
              actions={mayChange ? add : undefined}
            >
              {purpose}
              {refusal !== undefined && <div>{refusal}</div>}
            </FirstUse>
          ) : (
            <>
              <DataTable
                label={t('address.list')}
                columns={columns}
                rows={items}
                rowKey={(address) => address.id}
                gone={deletion.gone}
                rowActions={
                  !mayChange
                    ? undefined
                    : (address, index) => (
                        <RowMenu name={address.line1}>
                          <Menu.Item onClick={() => setOpen(address)}>{t('common:actions.edit')}</Menu.Item>
                          <Menu.Item
                            c="var(--app-danger)"
                            onClick={() =>
                              void deletion.remove({
                                id: address.id,
                                name: t('address.one', { name: address.line1 }),
                                index,
                                remove: () => calls.remove(address.id),
                                restore: () => calls.restore(address.id),
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
        <AddressForm
          {...(typeof open === 'object' ? { address: open } : { countryId })}
          submit={save}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}
