import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { useTranslation } from 'react-i18next';
import { channels } from './channels.ts';

export function ChannelIcon({ type }: { type: TouchpointType }) {
  const { t } = useTranslation();
  const { icon: Icon } = channels[type];
  return <Icon size={18} role="img" aria-label={t(`type.${type}`)} className="quiet-icon" />;
}
