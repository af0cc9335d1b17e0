/** How an organization's emails may leave beside the mail server of the installation. */
export const transportKinds = ['smtp', 'elastic_email', 'ses'] as const;
export type TransportKind = (typeof transportKinds)[number];

/** `starttls`: TLS after the greeting; `tls`: from the first byte (RFC 8314). */
export const smtpSecurities = ['starttls', 'tls'] as const;

/** The envelope sender: an address of the installation, to which bounces come back, or the address of the From field. */
export const envelopeSenders = ['ours', 'sender'] as const;

// Also checked in forms.
export const hostPattern = /^(?=.{1,253}$)[a-z\d](?:[a-z\d.:-]*[a-z\d])?$/i;
export const regionPattern = /^[a-z]{2}(?:-[a-z]+)+-\d$/;
export const accessKeyIdPattern = /^[A-Z\d]{16,128}$/;

/** What a transport needs to be opened, without its secret. */
export type TransportSettings =
  | {
      kind: 'smtp';
      host: string;
      port: number;
      security: (typeof smtpSecurities)[number];
      /** Null: without sign-in. */
      username: string | null;
      envelope: (typeof envelopeSenders)[number];
    }
  | { kind: 'elastic_email' }
  | {
      kind: 'ses';
      region: string;
      access_key_id: string;
      configuration_set: string | null;
      /** ARN of the SNS topic that reports what became of messages; null: nothing is reported. */
      topic_arn: string | null;
      tenant_name: string | null;
    };

/** Services whose SMTP servers take mail with a user name and a password. */
export const smtpPresets = [
  { name: 'Brevo', host: 'smtp-relay.brevo.com', port: 587, security: 'starttls' },
  { name: 'Google Workspace', host: 'smtp-relay.gmail.com', port: 587, security: 'starttls' },
  { name: 'Mailgun', host: 'smtp.mailgun.org', port: 587, security: 'starttls' },
  { name: 'Mailjet', host: 'in-v3.mailjet.com', port: 587, security: 'starttls' },
  { name: 'Microsoft 365', host: 'smtp.office365.com', port: 587, security: 'starttls' },
  { name: 'Postmark', host: 'smtp.postmarkapp.com', port: 587, security: 'starttls' },
  { name: 'SendGrid', host: 'smtp.sendgrid.net', port: 587, security: 'starttls' },
] as const satisfies readonly (Pick<
  Extract<TransportSettings, { kind: 'smtp' }>,
  'host' | 'port' | 'security'
> & { name: string })[];
