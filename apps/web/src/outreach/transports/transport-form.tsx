import { Button, Group, Select, Stack } from '@mantine/core';
import { smtpPresets } from '@reachout/contract/rules/transports.ts';
import type { Transport, Transports } from '@reachout/contract/transports.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { QuietText } from '#web/ui/text.ts';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { ReportsAddress } from './reports-address.tsx';
import { useTransportForm } from './use-transport-form.ts';

interface Props {
  transports: Transports;
  /** The one to change; undefined for a new one. */
  transport?: Transport;
  onClose: () => void;
}

/** Adds or changes a transport; of a new one at a provider, it shows where the provider has to report. */
export function TransportForm(props: Props) {
  const [added, setAdded] = useState<Transport>();
  // Each dialog does so for itself, but not the one that replaces it.
  useFocusBack();
  return added === undefined ? (
    <Fields {...props} onAdded={setAdded} />
  ) : (
    <AddedDialog transport={added} onClose={props.onClose} />
  );
}

const first = ['kind', 'name'] as const;

function Fields({
  transports,
  transport,
  onClose,
  onAdded,
}: Props & { onAdded: (added: Transport) => void }) {
  const { t } = useTranslation(['transports', 'common']);
  const form = useTransportForm({
    transports,
    transport,
    onSaved: ({ items }) => {
      const added = items.find(({ id }) => !transports.items.some((known) => known.id === id));
      if (transport === undefined && added !== undefined && added.events_url !== null) onAdded(added);
      else onClose();
    },
  });
  const { kind, host } = form.current;
  const others = (Object.keys(form.current) as (keyof typeof form.current)[]).filter(
    (field) => !first.some((other) => other === field),
  );
  return (
    <FormDrawer
      form={form}
      title={transport === undefined ? t('add') : t('change')}
      submitLabel={transport === undefined ? t('add') : t('common:actions.save')}
      onClose={onClose}
    >
      <RecordFields form={form} only={first} isFocused />
      {kind === 'smtp' && (
        <Select
          label={t('smtp.preset')}
          allowDeselect={false}
          data={[
            ...smtpPresets.map((preset) => ({ value: preset.host, label: preset.name })),
            { value: '', label: t('smtp.other') },
          ]}
          value={smtpPresets.find((preset) => preset.host === host)?.host ?? ''}
          onChange={(chosen) => {
            const preset = smtpPresets.find((other) => other.host === chosen);
            form.fields.setValues(
              preset ? { host: preset.host, port: preset.port, security: preset.security } : { host: '' },
            );
          }}
        />
      )}
      <RecordFields form={form} only={others} />
      {transport ? (
        <ReportsAddress transport={transport} />
      ) : (
        kind !== 'smtp' && <QuietText>{t('reports.afterwards')}</QuietText>
      )}
    </FormDrawer>
  );
}

function AddedDialog({ transport, onClose }: { transport: Transport; onClose: () => void }) {
  const { t } = useTranslation('transports');
  return (
    <Dialog onClose={onClose} title={t('reports.title', { name: transport.name })}>
      <Stack gap="md">
        <ReportsAddress transport={transport} />
        <Group justify="flex-end">
          <Button variant="filled" onClick={onClose}>
            {t('words.done')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
