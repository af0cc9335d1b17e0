import { sql } from 'kysely';
import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import type { Transaction } from '../../../platform/database/database.ts';

export type PastEmail = Omit<TouchpointEmail, 'filter' | 'item_id' | 'items_count' | 'updated_at'> & {
  updated_at: Date;
};

export async function insertPastEmails(
  trx: Transaction,
  organizationId: string,
  emails: readonly PastEmail[],
): Promise<void> {
  await sql`
    insert into touchpoint_emails (organization_id, id, touchpoint_id, filter_id, template_id, mjml, subject, preheader, from_name,
      from_email, reply_to, topic_id, updated_at)
    select ${organizationId}::uuid, id, touchpoint_id, filter_id, template_id, mjml, subject, preheader, from_name, from_email,
      reply_to, topic_id, updated_at
    from json_to_recordset(${JSON.stringify(emails)}::json)
      as e(id uuid, touchpoint_id uuid, filter_id uuid, template_id uuid, mjml text, subject text, preheader text, from_name text,
        from_email text, reply_to text, topic_id uuid, updated_at timestamptz)
  `.execute(trx);
}
