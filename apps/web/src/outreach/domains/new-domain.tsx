import { Stack, TextInput } from '@mantine/core';
import { domainNameProblems } from '@reachout/contract/states/domain.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { OwnerChoice } from '#web/content/owners/owner-choice.tsx';
import { ownerKey, ownerOf } from '#web/content/owners/owner-key.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { Form } from '#web/ui/form.tsx';
import { notify } from '#web/ui/notify.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { DomainSteps } from './domain-steps.tsx';
import { explained } from './explain.ts';

interface Props {
  /** In whose name the domain is asked for; undefined if nobody's, so that its owner has to be chosen. */
  client: string | undefined;
}

type NewDomainValues = Record<'domain', string> & Record<'client_id', string | null>;

/**
 * Adds a domain and opens its records. By hand: an owner has to be chosen, where no owner is a choice, too.
 */
export function NewDomain({ client }: Props) {
  const { t } = useTranslation(['domains', 'common']);
  const { api, orgId, clientId } = useOrganization();
  const navigate = useNavigate();
  const refusal = useRefusal();
  const asking = client ?? clientId;
  const create = useMutation(api.domains.create.mutationOptions());
  const form = useServerForm<NewDomainValues>({
    initial: {
      domain: '',
      // Shared with all clients only on purpose: any of their brands can send from it then.
      client_id: asking === undefined ? null : ownerKey({ client_id: asking, brand_id: null }),
    },
    checks: {
      domain: (value) => (value.trim() === '' ? t('nameMissing') : null),
      client_id: (value) => (value === null ? t('ownerMissing') : null),
    },
    limits: { domain: boundsOf('domains.create').domain.max },
    submit: async ({ domain, client_id }) => {
      const { id } = await create
        .mutateAsync({ organization_id: orgId, ...ownerOf(client_id ?? ''), domain: domain.trim() })
        .catch((error: unknown) => Promise.reject(explained(error, refusal, 'domain') as Error));
      notify(t('added'));
      await navigate({ to: '/o/$orgId/domains/$domainId', params: { orgId, domainId: id } });
    },
  });
  return (
    <Stack gap="md" maw={640}>
      <DomainSteps current="domain" />
      <Form form={form} submitLabel={t('add')}>
        <TextInput
          label={t('words.domain')}
          description={t('nameHint')}
          autoComplete="off"
          inputMode="url"
          spellCheck={false}
          {...form.fields.getInputProps('domain')}
        />
        <OwnerChoice
          value={form.fields.getValues().client_id}
          onChange={(key) => form.fields.setFieldValue('client_id', key)}
          description={t('common:owner.hint')}
          placeholder={t('ownerMissing')}
          error={form.fields.errors['client_id']}
        />
      </Form>
    </Stack>
  );
}

/** @returns a function that says why a name cannot be added, for `explained` */
function useRefusal(): (code: string, data: Record<string, unknown>) => string | undefined {
  const { t } = useTranslation('domains');
  return (code, data) => {
    if (code === 'domain_exists') return t('exists');
    if (code === 'domain_taken') return t('taken');
    const reason = domainNameProblems.find((problem) => problem === data['reason']);
    return code === 'domain_refused' && reason !== undefined ? t(`refused.${reason}`) : undefined;
  };
}
