import type { ReactNode } from 'react';
import { Link } from 'react-aria-components/Link';
import classes from './button.module.css';
import type { ButtonSize, ButtonVariant } from './button.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

interface LinkButtonProps {
  /** A path of the console, or a URL. */
  readonly href: string;
  readonly children: ReactNode;
  readonly variant?: Exclude<ButtonVariant, 'danger' | 'quiet-danger'>;
  readonly size?: ButtonSize;
  readonly icon?: IconName;
}

/** A link that looks like a button: it opens a screen. */
export function LinkButton({
  href,
  children,
  variant = 'secondary',
  size = 'medium',
  icon,
}: LinkButtonProps) {
  return (
    <Link className={classes.button ?? ''} href={href} data-variant={variant} data-size={size}>
      <span className={classes.content}>
        {icon === undefined ? null : <Icon name={icon} />}
        <span className={classes.text}>{children}</span>
      </span>
    </Link>
  );
}
