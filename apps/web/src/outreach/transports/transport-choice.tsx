import { Select } from '@mantine/core';
import type { Transports } from '@reachout/contract/transports.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useFormat } from '#web/i18n/format.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notifyOf } from '#web/ui/notify.tsx';

interface Props {
  transports: Transports;
  /** Whose transport it is; the organization's without it. */
  brand?: { id: string; name: string };
}

/** Choices beside the transports of the organization. */
const inherited = 'inherited';
const ofInstallation = 'installation';

/** Chooses how emails leave, after a question: sends in progress change with it. */
export function TransportChoice({ transports, brand }: Props) {
  const { t } = useTranslation('transports');
  const format = useFormat();
  const { api, orgId } = useOrganization();
  const [asked, setAsked] = useState<string>();
  const choose = useMutation(api.transports.choose.mutationOptions(notifyOf(t('choice.done'))));
  const { items, brands_of_installation: others } = transports;
  const isOf = (brands: readonly { id: string }[]) => brands.some(({ id }) => id === brand?.id);
  const chosen = items.find(({ is_default, brands }) => (brand === undefined ? is_default : isOf(brands)));
  const value = chosen?.id ?? (brand === undefined || isOf(others) ? ofInstallation : inherited);
  const find = (choice: string) =>
    items.find(({ id, is_default }) => (choice === inherited ? is_default : id === choice));
  const nameOf = (choice: string): string => find(choice)?.name ?? t('choice.installation');
  const sayEffect = (choice: string): string => {
    const name = nameOf(choice);
    const words = find(choice)?.error_content;
    const effect =
      brand === undefined
        ? t('choice.effect', { name })
        : t('choice.effectOnBrand', { name, brand: brand.name });
    // Emails wait until it works.
    return words ? `${effect} ${t('choice.failing', { words })}` : effect;
  };
  const options = [
    ...(brand === undefined
      ? []
      : [{ value: inherited, label: t('choice.inherited', { name: nameOf(inherited) }) }]),
    { value: ofInstallation, label: t('choice.installation') },
    ...items.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const kept = [...items.flatMap(({ brands }) => brands), ...others].map(({ name }) => name);
  return (
    <>
      <Select
        maw={400}
        {...(brand === undefined ? { label: t('choice.label') } : { 'aria-label': t('words.transport') })}
        description={
          brand === undefined && kept.length > 0 ? t('choice.kept', { names: format.list(kept) }) : undefined
        }
        allowDeselect={false}
        data={options}
        value={value}
        onChange={(next) => next !== null && next !== value && setAsked(next)}
      />
      {asked !== undefined && (
        <ConfirmDialog
          title={t('choice.question', { name: nameOf(asked) })}
          text={sayEffect(asked)}
          confirmLabel={t('choice.confirm')}
          isDestructive={false}
          onClose={() => setAsked(undefined)}
          onConfirm={() =>
            choose.mutateAsync({
              id: orgId,
              brand_id: brand?.id ?? null,
              transport_id: items.some(({ id }) => id === asked) ? asked : null,
              is_inherited: asked === inherited,
            })
          }
        />
      )}
    </>
  );
}
