import { Box, Group, SegmentedControl, Switch } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile, IconTxt } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { emailPolicy, mailDocument, withoutImages } from './mail-document.ts';
import classes from './preview-frame.module.css';
import { FinePrint } from './text.ts';

type Device = 'phone' | 'desktop' | 'text';

interface Props {
  html: string;
  text: string;
  title: string;
  initial?: Device;
  /** Whether a newer version is being rendered. */
  busy?: boolean;
  /** Whether links open in a new tab, as for a received message. In a preview they are disabled. */
  followLinks?: boolean;
}

const widths = { phone: 375, desktop: 720 } as const;

/** Images keep their colors when the frame is inverted for dark mode. */
const keepPictures = '<style>img,video{filter:invert(1) hue-rotate(180deg)}</style>';

/** Only allows new tabs, outside the sandbox: linked pages need their scripts. */
const onlyLinks = 'allow-popups allow-popups-to-escape-sandbox';

/** Shows the email as a mail program might, sandboxed: no scripts, no forms, no navigation of the surrounding page. */
export function PreviewFrame({
  html,
  text,
  title,
  initial = 'desktop',
  busy = false,
  followLinks = false,
}: Props) {
  const { t } = useTranslation('templates');
  const [device, setDevice] = useState<Device>(initial);
  const [dark, setDark] = useState(false);
  const [hasImages, setImages] = useState(true);
  const frame = useRef<HTMLIFrameElement>(null);
  const isFrame = device !== 'text';
  const shown = mailDocument(html, hasImages ? undefined : withoutImages) + (dark ? keepPictures : '');
  // Links that only exist once the message is sent are disabled here and replaced by a description.
  const withNamedLinks = (plain: string) =>
    plain.replaceAll(
      /about:blank#(unsubscribe|preferences|view_in_browser)/g,
      (_, name: 'unsubscribe' | 'preferences' | 'view_in_browser') => `[${t(`preview.links.${name}`)}]`,
    );
  // React would turn the checked value into a string again.
  useLayoutEffect(() => {
    if (isFrame && frame.current) frame.current.srcdoc = emailPolicy.createHTML(shown);
  }, [isFrame, shown]);
  return (
    <div>
      <Group justify="space-between" mb="sm" gap="sm">
        <SegmentedControl
          aria-label={t('words.device')}
          value={device}
          onChange={(value) => setDevice(value)}
          data={[
            { value: 'phone', label: <Choice icon={IconDeviceMobile} text={t('preview.phone')} /> },
            { value: 'desktop', label: <Choice icon={IconDeviceDesktop} text={t('preview.desktop')} /> },
            { value: 'text', label: <Choice icon={IconTxt} text={t('words.text')} /> },
          ]}
        />
        <Group gap="md">
          <Switch
            label={t('preview.images')}
            checked={hasImages}
            disabled={!isFrame}
            onChange={(event) => setImages(event.currentTarget.checked)}
          />
          <Switch
            label={t('color.dark')}
            checked={dark}
            disabled={!isFrame}
            onChange={(event) => setDark(event.currentTarget.checked)}
          />
        </Group>
      </Group>
      <Box className={classes.plate} data-busy={busy}>
        {device === 'text' ? (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long texts scroll inside
          <pre className={classes.text} tabIndex={0} aria-label={t('words.text')}>
            {withNamedLinks(text)}
          </pre>
        ) : (
          <iframe
            ref={frame}
            title={title}
            sandbox={followLinks ? onlyLinks : ''}
            className={classes.frame}
            data-dark={dark}
            style={{ width: widths[device] }}
          />
        )}
      </Box>
      {dark && device !== 'text' && <FinePrint mt={4}>{t('preview.simulation')}</FinePrint>}
    </div>
  );
}

function Choice({ icon: ChoiceIcon, text }: { icon: typeof IconTxt; text: string }) {
  return (
    <Group component="span" display="inline-flex" gap={6} wrap="nowrap">
      <ChoiceIcon size={16} aria-hidden />
      {text}
    </Group>
  );
}
