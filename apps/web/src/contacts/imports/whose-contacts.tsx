import { Select, Stack } from '@mantine/core';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { QuietText } from '#web/ui/text.ts';
import type { TargetOption } from './import-target.ts';
import type { TargetChoice } from './use-import-target.ts';

interface Props extends TargetChoice {
  error: string | undefined;
  /** The field, for its focus. */
  fieldRef: Ref<HTMLInputElement>;
}

/** Asks whose contacts are imported: those of a client, or contacts that all clients share. */
export function WhoseContacts({ options, chosen, choose, missing, error, fieldRef }: Props) {
  const { t } = useTranslation('collections');
  const nameOf = useCollectionName();
  const labelOf = ({ client, list }: TargetOption) => {
    const owner = client === null ? t('csv.whose.shared') : client.name;
    const brand = list?.brand?.name;
    const named = list === undefined ? undefined : nameOf(list.collection);
    const others = options.filter((other) => other.client?.id === client?.id);
    // The only collection of an owner needs no name.
    return [
      brand === undefined ? owner : `${owner} › ${brand}`,
      others.length > 1 && named !== owner ? named : undefined,
    ]
      .filter(Boolean)
      .join(' · ');
  };
  const hint =
    chosen === undefined
      ? undefined
      : chosen.client === null
        ? t('csv.whose.sharedHint')
        : t(chosen.list === undefined ? 'csv.whose.newHint' : 'csv.whose.ownHint', {
            client: chosen.client.name,
          });
  return (
    <Stack gap={4} mb="lg" maw={480}>
      <Select
        ref={fieldRef}
        searchable
        allowDeselect={false}
        label={t('csv.whose.label')}
        placeholder={t('csv.whose.choose')}
        data={options.map((option) => ({ value: option.key, label: labelOf(option) }))}
        value={chosen?.key ?? null}
        error={error}
        onChange={(key) => {
          const option = options.find((each) => each.key === key);
          if (option !== undefined) choose(option);
        }}
      />
      {hint !== undefined && <QuietText>{hint}</QuietText>}
      {missing !== undefined && <QuietText>{t('csv.whose.missing', { client: missing })}</QuietText>}
    </Stack>
  );
}
