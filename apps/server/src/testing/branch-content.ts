import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { insertRows } from '../sample/rows.ts';

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
  /** Part of every text. */
  marker: string;
}

export async function buildBranchContent(owner: Database, of: Of): Promise<BranchContent> {
  const { organization_id, client_id, brand_id, marker } = of;
  const collection = `things_${newId().replaceAll('-', '')}`;
  const itemId = newId();
  const noteId = newId();
  const email = `ada@${marker}.example`;
  const inCollection = { organization_id, collection };
  await insertRows(owner, 'content_collections', {
    ...inCollection,
    client_id,
    brand_id,
    label: `Contacts ${marker}`,
    items_count: 1,
  });
  await insertRows(owner, 'content_fields', [
    { ...inCollection, field: 'email', type: 'string' },
    { ...inCollection, field: 'city', type: 'string' },
  ]);
  await insertRows(owner, 'content_items', { ...inCollection, id: itemId, data: JSON.stringify({ email }) });
  await insertRows(owner, 'content_unique_values', {
    ...inCollection,
    field: 'email',
    value: email,
    item_id: itemId,
  });
  await insertRows(owner, 'content_search_texts', { ...inCollection, item_id: itemId, text: email });
  await insertRows(owner, 'content_search_queue', { ...inCollection, item_ids: [itemId] });
  await insertRows(owner, 'contact_notes', {
    ...inCollection,
    contact_id: itemId,
    id: noteId,
    text: `Prefers letters ${marker}`,
  });
  const presetId = newId();
  await insertRows(owner, 'content_presets', {
    ...inCollection,
    id: presetId,
    bookmark: `View ${marker}`,
    layout_query: JSON.stringify({}),
  });
  const { fileId, shareId } = await buildFiles(owner, { ...inCollection, brand_id, item_id: itemId, marker });
  await insertRows(owner, 'directus_collections', {
    organization_id,
    collection: `elsewhere_${noteId.replaceAll('-', '')}`,
    client_id,
    brand_id,
    label: `People ${marker}`,
    key_type: 'uuid',
    fields: JSON.stringify([]),
  });
  await insertRows(owner, 'deleted_collections', { organization_id, collection: `gone_${collection}` });
  await buildReading(owner, {
    organization_id,
    collection: `elsewhere_${noteId.replaceAll('-', '')}`,
    marker,
  });
  const importId = await buildImport(owner, { ...inCollection, marker });
  return {
    collection,
    itemId,
    importId,
    noteId,
    presetId,
    fileId,
    shareId,
    templateId: await buildTemplate(owner, of),
  };
}

/** Stores the reading of an audience from an external content backend. */
async function buildReading(
  owner: Database,
  { marker, ...of }: { organization_id: string; collection: string; marker: string },
): Promise<void> {
  const id = newId();
  await insertRows(owner, 'audience_readings', {
    ...of,
    id,
    endpoint: `https://${marker}.example`,
    rule: JSON.stringify({}),
    fields: ['email'],
    rule_hash: '0'.repeat(64),
  });
  await insertRows(owner, 'audience_reading_contacts', {
    organization_id: of.organization_id,
    reading_id: id,
    id: newId(),
    pass: 1,
    data: JSON.stringify({ email: `dora@${marker}.example` }),
  });
}

/** Stores a file and a share of the contact. */
async function buildFiles(
  owner: Database,
  {
    organization_id,
    brand_id,
    collection,
    item_id,
    marker,
  }: Omit<Of, 'client_id'> & { collection: string; item_id: string },
): Promise<{ fileId: string; shareId: string }> {
  const fileId = newId();
  const shareId = newId();
  const { user_id: user_created } = await owner
    .selectFrom('organization_users')
    .select('user_id')
    .where('organization_id', '=', organization_id)
    .limit(1)
    .executeTakeFirstOrThrow();
  await insertRows(owner, 'content_files', {
    organization_id,
    id: fileId,
    bytes_id: fileId,
    brand_id,
    filename_download: `${marker}.png`,
    type: 'image/png',
    bucket: 'images',
    path: `${fileId}/${marker}.png`,
    filesize: 1,
    user_created,
  });
  await insertRows(owner, 'content_shares', {
    organization_id,
    id: shareId,
    collection,
    item_id,
    name: `Share ${marker}`,
    role: 'analyst',
    user_created,
  });
  return { fileId, shareId };
}

async function buildImport(
  owner: Database,
  { organization_id, collection, marker }: { organization_id: string; collection: string; marker: string },
): Promise<string> {
  const id = newId();
  const ofImport = { organization_id, import_id: id };
  await insertRows(owner, 'content_imports', {
    id,
    organization_id,
    collection,
    file_name: `people of ${marker}.csv`,
    settings: JSON.stringify({ mapping: {} }),
    status: 'completed',
  });
  await insertRows(owner, 'jobs', {
    organization_id,
    id: newId(),
    kind: 'test',
    key: id,
    due_at: '2100-01-01T00:00:00Z',
  });
  await insertRows(owner, 'content_import_parts', {
    ...ofImport,
    first_byte: 0,
    bytes: Buffer.from('email\n'),
  });
  await insertRows(owner, 'content_import_rejections', {
    ...ofImport,
    kind: 'rejected',
    line: 2,
    end_byte: 6,
    error: JSON.stringify({ code: 'not_an_address', values: {} }),
    record: JSON.stringify({}),
  });
  return id;
}

async function buildTemplate(
  owner: Database,
  { organization_id, client_id, brand_id, marker }: Of,
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
  };
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
