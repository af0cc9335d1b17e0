import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Receives a file that is dropped anywhere in the window, or an image that is pasted, before anything behind the dialog does.
 * @returns whether files are being dragged over the window
 */
export function useReceivedImage(onFile: (file: File) => void): boolean {
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
