import type { ReactNode } from 'react';
import { Header } from 'react-aria-components/Header';
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection,
  MenuTrigger,
} from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';
import { Kbd } from './kbd.tsx';
import classes from './menu.module.css';

/** An entry of a menu: it follows a link or runs an action. */
export interface MenuEntry {
  readonly id: string;
  readonly title: string;
  /** A second line in grey. */
  readonly description?: string;
  readonly icon?: IconName;
  readonly href?: string;
  readonly onAction?: () => void;
  /** Shown with a check mark. */
  readonly isCurrent?: boolean;
  /** Keys that do the same, such as `Mod+K`. */
  readonly keys?: string;
  readonly isDisabled?: boolean;
  /** Disables the entry, and is shown instead of the description. */
  readonly disabledReason?: string | undefined;
  /** True if the action deletes something. */
  readonly isDestructive?: boolean;
}

/** Entries with a heading, or without one. */
export interface MenuGroup {
  readonly title?: string;
  readonly entries: readonly MenuEntry[];
}

interface MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactNode;
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  readonly placement?: 'bottom start' | 'bottom end' | 'top start';
  /** Called when it opens. */
  readonly onOpen?: () => void;
}

/** A button with a menu. */
export function Menu({ trigger, label, groups, placement = 'bottom end', onOpen }: MenuProps) {
  return (
    <MenuTrigger
      onOpenChange={(isOpen) => {
        if (isOpen) onOpen?.();
      }}
    >
      {trigger}
      <Popover className={classes.popover ?? ''} placement={placement} offset={6}>
        <AriaMenu className={classes.menu ?? ''} aria-label={label}>
          {groups.map(({ title, entries }) => (
            <MenuSection
              key={title ?? entries[0]?.id ?? ''}
              className={classes.section ?? ''}
              aria-label={title ?? label}
            >
              {title === undefined ? null : <Header className={classes.heading ?? ''}>{title}</Header>}
              {entries.map((entry) => (
                <Entry key={entry.id} {...entry} />
              ))}
            </MenuSection>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function Entry({
  id,
  title,
  description,
  icon,
  href,
  onAction,
  isCurrent,
  keys,
  isDisabled = false,
  disabledReason,
  isDestructive,
}: MenuEntry) {
  const note = disabledReason ?? description;
  return (
    <AriaMenuItem
      id={id}
      textValue={title}
      className={classes.item ?? ''}
      isDisabled={isDisabled || disabledReason !== undefined}
      data-destructive={isDestructive || undefined}
      {...(href === undefined ? {} : { href })}
      {...(onAction === undefined ? {} : { onAction })}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      <span className={classes.text}>
        <span>{title}</span>
        {note === undefined ? null : <span className={classes.description}>{note}</span>}
      </span>
      {keys === undefined ? null : <Kbd keys={keys} />}
      {isCurrent ? <Icon name="check" className={classes.check} /> : null}
    </AriaMenuItem>
  );
}
