import type { ContentBackend } from '@reachout/contract/content-backend.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { EndpointInput } from './endpoint-input.tsx';
import { RestingNotice } from './resting-notice.tsx';
import { useConnectionChecks } from './use-connection-checks.ts';

/** Address and token of a Directus; the server checks both before storing them. */
export function ConnectDrawer({ backend, onClose }: { backend: ContentBackend; onClose: () => void }) {
  const { t } = useTranslation(['backend', 'common']);
  const { api, orgId } = useOrganization();
  const checks = useConnectionChecks();
  const connect = useMutation(
    api.contentBackend.connect.mutationOptions({
      onSuccess: () => {
        notify(t('connected'));
        onClose();
      },
    }),
  );
  const { directus } = backend;
  /** The token of one Directus is never sent to another. */
  const hasToken = (endpoint: string) =>
    directus?.access_token !== null && directus?.endpoint === endpoint.trim().replace(/\/+$/, '');
  const form = useServerForm({
    initial: { endpoint: directus?.endpoint ?? '', access_token: '' },
    limits: { endpoint: 500, access_token: 500 },
    checks: {
      endpoint: checks.endpoint,
      access_token: (value, { endpoint }) =>
        hasToken(endpoint) ? checks.optionalToken(value) : checks.token(value),
    },
    submit: ({ endpoint, access_token }) =>
      connect.mutateAsync({
        id: orgId,
        endpoint: endpoint.trim(),
        ...(access_token.trim() === '' ? {} : { access_token: access_token.trim() }),
      }),
  });
  const { getInputProps, values } = form.fields;
  const isKept = hasToken(values.endpoint);
  return (
    <FormDrawer
      opened
      onClose={onClose}
      title={backend.kind === 'directus' ? t('change') : t('connect')}
      form={form}
      submitLabel={t('connect')}
    >
      <RestingNotice backend={backend} />
      <EndpointInput {...getInputProps('endpoint')} />
      <PasswordInput
        label={t('token')}
        description={isKept ? t('tokenKept') : t('tokenHint')}
        autoComplete="off"
        {...getInputProps('access_token')}
      />
    </FormDrawer>
  );
}
