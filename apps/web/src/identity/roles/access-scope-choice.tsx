import { Checkbox, MultiSelect, Radio, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ClientChoice } from './client-choice.tsx';
import type { NamedScope } from './access-scope-text.ts';
import { ownClients, type Extent } from './permissions.ts';

interface Props {
  /** The permission: "Edit campaigns". */
  label: string;
  extent: Extent;
  names: NamedScope;
  onChange: (extent: Extent) => void;
}

/** Everywhere, nowhere, or only for some clients and brands. */
export function ExtentChoice({ label, extent, names, onChange }: Props) {
  const { t } = useTranslation('settings');
  const limits = typeof extent === 'string' ? { client_ids: [], brand_ids: [] } : extent;
  const change = (next: Partial<typeof limits>) => {
    const changed = { ...limits, ...next };
    onChange(changed.client_ids.length + changed.brand_ids.length === 0 ? 'nothing' : changed);
  };
  const named = limits.client_ids.filter((id) => id !== ownClients);
  const own = limits.client_ids.filter((id) => id === ownClients);
  return (
    <Stack gap="sm">
      <Radio.Group
        label={label}
        value={typeof extent === 'string' ? extent : 'some'}
        onChange={(next) => onChange(next === 'some' ? { client_ids: [ownClients], brand_ids: [] } : next)}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="nothing" label={t('roles.choice.nothing')} />
          <Radio value="all" label={t('roles.choice.all')} />
          <Radio value="some" label={t('roles.choice.some')} />
        </Stack>
      </Radio.Group>
      {typeof extent !== 'string' && (
        <Stack gap="sm" pl="lg">
          <Checkbox
            label={t('roles.choice.ownClients')}
            checked={own.length > 0}
            onChange={(event) =>
              change({ client_ids: event.currentTarget.checked ? [ownClients, ...named] : named })
            }
          />
          <ClientChoice
            label={t('roles.choice.clients')}
            comboboxProps={{ withinPortal: false }}
            chosen={names.clients}
            value={named}
            onChange={(ids) => change({ client_ids: [...own, ...ids] })}
          />
          <MultiSelect
            searchable
            label={t('roles.choice.brands')}
            comboboxProps={{ withinPortal: false }}
            data={names.brands.map(({ id, name }) => ({ value: id, label: name }))}
            value={limits.brand_ids}
            onChange={(ids) => change({ brand_ids: ids })}
          />
        </Stack>
      )}
    </Stack>
  );
}
