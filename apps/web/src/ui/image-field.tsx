import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { uploadPathOf, type ImageKind } from '@reachout/contract/rules/storage.ts';
import { readImage, removeStored, sendFile } from '#web/platform/upload.ts';
import { ImageChoice } from './image-choice.tsx';

interface Props {
  /** "Logo", "Photo". */
  label: string;
  /** URL of the stored image; null if there is none. */
  url: string | null;
  kind: ImageKind;
  /** Of the record that shows it. */
  id: string;
  /** Renders the stored image or a placeholder. */
  preview: (url: string | null) => ReactNode;
  /** Why it cannot be changed; undefined if it can. */
  denialReason?: string | undefined;
  /** Called after an upload or a removal, to refetch everything that shows the image. */
  onChanged: () => Promise<unknown>;
}

/** An image that is uploaded as soon as it is chosen. Shows the stored image, or the chosen one during the upload. */
export function ImageField({ label, url, kind, id, preview, denialReason, onChanged }: Props) {
  const [chosen, setChosen] = useState<string>();
  const change = useMutation({
    mutationFn: async (file: File | undefined) => {
      if (file) {
        // Avatars have the same rules.
        setChosen(await readImage(file, 'logos'));
        await sendFile(uploadPathOf(kind, id), file);
      } else if (url !== null) {
        await removeStored(url);
      }
      await onChanged();
    },
    onSettled: () => setChosen(undefined),
  });
  return (
    <ImageChoice
      label={label}
      preview={preview(chosen ?? url)}
      hasImage={url !== null}
      pending={change.isPending}
      error={change.error}
      denialReason={denialReason}
      onChoose={change.mutate}
      onRemove={() => change.mutate(undefined)}
    />
  );
}
