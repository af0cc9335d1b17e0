import { Anchor, Menu, UnstyledButton } from '@mantine/core';
import type { Contact } from '@reachout/contract/address-book.ts';
import { IconAddressBook, IconPlus } from '@tabler/icons-react';
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
import { ContactForm, type ContactValues } from './contact-form.tsx';
import { useContactTypeName } from './use-contact-type-name.ts';

interface Props {
  query: UseQueryResult<{ items: Contact[] }>;
  /** What a contact can be for, in the order in which the list shows them. */
  types: readonly { id: string; name: string }[];
  calls: BookCalls<ContactValues>;
  /** Fetches the list again, and whatever else shows these contacts. */
  refresh: () => Promise<unknown>;
  /** Why nothing can be changed here; undefined when it can. */
  refusal?: string | undefined;
  /** The sentence under "No contact yet": what contacts are for here. */
  purpose: string;
}

/** The contacts of an organization or a client, by what they are for. */
export function ContactList({ query, types, calls, refresh, refusal, purpose }: Props) {
  const { t } = useTranslation(['addressBook', 'common']);
  const typeName = useContactTypeName();
  const [open, setOpen] = useState<Contact | 'new'>();
  const deletion = useGoneRows(refresh);
  const mayChange = refusal === undefined;
  const place = (contact: Contact) => types.findIndex(({ id }) => id === contact.contact_type_id);

  const add = (
    <ReasonedButton
      reason={refusal}
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => setOpen('new')}
    >
      {t('contact.add')}
    </ReasonedButton>
  );
  const columns: Column<Contact>[] = [
    {
      key: 'full_name',
      header: t('contact.name'),
      cell: (contact) =>
        mayChange ? (
          <UnstyledButton className="row-button" onClick={() => setOpen(contact)}>
            {contact.full_name}
          </UnstyledButton>
        ) : (
          contact.full_name
        ),
    },
    {
      key: 'contact_type',
      header: t('contact.type'),
      cell: (contact) => typeName({ id: contact.contact_type_id, name: contact.contact_type }),
    },
    {
      key: 'email',
      header: t('contact.email'),
      cell: (contact) =>
        contact.email === null ? (
          t('common:none')
        ) : (
          <Anchor href={`mailto:${contact.email}`} className="break" size="sm">
            {contact.email}
          </Anchor>
        ),
    },
    {
      key: 'phone',
      header: t('contact.phone'),
      cell: (contact) =>
        contact.phone === null ? (
          t('common:none')
        ) : (
          <Anchor href={`tel:${contact.phone.replace(/[^\d+]/g, '')}`} size="sm">
            {contact.phone}
          </Anchor>
        ),
    },
  ];
  const save = async (values: ContactValues) => {
    if (typeof open === 'object') await calls.update(open.id, values);
    else await calls.create(values);
    await refresh();
    setOpen(undefined);
    notify(t(typeof open === 'object' ? 'contact.changed' : 'contact.added'));
  };

  return (
    <>
      <ActionError error={deletion.error} />
      <AsyncRegion query={query} what={t('contact.what')} skeleton={<RowsSkeleton rows={3} />}>
        {({ items }) =>
          items.length === 0 && deletion.gone.length === 0 ? (
            <FirstUse
              icon={<IconAddressBook size={28} stroke={1.75} />}
              title={t('contact.empty')}
              actions={mayChange ? add : undefined}
            >
              {purpose}
              {refusal !== undefined && <div>{refusal}</div>}
            </FirstUse>
          ) : (
            <>
              <DataTable
                label={t('contact.list')}
                columns={columns}
                rows={items.toSorted(
                  (one, other) => place(one) - place(other) || one.full_name.localeCompare(other.full_name),
                )}
                rowKey={(contact) => contact.id}
                gone={deletion.gone}
                rowActions={
                  !mayChange
                    ? undefined
                    : (contact, index) => (
                        <RowMenu name={contact.full_name}>
                          <Menu.Item onClick={() => setOpen(contact)}>{t('common:actions.edit')}</Menu.Item>
                          <Menu.Item
                            c="var(--app-danger)"
                            onClick={() =>
                              void deletion.remove({
                                id: contact.id,
                                name: t('contact.one', { name: contact.full_name }),
                                index,
                                remove: () => calls.remove(contact.id),
                                restore: () => calls.restore(contact.id),
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
        <ContactForm
          {...(typeof open === 'object' ? { contact: open } : {})}
          types={types}
          submit={save}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}
