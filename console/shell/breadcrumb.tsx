import { activeLocale } from '../texts/texts.ts';
import { PlainLink } from '../ui/plain-link.tsx';
import { useTenantPath } from './tenant-path.ts';
import { shellTexts } from './texts.ts';
import classes from './top-bar.module.css';
import { usePlace } from './use-place.ts';

const { translate } = shellTexts;

/** The group and the navigation entry of the current screen. What is above the screen is a link, if it has one. */
export function Breadcrumb() {
  const place = usePlace();
  const pathOf = useTenantPath();
  if (place === undefined) return <span className={classes.breadcrumb} />;
  const { group, entry, isEntry } = place;
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
      {isEntry ? (
        <span aria-current="page">{entry.title[activeLocale()]}</span>
      ) : (
        <PlainLink className={classes.parent} href={pathOf(entry.path)}>
          {entry.title[activeLocale()]}
        </PlainLink>
      )}
    </nav>
  );
}
