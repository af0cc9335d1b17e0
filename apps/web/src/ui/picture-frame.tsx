import { IconMail } from '@tabler/icons-react';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { emailPolicy, mailDocument } from './mail-document.ts';
import classes from './picture-frame.module.css';

/** Layout width of emails in px: the frame has this width and is scaled down. */
const emailWidth = 640;

export interface PictureSize {
  /** In px. */
  width: number;
  height: number;
}

interface Props extends PictureSize {
  /** Undefined or null: an empty placeholder, which is there from the start. */
  html?: string | null | undefined;
  /** Shows the email from its top. Default: from its headline, because the tops of a brand's emails look the same. */
  isWhole?: boolean;
}

/**
 * A thumbnail of an email, in a frame without scripts, forms, links or focus. It adds nothing to the text beside it, so it is
 * hidden from screen readers.
 */
export function PictureFrame({ html, isWhole = false, width, height }: Props) {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  useLayoutEffect(() => {
    if (typeof html === 'string' && frame.current)
      frame.current.srcdoc = emailPolicy.createHTML(
        mailDocument(html, isWhole ? undefined : cropToHeadline) + noScrollbars,
      );
  }, [html, isWhole]);
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

/** The smallest font size of headlines, in px. */
const headlineSize = 22;

/** Removes what comes before the headline of an email; without one, nothing. */
function cropToHeadline({ body }: Document): void {
  const isHeadline = (element: HTMLElement) =>
    element.localName === 'h1' || Number.parseFloat(element.style.fontSize) >= headlineSize;
  const headline = [...body.querySelectorAll<HTMLElement>('h1, [style*="font-size"]')].find(
    (element) => isHeadline(element) && element.textContent.trim() !== '',
  );
  for (let part: Element | null = headline ?? null; part !== null && part !== body; part = part.parentElement)
    while (part.previousElementSibling) part.previousElementSibling.remove();
}

const noScrollbars = '<style>html{overflow:hidden}</style>';
