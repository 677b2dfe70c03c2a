import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { Kbd } from './kbd.tsx';
import classes from './tooltip.module.css';

interface TooltipProps {
  readonly text: string;
  /** Keys that do the same, such as `Mod+K`. */
  readonly keys?: string | undefined;
  readonly placement?: 'top' | 'bottom' | 'left' | 'right' | 'start' | 'end';
  /** Set if a press shows the tooltip, too. Usually a press hides it. */
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  /** The control that shows the tooltip on hover and focus. */
  readonly children: ReactElement;
}

/** A short text about a control, on hover and focus. It adds to the control's name and never replaces it. */
export function Tooltip({ text, keys, placement = 'top', children, ...state }: TooltipProps) {
  return (
    <TooltipTrigger delay={400} closeDelay={80} shouldCloseOnPress={state.isOpen === undefined} {...state}>
      {children}
      <AriaTooltip className={classes.tooltip ?? ''} placement={placement} offset={6}>
        <span className={classes.text}>{text}</span>
        {keys === undefined ? null : <Kbd keys={keys} />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
