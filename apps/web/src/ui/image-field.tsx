import { useState, type ReactNode } from 'react';
import { readImage, removeImage, uploadImage } from '#web/platform/upload-image.ts';
import { ImageChoice } from './image-choice.tsx';
import { useAction } from './use-action.ts';

interface Props {
  /** "Logo", "Photo". */
  label: string;
  /** Where the stored image is; null when there is none. */
  url: string | null;
  /** `logos/organizations/{id}`, `avatars/me` and the like. */
  uploadTo: string;
  /** Shows the image that is kept, or what stands in its place. */
  preview: (url: string | null) => ReactNode;
  /** Why it cannot be changed; undefined when it can. */
  refusal?: string | undefined;
  /** After an upload or a removal: fetches whatever shows the image. */
  onChanged: () => Promise<unknown>;
}

/** An image that is stored at once when it is chosen: it shows what is kept, and what was chosen while it is on its way. */
export function ImageField({ label, url, uploadTo, preview, refusal, onChanged }: Props) {
  const action = useAction();
  const [chosen, setChosen] = useState<string>();
  const upload = async (file: File) => {
    await action.run(async () => {
      setChosen(await readImage(file));
      await uploadImage(uploadTo, file);
      await onChanged();
    });
    setChosen(undefined);
  };
  const remove = () =>
    action.run(async () => {
      if (url === null) return;
      await removeImage(url);
      await onChanged();
    });
  return (
    <ImageChoice
      label={label}
      preview={preview(chosen ?? url)}
      hasImage={url !== null}
      pending={action.pending}
      error={action.error}
      refusal={refusal}
      onChoose={(file) => void upload(file)}
      onRemove={() => void remove()}
    />
  );
}
