import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { tagsInput } from './form.tsx';

interface GuardedClose {
  /** For Escape, Cancel, the close button and a click outside the form: closes at once, or asks. */
  close: () => void;
  /** The confirmation, rendered inside the form's dialog. */
  question: ReactNode;
  /** False while the confirmation is open, which then handles Escape. */
  closeOnEscape: boolean;
}

/** Guards a form in a dialog: closing it with unsaved input requires confirmation. */
export function useGuardedClose(isDirty: () => boolean, onClose: () => void): GuardedClose {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const close = () => {
    // Text still being typed counts, too: tags inputs add it on blur.
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
