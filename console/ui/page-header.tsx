import { type ReactNode, useEffect } from 'react';
import { IconButton } from './icon-button.tsx';
import { Menu, type MenuGroup } from './menu.tsx';
import classes from './page-header.module.css';
import { uiTexts } from './texts.ts';

interface PageHeaderProps {
  readonly title: string;
  /** A {@link Badge}. */
  readonly status?: ReactNode;
  /** One line below the title. */
  readonly description?: ReactNode;
  /** At most two buttons, the primary one last. */
  readonly actions?: ReactNode;
  /** All other actions. */
  readonly menu?: readonly MenuGroup[];
}

/** The head of a screen: its only first-level heading, its status and its actions. */
export function PageHeader({ title, status, description, actions, menu }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Tessera`;
  }, [title]);
  const more = uiTexts.translate('actions.more');
  return (
    <header className={classes.header}>
      <div className={classes.words}>
        <div className={classes.line}>
          <h1 className={classes.title}>{title}</h1>
          {status}
        </div>
        {description === undefined ? null : <p className={classes.description}>{description}</p>}
      </div>
      {actions === undefined && menu === undefined ? null : (
        <div className={classes.actions}>
          {menu === undefined ? null : (
            <Menu label={more} groups={menu} trigger={<IconButton icon="ellipsis" label={more} />} />
          )}
          {actions}
        </div>
      )}
    </header>
  );
}
