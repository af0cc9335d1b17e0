import { Anchor, Select, TextInput, VisuallyHidden } from '@mantine/core';
import { socialNetworks, type Social } from '@reachout/contract/contact-details.ts';
import { isWebAddress } from '@reachout/contract/rules/addresses.ts';
import { IconExternalLink, IconLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { ContactDetailsList } from './contact-details-list.tsx';
import type { ContactDetailsOperations, ContactDetailsProps, DetailsFormProps } from './contact-details.ts';

/** Web profiles of a user or a client. A deleted link cannot be restored: Undo creates it again. */
export function SocialList(
  book: ContactDetailsProps<Social, Omit<ContactDetailsOperations<SocialValues>, 'restore'>>,
) {
  const { t } = useTranslation(['contactDetails', 'common']);
  const networkName = ({ network }: Social) => (isKnownNetwork(network) ? t(`networks.${network}`) : network);
  return (
    <ContactDetailsList<Social, SocialValues>
      {...book}
      kind="social"
      icon={IconLink}
      name={networkName}
      first={{ header: t('social.network'), cell: networkName }}
      columns={[
        {
          header: t('social.url'),
          cell: (social) => (
            <Anchor href={social.url} target="_blank" rel="noopener noreferrer" className="break" size="sm">
              {social.url} <IconExternalLink size={14} stroke={1.75} aria-hidden />
              <VisuallyHidden>{t('social.newTab')}</VisuallyHidden>
            </Anchor>
          ),
        },
      ]}
      undo={({ network, url }) =>
        book.operations.create({ network: isKnownNetwork(network) ? network : 'other', url })
      }
      form={(form) => <SocialForm {...form} />}
    />
  );
}

type Network = (typeof socialNetworks)[number];

/** Server input for a link, the same for users and clients. */
interface SocialValues {
  network: Network;
  url: string;
}

const isKnownNetwork = (network: string): network is Network =>
  (socialNetworks as readonly string[]).includes(network);

function SocialForm({ row: social, submit, drawer }: DetailsFormProps<Social, SocialValues>) {
  const { t } = useTranslation('contactDetails');
  const form = useServerForm<{ network: string; url: string }>({
    initial: { network: social?.network ?? 'website', url: social?.url ?? 'https://' },
    limits: { url: 500 },
    checks: { url: (value) => (isWebAddress(value) ? null : t('social.urlCheck')) },
    submit: ({ network, url }) =>
      submit({ network: isKnownNetwork(network) ? network : 'other', url: url.trim() }),
  });
  const { getInputProps } = form.fields;
  return (
    <FormDrawer {...drawer} form={form}>
      <Select
        label={t('social.network')}
        allowDeselect={false}
        data={socialNetworks.map((network) => ({ value: network, label: t(`networks.${network}`) }))}
        {...getInputProps('network')}
      />
      <TextInput
        data-autofocus
        type="url"
        label={t('social.url')}
        autoComplete="off"
        {...getInputProps('url')}
      />
    </FormDrawer>
  );
}
