import type { ReactNode } from 'react';
import type { Tone } from './badge.tsx';
import classes from './banner.module.css';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import type { IconName } from './icon-names.ts';
import { uiTexts } from './texts.ts';

const ICONS: Readonly<Record<Tone, IconName>> = {
  neutral: 'info',
  info: 'info',
  success: 'circle-check',
  warning: 'triangle-alert',
  danger: 'circle-alert',
};

interface BannerProps {
  readonly tone?: Tone;
  readonly title?: string;
  readonly children?: ReactNode;
  /** A small button or a link. */
  readonly action?: ReactNode;
  readonly onDismiss?: () => void;
  /** Announces a notice that appears after the page has loaded. */
  readonly isLive?: boolean;
}

/** A notice about the content of the page. For the result of an action use {@link toasts}. */
export function Banner({ tone = 'info', title, children, action, onDismiss, isLive = false }: BannerProps) {
  const role = tone === 'danger' ? 'alert' : 'status';
  return (
    <div className={classes.banner} data-tone={tone} {...(isLive ? { role } : {})}>
      <Icon name={ICONS[tone]} className={classes.icon} />
      <div className={classes.content}>
        <div className={classes.words}>
          {title === undefined ? null : <p className={classes.title}>{title}</p>}
          {children === undefined ? null : <div className={classes.text}>{children}</div>}
        </div>
        {action === undefined ? null : <div className={classes.action}>{action}</div>}
      </div>
      {onDismiss === undefined ? null : (
        <div className={classes.dismiss}>
          <IconButton icon="x" size="small" label={uiTexts.translate('banner.dismiss')} onPress={onDismiss} />
        </div>
      )}
    </div>
  );
}
