import type { schemas } from '../../sdk/src/index.ts';
import { kindName } from '../operations/operation-name.ts';
import { Badge } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';
import { PlainLink } from '../ui/plain-link.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import classes from './attention-list.module.css';
import { useAttentionPath } from './attention-path.ts';
import { overviewTexts } from './texts.ts';

const { translate } = overviewTexts;
const TONES = { error: 'danger', warning: 'warning' } as const;

interface AttentionListProps {
  readonly overview: Pick<schemas.Overview, 'attention' | 'attention_total'>;
  /** In the popover of the bell, where there is little room. */
  readonly isCompact?: boolean;
}

/** Items that need attention: what is wrong, since when, and where it is fixed. */
export function AttentionList({ overview, isCompact = false }: AttentionListProps) {
  const { attention: items, attention_total: total } = overview;
  if (items.length === 0) return <NothingNeeded />;
  return (
    <>
      <ul className={classes.items} data-compact={isCompact || undefined}>
        {items.map((item) => (
          <AttentionRow key={`${item.entity_type} ${item.key}`} item={item} />
        ))}
      </ul>
      {total > items.length ? (
        <p className={classes.more}>{translate('more', { count: total - items.length })}</p>
      ) : null}
    </>
  );
}

function AttentionRow({ item }: { readonly item: schemas.AttentionItem }) {
  const { entity_type, severity, reason, count, since } = item;
  const title = entity_type === 'operation' ? kindName(item.title) : item.title;
  const path = useAttentionPath()(item);
  return (
    <li className={classes.item}>
      <span className={classes.severity}>
        <Badge tone={TONES[severity]}>{translate(`severity.${severity}`)}</Badge>
      </span>
      <div className={classes.words}>
        <p className={classes.name}>
          {path === null ? (
            <span className={classes.title}>{title}</span>
          ) : (
            <PlainLink className={`${classes.title} ${classes.link}`} href={path}>
              {title}
            </PlainLink>
          )}
          <span className={classes.type}>{translate(`type.${entity_type}`)}</span>
        </p>
        <p className={classes.reason}>{translate(`reason.${reason}`, { count: count ?? 0 })}</p>
      </div>
      <span className={classes.since}>
        <span className="visually-hidden">{translate('since')} </span>
        <RelativeTime value={since} />
      </span>
    </li>
  );
}

function NothingNeeded() {
  return (
    <div className={classes.empty}>
      <span className={classes.mark}>
        <Icon name="check" />
      </span>
      <div>
        <p className={classes.emptyTitle}>{translate('empty')}</p>
        <p className={classes.reason}>{translate('empty.text')}</p>
      </div>
    </div>
  );
}
