import { insertRows } from '../sample/rows.ts';
import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { rowsOf } from './rows-of.ts';

/** The content of a brand: its own collection of contacts with an import, and a template. */
export interface BranchContent {
  collection: string;
  itemId: string;
  importId: string;
  noteId: string;
  /** A shared saved view. */
  presetId: string;
  fileId: string;
  shareId: string;
  templateId: string;
}

interface Of {
  organization_id: string;
  client_id: string;
  brand_id: string;
}

/** @param marker  part of every text */
export async function buildBranchContent(owner: Database, of: Of, marker: string): Promise<BranchContent> {
  const [itemId, noteId, presetId, fileId, shareId, importId, reading_id] = Array.from(
    { length: 7 },
    newId,
  ) as [string, string, string, string, string, string, string];
  const collection = `things_${newId().replaceAll('-', '')}`;
  const elsewhere = { collection: `elsewhere_${noteId.replaceAll('-', '')}` };
  const email = `ada@${marker}.example`;
  const empty = JSON.stringify({});
  const { user_id: user_created } = await owner
    .selectFrom('organization_users')
    .select('user_id')
    .where('organization_id', '=', of.organization_id)
    .limit(1)
    .executeTakeFirstOrThrow();
  const insert = rowsOf(owner, {
    ...of,
    collection,
    item_id: itemId,
    contact_id: itemId,
    import_id: importId,
    reading_id,
  });

  await insert('content_collections', { label: `Contacts ${marker}`, items_count: 1 });
  await insert('content_fields', { field: 'email', type: 'string' }, { field: 'city', type: 'string' });
  await insert('content_items', { id: itemId, data: JSON.stringify({ email }) });
  await insert('content_unique_values', { field: 'email', value: email });
  await insert('content_search_texts', { text: email });
  await insert('content_search_queue', { item_ids: [itemId] });
  await insert('contact_changes', { contact_id: itemId });
  await insert('contact_notes', { id: noteId, text: `Prefers letters ${marker}` });
  await insert('content_presets', { id: presetId, bookmark: `View ${marker}`, layout_query: empty });
  await insert('content_files', {
    id: fileId,
    bytes_id: fileId,
    filename_download: `${marker}.png`,
    type: 'image/png',
    bucket: 'images',
    path: `${fileId}/${marker}.png`,
    filesize: 1,
    user_created,
  });
  await insert('content_shares', { id: shareId, name: `Share ${marker}`, role: 'analyst', user_created });

  await insert('directus_collections', {
    ...elsewhere,
    label: `People ${marker}`,
    key_type: 'uuid',
    fields: JSON.stringify([]),
  });
  await insert('deleted_collections', { collection: `gone_${collection}` });
  await insert('audience_readings', {
    ...elsewhere,
    id: reading_id,
    endpoint: `https://${marker}.example`,
    rule: empty,
    fields: ['email'],
    rule_hash: '0'.repeat(64),
  });
  await insert('audience_reading_contacts', {
    id: newId(),
    pass: 1,
    data: JSON.stringify({ email: `dora@${marker}.example` }),
  });

  await insert('content_imports', {
    id: importId,
    file_name: `people of ${marker}.csv`,
    settings: JSON.stringify({ mapping: {} }),
    status: 'completed',
  });
  await insert('jobs', { id: newId(), kind: 'test', key: importId, due_at: '2100-01-01T00:00:00Z' });
  await insert('content_import_parts', { first_byte: 0, bytes: Buffer.from('email\n') });
  await insert('content_import_rejections', {
    kind: 'rejected',
    line: 2,
    end_byte: 6,
    error: JSON.stringify({ code: 'not_an_address', values: {} }),
    record: empty,
  });
  const templateId = await buildTemplate(owner, of, marker);
  return { collection, itemId, importId, noteId, presetId, fileId, shareId, templateId };
}

async function buildTemplate(
  owner: Database,
  { organization_id, client_id, brand_id }: Of,
  marker: string,
): Promise<string> {
  const collection = 'reachout_templates';
  const id = newId();
  const fields = {
    title: 'string',
    name: 'string',
    template_type: 'string',
    mjml: 'text',
    client: 'uuid',
    brand: 'uuid',
  } as const;
  // The organization may already have them.
  await owner
    .insertInto('content_collections')
    .values({ organization_id, collection, items_count: 1, hidden: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await owner
    .insertInto('content_fields')
    .values(Object.entries(fields).map(([field, type]) => ({ organization_id, collection, field, type })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await insertRows(owner, 'content_items', {
    organization_id,
    collection,
    id,
    data: JSON.stringify({
      title: `Plain ${marker}`,
      name: `plain-${marker}`,
      template_type: 'email',
      mjml: '<mjml><mj-body></mj-body></mjml>',
      client: client_id,
      brand: brand_id,
    }),
  });
  return id;
}
