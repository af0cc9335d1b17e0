import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { tagsInput } from './form.tsx';

interface GuardedClose {
  /** For Escape, Cancel, the close button and a click beside the form: closes at once, or asks. */
  close: () => void;
  /** The question, to be shown inside of the form's dialog. */
  question: ReactNode;
  /** False while the question is open: Escape is for the question then. */
  closeOnEscape: boolean;
}

/** A form in a dialog that is left without being sent: what was typed is thrown away only by those who say so. */
export function useGuardedClose(isDirty: () => boolean, onClose: () => void): GuardedClose {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const close = () => {
    // What is still being typed counts, too: lists of tags take it when they are left.
    const field = document.activeElement;
    if (field instanceof HTMLInputElement && field.closest(tagsInput)) {
      field.blur();
      field.focus();
    }
    if (isDirty()) setAsking(true);
    else onClose();
  };
  const question = isAsking && (
    <ConfirmDialog
      title={t('unsaved.title')}
      confirmLabel={t('unsaved.discard')}
      cancelLabel={t('unsaved.stay')}
      onConfirm={() => Promise.resolve(onClose())}
      onClose={() => setAsking(false)}
    >
      {t('unsaved.form')}
    </ConfirmDialog>
  );
  return { close, question, closeOnEscape: !isAsking };
}
