import { notFound } from '../../platform/http/api-error.ts';
import { isPlatformCollection, invalidQuery } from '../backend/content-backend.ts';

/** @returns the collection @throws 404 for one of the platform, which has separate operations and permissions */
export function rejectPlatformCollections(collection: string): string {
  if (isPlatformCollection(collection)) throw notFound();
  return collection;
}

/** Parses a filter rule in a URL, which is JSON text, without validating it. */
export const parseFilter = (text: string | undefined): unknown => parseJson('filter', text);

/** @returns an empty object without a text @throws `invalid_query` */
export function parseJson(parameter: string, text: string | undefined): unknown {
  if (text === undefined || text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw invalidQuery(`${parameter}: This is not JSON.`);
  }
}
