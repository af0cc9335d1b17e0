import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { readImage, removeImage, uploadImage } from '#web/platform/upload-image.ts';
import { ImageChoice } from './image-choice.tsx';

interface Props {
  /** "Logo", "Photo". */
  label: string;
  /** Where the stored image is; null without one. */
  url: string | null;
  /** `logos/organizations/{id}`, `avatars/me` and the like. */
  uploadTo: string;
  /** Shows the image that is kept, or what stands in its place. */
  preview: (url: string | null) => ReactNode;
  /** Why it cannot be changed; undefined when it can. */
  denialReason?: string | undefined;
  /** After an upload or a removal: fetches whatever shows the image. */
  onChanged: () => Promise<unknown>;
}

/** An image that is stored at once when it is chosen: it shows what is kept, and what was chosen while it is on its way. */
export function ImageField({ label, url, uploadTo, preview, denialReason, onChanged }: Props) {
  const [chosen, setChosen] = useState<string>();
  const change = useMutation({
    mutationFn: async (file: File | undefined) => {
      if (file) {
        setChosen(await readImage(file));
        await uploadImage(uploadTo, file);
      } else if (url !== null) {
        await removeImage(url);
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
