import type { EmailSnapshot } from '../../email/email-content.ts';
import { createEmailRenderer, type EmailRenderer } from '../../email/mime/email-renderer.ts';
import { formatListId } from '../../email/mime/headers.ts';
import type { TokenSigner } from '../../email/links/tokens.ts';

export interface SendRendererOptions {
  publicUrl: string;
  signer: TokenSigner;
  /** Host in the envelope sender of messages. */
  bounceDomain: string;
  /** Whether mail to that host is read. */
  takesReturnedMail?: boolean | undefined;
  organizationId: string;
  sendNumber: number;
  /** Stored with the send, so that a repeat has the same Message-ID even if the keys of the installation changed. */
  messageIdBase: string;
  isTest: boolean;
}

export function createSendRenderer(
  content: EmailSnapshot,
  { organizationId, ...options }: SendRendererOptions,
): EmailRenderer {
  const brand = content.context['brand'] as { id: string; name: string };
  const fromDomain = content.from_email.slice(content.from_email.lastIndexOf('@') + 1);
  return createEmailRenderer(content, {
    ...options,
    headers: {
      // Campaign, organization, channel and sender; no personal data.
      feedbackId: `${options.sendNumber}:${organizationId.slice(-12)}:email:reachout`,
      listId: formatListId(brand.name, `${brand.id}.${fromDomain}`),
    },
  });
}
