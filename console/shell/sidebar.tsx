import { Link } from '@tanstack/react-router';
import { useMembership } from '../session/session-context.tsx';
import { activeLocale } from '../texts/texts.ts';
import { Icon } from '../ui/icon.tsx';
import { navigationOf } from './navigation.ts';
import classes from './sidebar.module.css';
import { TenantSwitch } from './tenant-switch.tsx';
import { shellTexts } from './texts.ts';
import { usePlace } from './use-place.ts';

const { translate } = shellTexts;

interface SidebarProps {
  /** True if only the icons are shown. */
  readonly isNarrow: boolean;
  readonly onToggle: () => void;
}

/** The navigation of a tenant, on screens of 768 px and more. */
export function Sidebar({ isNarrow, onToggle }: SidebarProps) {
  return (
    <nav className={classes.sidebar} aria-label={translate('navigation')} data-narrow={isNarrow || undefined}>
      <TenantSwitch isNarrow={isNarrow} />
      <div className={classes.navigation}>
        <NavigationLinks />
      </div>
      <button
        type="button"
        className={classes.toggle}
        onClick={onToggle}
        aria-label={translate(isNarrow ? 'expand' : 'collapse')}
        aria-expanded={!isNarrow}
      >
        <Icon name="panel-left" />
      </button>
    </nav>
  );
}

/** The links of the navigation, by group. */
export function NavigationLinks({ onFollow }: { readonly onFollow?: () => void }) {
  const membership = useMembership();
  const locale = activeLocale();
  // Screens below an entry belong to it, unless they have an entry of their own.
  const current = usePlace()?.entry.path;
  return navigationOf(membership).map(({ name, entries }) => (
    <section key={name} className={classes.group} aria-labelledby={`navigation-${name}`}>
      <h2 id={`navigation-${name}`} className={classes.heading}>
        {translate(`group.${name}`)}
      </h2>
      <ul>
        {entries.map(({ path, icon, title }) => (
          <li key={path}>
            <Link
              to={path === '' ? '/t/$tenant' : `/t/$tenant/${path}`}
              params={{ tenant: membership.tenant_code }}
              activeOptions={{ exact: path !== current, includeSearch: false }}
              className={classes.link}
              title={title[locale]}
              {...(onFollow === undefined ? {} : { onClick: onFollow })}
            >
              <Icon name={icon} />
              <span className={classes.text}>{title[locale]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  ));
}
