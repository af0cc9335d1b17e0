import type { ContentFile } from '@reachout/contract/content-files.ts';
import type { Paging } from '../../platform/database/list-page.ts';

export type ShownFile = Omit<ContentFile, 'public_url'> & {
  /** Key in the URL of a public image; null for a private file. */
  public_key: string | null;
};

export interface FileList extends Paging {
  search?: string | undefined;
  /** Only images that browsers can display. */
  isImage: boolean;
  /** Only files of this brand; ignored by a Directus, whose files have none. */
  brand_id?: string | undefined;
  order: `${'filename_download' | 'filesize' | 'date_created'}.${'asc' | 'desc'}`;
}

export interface FileChanges {
  filename_download?: string | undefined;
  is_public?: boolean | undefined;
  brand_id?: string | null | undefined;
  /** Of the bytes that it must still have in the built-in backend: those that were checked. */
  bytes_id?: string | undefined;
}

/**
 * The file rows in an organization's content backend. Transactions of the built-in backend do not cover the bytes.
 *
 * All methods throw API errors: 404 `not_found`, 409 `changed_elsewhere`, 422 `invalid_input`; a Directus also 424 `backend_failed`.
 */
export interface ContentFiles {
  listFiles(list: FileList): Promise<{ items: ShownFile[]; count: number }>;
  getFile(id: string): Promise<ShownFile>;
  updateFile(id: string, changes: FileChanges): Promise<ShownFile>;
  /** @returns what was deleted */
  /** `bytes_id`: what the built-in backend has to remove after the commit. */
  deleteFile(id: string): Promise<Pick<ShownFile, 'filename_download'> & { bytes_id?: string }>;
}
