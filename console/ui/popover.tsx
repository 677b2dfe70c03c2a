import { type ReactNode, useContext } from 'react';
import { DialogTrigger, OverlayTriggerStateContext } from 'react-aria-components/Dialog';
import { Popover as AriaPopover } from 'react-aria-components/Popover';
import classes from './popover.module.css';

interface PopoverProps {
  /** The button that opens it and names it. */
  readonly trigger: ReactNode;
  readonly placement?: 'bottom start' | 'bottom end' | 'top start';
  /** The content touches the border, as lists do. */
  readonly isFlush?: boolean;
  readonly children: ReactNode | ((popover: { readonly close: () => void }) => ReactNode);
}

/** Content beside its button, such as a filter or an explanation. For actions use a {@link Menu}. */
export function Popover({ trigger, placement = 'bottom start', isFlush = false, children }: PopoverProps) {
  return (
    <DialogTrigger>
      {trigger}
      <AriaPopover
        className={classes.popover ?? ''}
        placement={placement}
        offset={6}
        data-flush={isFlush || undefined}
      >
        <Content>{children}</Content>
      </AriaPopover>
    </DialogTrigger>
  );
}

function Content({ children }: Pick<PopoverProps, 'children'>) {
  const state = useContext(OverlayTriggerStateContext);
  return (
    <div className={classes.content}>
      {typeof children === 'function' ? children({ close: () => state?.close() }) : children}
    </div>
  );
}
