import { type ReactNode, useState } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import classes from './button.module.css';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';
import { Spinner } from './spinner.tsx';
import { Tooltip } from './tooltip.tsx';

/**
 * Prominence of a button. A view has at most one primary button. `danger` confirms what cannot be undone; a button that
 * only leads to that question is `quiet-danger`.
 */
export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'quiet-danger';

/** Height of a button: 32 or 28 px. */
export type ButtonSize = 'medium' | 'small';

interface ButtonProps extends Pick<AriaButtonProps, 'onPress' | 'type' | 'form' | 'autoFocus' | 'slot'> {
  /** A verb and its object, such as "Create form". */
  readonly children: ReactNode;
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  readonly icon?: IconName | undefined;
  /** Keys that do the same, shown in a tooltip. */
  readonly keys?: string;
  /** The action is running: the button keeps its place and the focus, and cannot be pressed. */
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  /** Disables the button, but leaves it focusable: hover, focus and a press show this reason. */
  readonly disabledReason?: string | undefined;
  /** Takes the whole width. */
  readonly isWide?: boolean;
}

/** A button that runs an action. Use {@link LinkButton} to open a screen. */
export function Button(props: ButtonProps) {
  const { disabledReason, keys, children } = props;
  if (disabledReason !== undefined) return <RefusedButton {...props} disabledReason={disabledReason} />;
  if (keys !== undefined && typeof children === 'string')
    return (
      <Tooltip text={children} keys={keys}>
        <PlainButton {...props} />
      </Tooltip>
    );
  return <PlainButton {...props} />;
}

/** A press shows the reason as well, because touch screens have neither hover nor a visible focus. */
function RefusedButton(props: ButtonProps & { readonly disabledReason: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <Tooltip text={props.disabledReason} isOpen={isShown} onOpenChange={setShown}>
      <PlainButton {...props} onPress={() => setShown(true)} />
    </Tooltip>
  );
}

function PlainButton({
  children,
  variant = 'secondary',
  size = 'medium',
  icon,
  isWide,
  isPending = false,
  disabledReason,
  keys: _keys,
  onPress,
  ...props
}: ButtonProps) {
  const isRefused = disabledReason !== undefined;
  return (
    <AriaButton
      {...props}
      {...(onPress === undefined ? {} : { onPress })}
      {...(isRefused ? { type: 'button', render: (dom) => <button {...dom} aria-disabled="true" /> } : {})}
      className={classes.button ?? ''}
      isPending={isPending}
      data-variant={variant}
      data-size={size}
      data-wide={isWide || undefined}
      data-refused={isRefused || undefined}
    >
      <span className={classes.content}>
        {icon === undefined ? null : <Icon name={icon} />}
        <span className={classes.text}>{children}</span>
      </span>
      {isPending ? (
        <span className={classes.pending}>
          <Spinner />
        </span>
      ) : null}
    </AriaButton>
  );
}
