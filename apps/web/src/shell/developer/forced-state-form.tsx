import { Button, Group, Pill, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import {
  clearForced,
  everything,
  force,
  forcedStates,
  forcedStore,
  operationNames,
  operationOf,
  type ForcedState,
} from './forced-states.ts';

interface Props {
  /** Whether the form is shown, or only the mark that states are forced. */
  isShown: boolean;
  onOpen: () => void;
}

/** Forces states of screens, so that each can be looked at. They end with this component. */
export default function ForcedStateForm({ isShown, onOpen }: Props) {
  const { t } = useTranslation('developer');
  const active = useSyncExternalStore(forcedStore.subscribe, forcedStore.get);
  useEffect(() => clearForced, []);
  const [operation, setOperation] = useState(everything);
  const [state, setState] = useState<ForcedState>('empty');
  const queryClient = useQueryClient();
  if (!isShown)
    return active.length === 0 ? null : (
      <Button variant="filled" size="xs" color="yellow" onClick={onOpen} data-forced-states>
        {t('active', { count: active.length })}
      </Button>
    );
  const onPage = new Set(
    queryClient
      .getQueryCache()
      .findAll({ type: 'active' })
      .map(({ queryKey }) => operationOf(queryKey)),
  );
  const nameOf = (name: string) => (name === everything ? t('everything') : name);
  const label = ([name, forcedTo]: readonly [string, ForcedState]) =>
    `${nameOf(name)}: ${t(`state.${forcedTo}`)}`;
  return (
    <Stack gap="sm">
      <Text size="sm">{t('statesHint')}</Text>
      <Group align="flex-end" gap="xs">
        <Select
          searchable
          allowDeselect={false}
          w={{ base: '100%', xs: 320 }}
          label={t('operation')}
          value={operation}
          onChange={(chosen) => setOperation(chosen ?? everything)}
          data={[
            { value: everything, label: t('everything') },
            { group: t('onPage'), items: operationNames.filter((name) => onPage.has(name)) },
            { group: t('others'), items: operationNames.filter((name) => !onPage.has(name)) },
          ]}
        />
        <Select
          allowDeselect={false}
          w={{ base: '100%', xs: 180 }}
          label={t('words.status')}
          value={state}
          onChange={(chosen) => setState(chosen ?? 'empty')}
          data={forcedStates.map((value) => ({ value, label: t(`state.${value}`) }))}
        />
        <Button variant="filled" onClick={() => force(operation, state)}>
          {t('force')}
        </Button>
        {active.length > 0 && <Button onClick={clearForced}>{t('clear')}</Button>}
      </Group>
      <Group gap="xs">
        {active.map((entry) => (
          <Pill
            key={entry[0]}
            withRemoveButton
            onRemove={() => force(entry[0], undefined)}
            removeButtonProps={{ 'aria-label': t('remove', { name: label(entry) }), tabIndex: 0 }}
          >
            {label(entry)}
          </Pill>
        ))}
      </Group>
    </Stack>
  );
}
