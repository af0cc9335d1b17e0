import type { ContentBackend } from '@reachout/contract/content-backend.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { EndpointInput } from './endpoint-input.tsx';
import { RestingNotice } from './resting-notice.tsx';
import { useConnectionChecks } from './use-connection-checks.ts';

/** Address and token of a Directus; the server checks both before storing them. */
export function ConnectDrawer({ backend, onClose }: { backend: ContentBackend; onClose: () => void }) {
  const { t } = useTranslation('backend');
  const { api, orgId } = useOrganization();
  const checks = useConnectionChecks();
  const connect = useMutation(api.contentBackend.connect.mutationOptions());
  const { directus } = backend;
  /** The token of one Directus is never sent to another. */
  const hasToken = (endpoint: string) =>
    directus?.access_token !== null && directus?.endpoint === endpoint.trim().replace(/\/+$/, '');
  const form = useRecordForm(boundsOf('contentBackend.connect'), {
    fields: {
      endpoint: {
        input: EndpointInput,
        initial: directus?.endpoint,
        missing: checks.endpoint('') ?? undefined,
      },
      access_token: {
        label: t('token'),
        hint: ({ endpoint }) => t(hasToken(String(endpoint)) ? 'tokenKept' : 'tokenHint'),
        isOptional: false,
        autoComplete: 'off',
        input: PasswordInput,
      },
    },
    checks: {
      endpoint: checks.endpoint,
      access_token: (value, { endpoint }) =>
        hasToken(endpoint) ? checks.optionalToken(value) : checks.token(value),
    },
    save: (values) => connect.mutateAsync({ id: orgId, ...values }),
    notice: t('connected'),
    onClose,
  });
  return (
    <FormDrawer
      onClose={onClose}
      title={backend.kind === 'directus' ? t('change') : t('connect')}
      form={form}
      submitLabel={t('connect')}
    >
      <RestingNotice backend={backend} />
      <RecordFields form={form} isFocused />
    </FormDrawer>
  );
}
