import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ContentBackend } from '../backend/content-backend.ts';
import { isOwnerCurrent } from '../owners/owners.ts';
import { getTemplate, type StoredTemplate } from './templates.ts';

/** @throws 404 also for a template whose client or brand is deleted */
export async function getCurrentTemplate(
  trx: Transaction,
  backend: ContentBackend,
  id: string,
): Promise<StoredTemplate> {
  const template = await getTemplate(backend, id);
  if (!(await isOwnerCurrent(trx, template))) throw notFound();
  return template;
}
