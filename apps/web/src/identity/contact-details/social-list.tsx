import { Anchor, VisuallyHidden } from '@mantine/core';
import type { Social } from '@reachout/contract/contact-details.ts';
import { IconExternalLink, IconLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ContactDetailsList } from './contact-details-list.tsx';
import type { ContactDetailsOperations, ContactDetailsProps } from './contact-details.ts';
import { isKnownNetwork, SocialForm, type SocialValues } from './social-form.tsx';

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
