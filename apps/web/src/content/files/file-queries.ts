import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact, defineList, readUuid, type SearchOf } from '#web/platform/list-search.ts';

export const fileList = defineList({
  pageSize: 20,
  isSearchable: true,
  sortBy: ['filename_download', 'filesize', 'date_created'],
  defaultOrder: 'date_created.desc',
  filters: (raw) => compact({ brand: readUuid(raw['brand']) }),
});
export type FilesSearch = SearchOf<typeof fileList>;

export const filesQuery = ({ api, orgId }: OrganizationContext, search: FilesSearch) =>
  api.content.files.queryOptions(fileList.query(search, { organization_id: orgId, brand_id: search.brand }));

/**
 * Images to choose from.
 * @param brandId  only those of this brand
 */
export const imagesQuery = (
  { api, orgId }: OrganizationContext,
  search: string,
  page: number,
  brandId?: string,
) =>
  api.content.files.queryOptions({
    input: compact({
      organization_id: orgId,
      kind: 'image' as const,
      brand_id: brandId,
      search: search === '' ? undefined : search,
      page: page - 1,
      page_size: imagesPerPage,
    }),
    placeholderData: keepPreviousData,
  });

export const imagesPerPage = 12;

export const fileQuery = ({ api, orgId }: OrganizationContext, id: string) =>
  api.content.file.queryOptions({ input: { organization_id: orgId, id } });

/** URL of a file's content. */
export const assetUrl = (orgId: string, id: string): string =>
  `/api/content/${encodeURIComponent(orgId)}/assets/${encodeURIComponent(id)}`;

/** Files belong to the whole organization: members who are limited to some clients cannot access any. */
export const hasFiles = ({ can }: OrganizationContext): boolean => can('read', 'Content', {});
