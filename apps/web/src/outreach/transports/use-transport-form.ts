import {
  accessKeyIdPattern,
  envelopeSenders,
  hostPattern,
  regionPattern,
  smtpSecurities,
  transportKinds,
  type TransportKind,
  type TransportSettings,
} from '@reachout/contract/rules/transports.ts';
import type { Transport, Transports } from '@reachout/contract/transports.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useConnectionChecks } from '#web/content/backend/use-connection-checks.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf, type Bounds } from '#web/platform/bounds-of.ts';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import type { Values } from '#web/ui/use-server-form.ts';

type SettingsOf<K extends TransportKind> = Extract<TransportSettings, { kind: K }>;

/** What is typed, of all kinds. */
type Typed = Omit<SettingsOf<'smtp'>, 'kind'> &
  Omit<SettingsOf<'ses'>, 'kind'> & {
    kind: TransportKind;
    name: string;
    password?: string;
    secret_access_key?: string;
    api_key: string | null;
    webhook_secret: string | null;
    removes_webhook_secret: boolean;
  };

const { name, settings, secret, webhook_secret } = boundsOf('transports.create');
const bounds = {
  ...settings.fields,
  name,
  password: secret,
  secret_access_key: secret,
  // A token, too; required by a check, because it may be stored.
  api_key: webhook_secret,
  webhook_secret,
  removes_webhook_secret: { type: 'boolean' },
} as Bounds<Typed>;

interface Options {
  transports: Transports;
  /** The one to change; undefined for a new one. */
  transport: Transport | undefined;
  onSaved: (stored: Transports) => void;
}

/** The form of a transport. Server and provider are asked before anything is stored; their words appear in the form. */
export function useTransportForm({ transports, transport, onSaved }: Options) {
  const { t } = useTranslation(['transports', 'common']);
  const fields = useFields(transports, transport);
  const save = useSave(transport);
  const tokens = useConnectionChecks();
  const required = (isMissing: boolean) => (isMissing ? t('common:form.required') : null);
  return useRecordForm(bounds, {
    record: transport && { ...transport.settings, name: transport.name },
    fields,
    checks: {
      host: (value) => (hostPattern.test(value.trim()) ? null : t('smtp.hostHint')),
      password: (value, values) => required(value === '' && !keepsSecret(transport, values)),
      region: (value) => (regionPattern.test(value.trim()) ? null : t('ses.regionHint')),
      access_key_id: (value) => (accessKeyIdPattern.test(value.trim()) ? null : t('ses.keyIdHint')),
      secret_access_key: (value, values) => required(value === '' && !keepsSecret(transport, values)),
      api_key: transports.elastic_email_key === null ? tokens.token : tokens.optionalToken,
      webhook_secret: tokens.optionalToken,
    },
    save: async (values) => onSaved(await save(values)),
    notice: t('saved'),
  });
}

