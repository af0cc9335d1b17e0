import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { changes } from '#web/platform/query-client.ts';
import { uploadFile } from './upload-file.ts';

interface Rejected {
  name: string;
  error: unknown;
}

/**
 * Uploads files one after another; a rejected file does not stop the others.
 * @param brandId  the brand whose library they are added to
 */
export function useUpload(brandId: string | undefined, onDone: (count: number) => void) {
  const { orgId } = useOrganization();
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const [rejected, setRejected] = useState<readonly Rejected[]>([]);
  const upload = useMutation({
    ...changes(orgId),
    mutationFn: async (files: readonly File[]) => {
      const refused: Rejected[] = [];
      setRejected([]);
      for (const [done, file] of files.entries()) {
        setProgress({ done, total: files.length });
        await uploadFile(orgId, file, { brandId }).catch((error: unknown) =>
          refused.push({ name: file.name, error }),
        );
      }
      setRejected(refused);
      return files.length - refused.length;
    },
    onSuccess: (count) => {
      if (count > 0) onDone(count);
    },
    onSettled: () => setProgress(undefined),
  });
  return { upload: (files: readonly File[]) => upload.mutate(files), progress, rejected };
}
