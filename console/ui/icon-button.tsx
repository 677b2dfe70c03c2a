import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import classes from './button.module.css';
import type { ButtonSize, ButtonVariant } from './button.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';
import { Tooltip } from './tooltip.tsx';

interface IconButtonProps
  extends Pick<AriaButtonProps, 'onPress' | 'isDisabled' | 'isPending' | 'autoFocus' | 'slot'> {
  readonly icon: IconName;
  /** Name of the button, also its tooltip. */
  readonly label: string;
  readonly variant?: Exclude<ButtonVariant, 'danger' | 'quiet-danger'>;
  readonly size?: ButtonSize;
  /** Keys that do the same, shown in the tooltip. */
  readonly keys?: string;
}

/** A button with an icon alone, for actions that are known by it. */
export function IconButton({
  icon,
  label,
  variant = 'quiet',
  size = 'medium',
  keys,
  ...props
}: IconButtonProps) {
  return (
    <Tooltip text={label} keys={keys}>
      <AriaButton
        {...props}
        className={classes.button ?? ''}
        aria-label={label}
        data-variant={variant}
        data-size={size}
        data-icon-only
      >
        <span className={classes.content}>
          <Icon name={icon} />
        </span>
      </AriaButton>
    </Tooltip>
  );
}
