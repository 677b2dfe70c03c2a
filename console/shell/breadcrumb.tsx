import { useLocation } from '@tanstack/react-router';
import { useMembership } from '../session/session-context.tsx';
import { activeLocale } from '../texts/texts.ts';
import { PlainLink } from '../ui/plain-link.tsx';
import { navigationOf } from './navigation.ts';
import { useTenantPath } from './tenant-path.ts';
import { shellTexts } from './texts.ts';
import classes from './top-bar.module.css';

const { translate } = shellTexts;

/** The group and the navigation entry of the current screen. What is above the screen is a link, if it has one. */
export function Breadcrumb() {
  const membership = useMembership();
  const { pathname } = useLocation();
  const pathOf = useTenantPath();
  const path = pathname.replace(/^\/t\/[^/]+\/?/, '');
  const groups = navigationOf(membership);
  // The longest path wins: "settings/members" is not an entry of "settings".
  const found = groups
    .flatMap((group) => group.entries.map((entry) => ({ group, entry })))
    .filter(({ entry }) => path === entry.path || (entry.path !== '' && path.startsWith(`${entry.path}/`)))
    .sort((a, b) => b.entry.path.length - a.entry.path.length)[0];
  if (found === undefined) return <span className={classes.breadcrumb} />;
  const { group, entry } = found;
  const parent = group.entries.find((each) => each.path === (group.name === 'overview' ? '' : group.name));
  const name = translate(`group.${group.name}`);
  return (
    <nav className={classes.breadcrumb} aria-label={translate('breadcrumb')}>
      {parent === undefined || parent === entry ? (
        <span className={classes.parent}>{name}</span>
      ) : (
        <PlainLink className={classes.parent} href={pathOf(parent.path)}>
          {name}
        </PlainLink>
      )}
      <span aria-hidden="true" className={classes.slash}>
        /
      </span>
      {path === entry.path ? (
        <span aria-current="page">{entry.title[activeLocale()]}</span>
      ) : (
        <PlainLink className={classes.parent} href={pathOf(entry.path)}>
          {entry.title[activeLocale()]}
        </PlainLink>
      )}
    </nav>
  );
}
