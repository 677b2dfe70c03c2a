import { useLocation } from '@tanstack/react-router';
import { useMembership } from '../session/session-context.tsx';
import { activeLocale } from '../texts/texts.ts';
import { navigationOf } from './navigation.ts';
import { shellTexts } from './texts.ts';
import classes from './top-bar.module.css';

/** The group and the navigation entry of the current screen. */
export function Breadcrumb() {
  const membership = useMembership();
  const { pathname } = useLocation();
  const path = pathname.replace(/^\/t\/[^/]+\/?/, '');
  // The longest path wins: "settings/members" is not an entry of "settings".
  const found = navigationOf(membership)
    .flatMap(({ name, entries }) => entries.map((entry) => ({ name, entry })))
    .filter(({ entry }) => path === entry.path || (entry.path !== '' && path.startsWith(`${entry.path}/`)))
    .sort((a, b) => b.entry.path.length - a.entry.path.length)[0];
  if (found === undefined) return <span className={classes.breadcrumb} />;
  return (
    <span className={classes.breadcrumb}>
      <span className={classes.parent}>{shellTexts.translate(`group.${found.name}`)}</span>
      <span aria-hidden="true" className={classes.slash}>
        /
      </span>
      <span>{found.entry.title[activeLocale()]}</span>
    </span>
  );
}
