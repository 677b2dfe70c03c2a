import { Link } from 'react-aria-components/Link';
import classes from './link-tabs.module.css';

interface LinkTabsProps {
  readonly label: string;
  /** The path of the screen that is shown. */
  readonly current: string;
  readonly tabs: readonly { readonly href: string; readonly title: string }[];
}

/** Tabs that are screens with URLs of their own. */
export function LinkTabs({ label, current, tabs }: LinkTabsProps) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map(({ href, title }) => (
        <Link
          key={href}
          href={href}
          className={classes.tab ?? ''}
          {...(href === current ? { 'aria-current': 'page' as const } : {})}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
