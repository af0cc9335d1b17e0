import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useOwners } from './use-owners.ts';

interface Props {
  /** In the format of `ownerKey`; null if none is chosen yet. */
  value: string | null;
  onChange: (key: string) => void;
  description?: string;
  placeholder?: string;
  error?: unknown;
  readOnly?: boolean;
}

/** Selects an owner: all clients, one client with all its brands, or one brand. */
export function OwnerChoice({ value, onChange, description, placeholder, error, readOnly = false }: Props) {
  const { t } = useTranslation();
  const { clients } = useOwners();
  const shared = { value: 'shared', label: t('owner.shared') };
  return (
    <Select
      searchable
      allowDeselect={false}
      label={t('owner.label')}
      description={description}
      placeholder={placeholder}
      error={error as string | undefined}
      readOnly={readOnly}
      data={[
        shared,
        ...clients.map((client) => ({
          group: client.client_name,
          items: [
            {
              value: `client:${client.client_id}`,
              label: t('owner.ofClient', { name: client.client_name }),
            },
            ...client.brands.map((brand) => ({
              value: `brand:${brand.brand_id}`,
              label: `${client.client_name} › ${brand.brand_name}`,
            })),
          ],
        })),
      ]}
      value={value === '' ? shared.value : value}
      onChange={(chosen) => chosen !== null && onChange(chosen === shared.value ? '' : chosen)}
    />
  );
}
