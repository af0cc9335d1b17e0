import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandSelect } from '#web/clients/brands/brand-select.tsx';
import { isComplete, useNewBrand } from '#web/clients/brands/create-brand.ts';
import { NewBrandFields } from '#web/clients/brands/new-brand-fields.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ActionError } from '#web/ui/states.tsx';

interface Props {
  brandId: string | undefined;
  onBrand: (id: string) => void;
}

/** Selects the brand that the email is sent from, or creates one. */
export function BrandChoice({ brandId, onBrand }: Props) {
  const { t } = useTranslation(['touchpoints', 'clients']);
  const { api, orgId, clientId, can } = useOrganization();
  const [isMaking, setMaking] = useState(false);
  const groups = useQuery(
    api.clientsBrands.list.queryOptions({
      input: compact({ organization_id: orgId, client_id: clientId, page: 0, page_size: 500 }),
    }),
  );
  const canMake = can('create', 'Brand');
  return (
    <AsyncRegion query={groups} what={t('words.brand')}>
      {({ items }) => {
        const known = items.filter(({ brands }) => brands.length > 0);
        if (canMake && (isMaking || known.length === 0))
          return (
            <NewBrand
              onMade={(id) => {
                setMaking(false);
                onBrand(id);
              }}
              {...(known.length === 0 ? {} : { onCancel: () => setMaking(false) })}
            />
          );
        if (known.length === 0) return <Text c="dimmed">{t('newEmail.noBrand')}</Text>;
        return (
          <Group align="flex-end" gap="sm">
            <BrandSelect
              flex="1 1 260px"
              maw={480}
              label={t('words.brand')}
              placeholder={t('newEmail.chooseBrand')}
              value={brandId ?? null}
              onChange={(value) => value !== null && onBrand(value)}
              clients={items}
            />
            {canMake && (
              <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
                {t('clients:newBrand')}
              </Button>
            )}
          </Group>
        );
      }}
    </AsyncRegion>
  );
}

function NewBrand({ onMade, onCancel }: { onMade: (id: string) => void; onCancel?: () => void }) {
  const { t } = useTranslation(['clients', 'common']);
  const { draft, setDraft, create } = useNewBrand();
  const [isAsked, setAsked] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (isComplete(draft) && !create.isPending) create.mutate(draft, { onSuccess: onMade });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md" maw={480}>
        <NewBrandFields
          value={draft}
          onChange={setDraft}
          error={isAsked ? t('common:form.required') : undefined}
        />
        <ActionError error={create.error} title={t('common:error.saveFailed')} />
        <Group gap="xs">
          <Button variant="filled" type="submit" loading={create.isPending}>
            {t('inline.add')}
          </Button>
          {onCancel && <Button onClick={onCancel}>{t('common:actions.cancel')}</Button>}
        </Group>
      </Stack>
    </form>
  );
}
