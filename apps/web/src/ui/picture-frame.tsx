import { IconMail } from '@tabler/icons-react';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { emailPolicy, mailDocument } from './mail-document.ts';
import classes from './picture-frame.module.css';

/** What emails are made for, in px: the picture is this wide, made smaller. */
const emailWidth = 640;

export interface PictureSize {
  /** In px. */
  width: number;
  height: number;
}

interface Props extends PictureSize {
  /** Undefined or null: the place of a picture, which is there from the start. */
  html?: string | null | undefined;
}

/**
 * An email as a small picture: its upper part in a frame without scripts, forms, links or focus. It says nothing that the
 * words beside it do not say, so screen readers pass it by.
 */
export function PictureFrame({ html, width, height }: Props) {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  useLayoutEffect(() => {
    if (typeof html === 'string' && frame.current)
      frame.current.srcdoc = emailPolicy.createHTML(mailDocument(html) + noScrollbars);
  }, [html]);
  if (typeof html !== 'string')
    return (
      <span className={`${classes.plate} ${classes.empty}`} style={{ width, height }} aria-hidden>
        <IconMail size={Math.min(18, height / 2)} stroke={1.5} />
      </span>
    );
  const scale = width / emailWidth;
  return (
    <span className={classes.plate} style={{ width, height }} aria-hidden inert>
      <iframe
        ref={frame}
        title={t('emailPicture')}
        sandbox=""
        tabIndex={-1}
        className={classes.frame}
        style={{ width: emailWidth, height: height / scale, transform: `scale(${scale})` }}
      />
    </span>
  );
}

const noScrollbars = '<style>html{overflow:hidden}</style>';
