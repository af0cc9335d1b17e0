import type { ContentFile } from '@reachout/contract/content-files.ts';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { changes } from '#web/platform/query-client.ts';
import { drawImage } from './draw-image.ts';
import type { Area, Size } from './image-area.ts';
import type { ImageSource } from './image-source.ts';
import { uploadFile } from './upload-file.ts';

/** How an image is drawn before it is uploaded. */
interface Drawing {
  image: HTMLImageElement;
  area: Area;
  size: Size;
}

/**
 * Makes an image public, which is uploaded first if it is new or drawn. Resolves with its address.
 * @param brandId  the brand whose library a new image is added to
 */
export function useInsertImage(source: ImageSource, brandId: string | undefined) {
  const { api, orgId } = useOrganization();
  const uploaded = useRef<{ key: string; file: ContentFile }>(undefined);
  return useMutation({
    ...changes(orgId),
    /** @param drawing  undefined for the image as it is */
    mutationFn: async (drawing: Drawing | undefined): Promise<string> => {
      const store = async (): Promise<ContentFile> => {
        if (drawing === undefined && !(source.file instanceof File)) return source.file;
        // If only the second step failed, a new attempt must not upload the image again.
        const key = JSON.stringify(drawing && [drawing.area, drawing.size]) ?? '';
        if (uploaded.current?.key === key) return uploaded.current.file;
        const bytes = drawing
          ? await drawImage(drawing.image, drawing.area, drawing.size, source)
          : (source.file as File);
        const file = await uploadFile(orgId, bytes, { kind: 'image', brandId });
        uploaded.current = { key, file };
        return file;
      };
      const { id, public_url } = await store();
      if (public_url !== null) return public_url;
      const published = await api.content.updateFile.call({ organization_id: orgId, id, is_public: true });
      return published.public_url!;
    },
  });
}
