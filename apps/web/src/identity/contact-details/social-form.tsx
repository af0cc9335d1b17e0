import { Select, TextInput } from '@mantine/core';
import { socialNetworks, type Social } from '@reachout/contract/contact-details.ts';
import { useTranslation } from 'react-i18next';
import { isWebAddress } from '@reachout/contract/rules/addresses.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import type { DetailsFormProps } from './contact-details.ts';

type Network = (typeof socialNetworks)[number];

/** Server input for a link, the same for users and clients. */
export interface SocialValues {
  network: Network;
  url: string;
}

export const isKnownNetwork = (network: string): network is Network =>
  (socialNetworks as readonly string[]).includes(network);

export function SocialForm({ row: social, submit, drawer }: DetailsFormProps<Social, SocialValues>) {
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
