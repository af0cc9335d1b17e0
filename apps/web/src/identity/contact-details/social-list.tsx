import { Anchor, VisuallyHidden } from '@mantine/core';
import { socialNetworks, type Social } from '@reachout/contract/contact-details.ts';
import { IconExternalLink, IconLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
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
              {social.url} <IconExternalLink size={14} aria-hidden />
              <VisuallyHidden>{t('words.opensNew')}</VisuallyHidden>
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
  const form = useRecordForm(boundsOf('clients.socials.create'), {
    record: social && { ...social, network: isKnownNetwork(social.network) ? social.network : 'other' },
    fields: {
      network: {
        label: t('social.network'),
        initial: 'website',
        options: socialNetworks.map((network) => ({ value: network, label: t(`networks.${network}`) })),
      },
      url: { label: t('social.url'), autoComplete: 'off', initial: 'https://' },
    },
    save: submit,
  });
  return <RecordDrawer form={form} {...drawer} />;
}
