import type { ContentFile } from '@reachout/contract/content-files.ts';
import type { Paging } from '../../platform/database/list-page.ts';

/** A file as people see it. */
export type ShownFile = Omit<ContentFile, 'public_url'> & {
  /** In the address of a public image; null for a file of the organization alone. */
  public_key: string | null;
};

export interface FileList extends Paging {
  search?: string | undefined;
  /** Only images that browsers show. */
  isImage: boolean;
  order: `${'filename_download' | 'filesize' | 'date_created'}.${'asc' | 'desc'}`;
}

export interface FileChanges {
  filename_download?: string | undefined;
  is_public?: boolean | undefined;
}

/**
 * The files of an organization, where its content is kept, as rows: their bytes are in no transaction of the built-in backend.
 *
 * All methods throw API errors: 404 `not_found`, 422 `invalid_input`; a Directus also 424 `backend_failed`.
 */
export interface ContentFiles {
  listFiles(list: FileList): Promise<{ items: ShownFile[]; count: number }>;
  getFile(id: string): Promise<ShownFile>;
  updateFile(id: string, changes: FileChanges): Promise<ShownFile>;
  /** @returns what was deleted */
  deleteFile(id: string): Promise<Pick<ShownFile, 'filename_download'>>;
}
