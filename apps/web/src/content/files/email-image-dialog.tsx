import { Alert, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDirectus } from '#web/content/collections/use-directus.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { hasFiles } from './file-queries.ts';
import { ImageAdjustment, type AltText, type InsertedImage } from './image-adjustment.tsx';
import { ImageLibrary } from './image-library.tsx';
import { ofDevice, ofLibrary, type ImageSource } from './image-source.ts';
import classes from './files.module.css';

interface Props {
  /** The brand that the email is sent from. */
  brandId: string | undefined;
  /** The current alternative text. */
  alt: string;
  /** An image to begin with, such as one that was dropped into the editor. */
  file?: File | undefined;
  onChoose: (image: InsertedImage) => void;
  onClose: () => void;
}

/** Chooses or uploads an image for an email, crops it, and asks for its alternative text. Mount it to open it. */
export default function EmailImageDialog({ onClose, ...props }: Props) {
  const { t } = useTranslation('files');
  const scope = useOrganization();
  return (
    <Dialog
      onClose={onClose}
      size="xl"
      title={t('emailImage.title')}
      // A click beside it would lose the crop and the text.
      closeOnClickOutside={false}
    >
      {hasFiles(scope) ? <Steps {...props} /> : <QuietText>{t('image.denied')}</QuietText>}
    </Dialog>
  );
}

function Steps({ brandId, alt, file, onChoose }: Omit<Props, 'onClose'>) {
  const { t } = useTranslation('files');
  const { orgId, can } = useOrganization();
  const isDirectus = useDirectus();
  const steps = useRef<HTMLDivElement>(null);
  const [source, setSource] = useState<ImageSource>();
  // It stays while another image is chosen.
  const [text, setText] = useState<AltText>({ alt, isDecorative: false });
  const [isAwaited, setAwaited] = useState(file !== undefined);
  const { mutate: read, ...reading } = useMutation({
    mutationFn: ofDevice,
    meta: { refreshes: false },
    onSuccess: setSource,
    onSettled: () => setAwaited(false),
  });
  const isUploadable = !isDirectus && can('create', 'Content', {});
  useEffect(() => {
    if (file !== undefined && isUploadable) read(file);
  }, [file, isUploadable, read]);
  const isOver = useReceivedImage((received) => {
    if (isUploadable) read(received);
  });
  return (
    <Stack gap="md" className={classes.steps} ref={steps} tabIndex={-1}>
      {isDirectus && <Alert color="yellow">{t('emailImage.directus')}</Alert>}
      <ActionError error={reading.error} />
      {source === undefined && !(isAwaited && isUploadable) && (
        <ImageLibrary
          brandId={isDirectus ? undefined : brandId}
          {...(isUploadable ? { onUpload: read } : {})}
          onChoose={(chosen) => setSource(ofLibrary(orgId, chosen))}
        />
      )}
      {source && (
        <ImageAdjustment
          key={source.key}
          source={source}
          brandId={brandId}
          text={text}
          onText={setText}
          onInsert={onChoose}
          onBack={() => {
            reading.reset();
            setSource(undefined);
            steps.current?.focus();
          }}
        />
      )}
      {isOver && isUploadable && (
        <div className={classes.drop} role="status">
          {t('emailImage.drop')}
        </div>
      )}
    </Stack>
  );
}

/**
 * Receives a file that is dropped anywhere in the window, or an image that is pasted, before anything behind the dialog does.
 * @returns whether files are being dragged over the window
 */
function useReceivedImage(onFile: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false);
  const receive = useEffectEvent(onFile);
  useEffect(() => {
    const listeners = new AbortController();
    const options = { capture: true, signal: listeners.signal };
    const take = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    const paste = (event: ClipboardEvent) => {
      const { clipboardData: data } = event;
      // Some programs add a picture of the text that they copy.
      const isText = isInput(event.target) && data?.types.includes('text/plain') === true;
      const image = [...(data?.files ?? [])].find(({ type }) => type.startsWith('image/'));
      if (image === undefined || isText) return;
      take(event);
      receive(image);
    };
    const drag = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      take(event);
      event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      take(event);
      receive(file);
    };
    document.addEventListener('paste', paste, options);
    document.addEventListener('dragover', drag, options);
    document.addEventListener('dragleave', leave, options);
    document.addEventListener('drop', drop, options);
    return () => listeners.abort();
  }, []);
  return isOver;
}

const isInput = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
