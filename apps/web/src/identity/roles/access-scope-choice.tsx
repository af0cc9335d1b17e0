import { memberClients } from '@reachout/contract/abilities.ts';
import { Checkbox, MultiSelect, Radio, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ClientChoice } from './client-choice.tsx';
import type { ClientAndBrandNames } from './access-scope-text.ts';
import type { AccessScope } from '@reachout/contract/access-scope.ts';

interface Props {
  /** Name of the permission: "Edit campaigns". */
  label: string;
  accessScope: AccessScope;
  names: ClientAndBrandNames;
  onChange: (accessScope: AccessScope) => void;
}

/** The whole organization, nothing, or only some clients and brands. */
export function AccessScopeChoice({ label, accessScope, names, onChange }: Props) {
  const { t } = useTranslation('settings');
  const scope = typeof accessScope === 'string' ? { client_ids: [], brand_ids: [] } : accessScope;
  const change = (next: Partial<typeof scope>) => {
    const changed = { ...scope, ...next };
    onChange(changed.client_ids.length + changed.brand_ids.length === 0 ? 'nothing' : changed);
  };
  const named = scope.client_ids.filter((id) => id !== memberClients);
  const own = scope.client_ids.filter((id) => id === memberClients);
  return (
    <Stack gap="sm">
      <Radio.Group
        label={label}
        value={typeof accessScope === 'string' ? accessScope : 'some'}
        onChange={(next) => onChange(next === 'some' ? { client_ids: [memberClients], brand_ids: [] } : next)}
      >
        <Stack gap="xs">
          <Radio value="nothing" label={t('roles.choice.nothing')} />
          <Radio value="all" label={t('roles.choice.all')} />
          <Radio value="some" label={t('roles.choice.some')} />
        </Stack>
      </Radio.Group>
      {typeof accessScope !== 'string' && (
        <Stack gap="sm" pl="lg">
          <Checkbox
            label={t('roles.choice.ownClients')}
            checked={own.length > 0}
            onChange={(event) =>
              change({ client_ids: event.currentTarget.checked ? [memberClients, ...named] : named })
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
            value={scope.brand_ids}
            onChange={(ids) => change({ brand_ids: ids })}
          />
        </Stack>
      )}
    </Stack>
  );
}
