import type { EmailSnapshot } from '../../email/email-content.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** The email as it was fixed when the send started. */
export async function findEmailSnapshot(
  trx: Transaction,
  organizationId: string,
  sendId: string,
): Promise<EmailSnapshot | undefined> {
  const row = await trx
    .selectFrom('touchpoint_send_contents')
    .select('content')
    .where('organization_id', '=', organizationId)
    .where('send_id', '=', sendId)
    .executeTakeFirst();
  return row?.content as EmailSnapshot | undefined;
}

export interface DeliveryRow {
  contact_id: string;
  address: string;
  variables: Record<string, unknown>;
}

export async function findDelivery(
  trx: Transaction,
  organizationId: string,
  sendId: string,
  seq: number,
): Promise<DeliveryRow | undefined> {
  const row = await trx
    .selectFrom('deliveries')
    .select(['contact_id', 'address', 'variables'])
    .where('organization_id', '=', organizationId)
    .where('send_id', '=', sendId)
    .where('seq', '=', seq)
    .executeTakeFirst();
  return row as DeliveryRow | undefined;
}

/** Also of a deleted brand: its mail is still in people's mailboxes. */
export async function findBrandName(
  trx: Transaction,
  organizationId: string,
  brandId: string,
): Promise<string | undefined> {
  const row = await trx
    .selectFrom('brands')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', brandId)
    .executeTakeFirst();
  return row?.name;
}
