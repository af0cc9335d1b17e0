import type { CompileProblem, EmailContent, EmailContext } from './email-content.ts';

export interface PreviewRecipient {
  contact: Record<string, unknown>;
  address: string;
}

/** `html`, `text` and the rest are empty strings when a warning of severity `error` says why. */
export interface EmailPreview {
  subject: string;
  preheader: string;
  html: string;
  text: string;
  warnings: CompileProblem[];
}

export async function renderPreview(
  _content: EmailContent,
  _context: EmailContext,
  _recipient: PreviewRecipient,
): Promise<EmailPreview> {
  throw new Error('not built yet');
}