function useFields(transports: Transports, transport: Transport | undefined) {
  const { t } = useTranslation('transports');
  const isKind = (kind: TransportKind) => (values: Values) => values['kind'] === kind;
  const isSmtp = isKind('smtp');
  const isElasticEmail = isKind('elastic_email');
  const isSes = isKind('ses');
  const secretHint = (values: Values) => t(keepsSecret(transport, values) ? 'kept' : 'encrypted');
  const key = transports.elastic_email_key;
  const hasWebhookSecret = transport?.has_webhook_secret === true;
  return {
    kind: {
      label: t('words.kind'),
      initial: 'smtp',
      options: transportKinds.map((kind) => ({
        value: kind,
        label: t(`kind.${kind}`),
        hint: t(`kindHint.${kind}`),
      })),
      isShown: () => transport === undefined,
    },
    name: { label: t('form.name'), hint: t('nameHint'), autoComplete: 'off' },
    host: { label: t('smtp.host'), hint: t('smtp.hostHint'), autoComplete: 'off', isShown: isSmtp },
    port: { label: t('smtp.port'), isShown: isSmtp },
    security: {
      label: t('smtp.security.label'),
      options: smtpSecurities.map((value) => ({ value, label: t(`smtp.security.${value}`) })),
      isShown: isSmtp,
    },
    username: {
      label: t('smtp.username'),
      hint: t('smtp.usernameHint'),
      autoComplete: 'off',
      isShown: isSmtp,
    },
    password: {
      label: t('smtp.password'),
      hint: secretHint,
      isOptional: false,
      autoComplete: 'new-password',
      input: PasswordInput,
      isShown: (values: Values) => isSmtp(values) && String(values['username']).trim() !== '',
    },
    envelope: {
      label: t('smtp.envelope.label'),
      options: envelopeSenders.map((value) => ({
        value,
        label: t(`smtp.envelope.${value}`),
        hint: t(`smtp.envelopeHint.${value}`),
      })),
      isShown: isSmtp,
    },
    api_key: {
      label: t('key.label'),
      hint: key === null ? t('encrypted') : t('key.kept', { end: key.last_four }),
      isOptional: false,
      autoComplete: 'new-password',
      input: PasswordInput,
      isShown: isElasticEmail,
    },
    webhook_secret: {
      label: t('webhook.label'),
      hint: t(hasWebhookSecret ? 'kept' : 'webhook.hint'),
      autoComplete: 'new-password',
      input: PasswordInput,
      isShown: isElasticEmail,
    },
    removes_webhook_secret: {
      label: t('webhook.remove'),
      kind: 'checkbox',
      isShown: (values: Values) => hasWebhookSecret && values['webhook_secret'] === '',
    },
    region: { label: t('words.region'), hint: t('ses.regionHint'), autoComplete: 'off', isShown: isSes },
    access_key_id: { label: t('ses.keyId'), autoComplete: 'off', isShown: isSes },
    secret_access_key: {
      label: t('ses.secretKey'),
      hint: secretHint,
      isOptional: false,
      autoComplete: 'new-password',
      input: PasswordInput,
      isShown: isSes,
    },
    configuration_set: { label: t('ses.configurationSet'), autoComplete: 'off', isShown: isSes },
    topic_arn: { label: t('ses.topicArn'), hint: t('ses.topicArnHint'), autoComplete: 'off', isShown: isSes },
    tenant_name: { label: t('ses.tenantName'), autoComplete: 'off', isShown: isSes },
  } as const;
}

function useSave(transport: Transport | undefined) {
  const { api, orgId } = useOrganization();
  const setKey = useMutation(api.transports.setElasticEmailKey.mutationOptions());
  const create = useMutation(api.transports.create.mutationOptions());
  const update = useMutation(api.transports.update.mutationOptions());
  return async (values: Typed): Promise<Transports> => {
    const { api_key, password, secret_access_key, webhook_secret: signing } = values;
    if (values.kind === 'elastic_email' && api_key !== null) await setKey.mutateAsync({ id: orgId, api_key });
    const given = values.kind === 'smtp' ? password : values.kind === 'ses' ? secret_access_key : undefined;
    const input = {
      id: orgId,
      name: values.name,
      settings: toSettings(values),
      ...(given !== undefined && { secret: given }),
      ...((signing !== null || values.removes_webhook_secret) && { webhook_secret: signing }),
    };
    return transport === undefined
      ? await create.mutateAsync(input)
      : await update.mutateAsync({ ...input, transport_id: transport.id });
  };
}

function toSettings(values: Typed): TransportSettings {
  const { kind } = values;
  if (kind === 'smtp') {
    const { host, port, security, username, envelope } = values;
    return { kind, host, port, security, username, envelope };
  }
  if (kind === 'elastic_email') return { kind };
  const { region, access_key_id, configuration_set, topic_arn, tenant_name } = values;
  return { kind, region, access_key_id, configuration_set, topic_arn, tenant_name };
}

/** Whether the stored password or key stays without a new one: it is never used with another server or account. */
function keepsSecret(transport: Transport | undefined, values: Values): boolean {
  if (transport?.has_secret !== true) return false;
  const { settings: stored } = transport;
  const isSame = (field: string, value: string | number | null) =>
    String(values[field]).trim() === String(value ?? '');
  return stored.kind === 'smtp'
    ? isSame('host', stored.host) && isSame('port', stored.port) && isSame('username', stored.username)
    : stored.kind === 'ses' &&
        isSame('region', stored.region) &&
        isSame('access_key_id', stored.access_key_id);
}
