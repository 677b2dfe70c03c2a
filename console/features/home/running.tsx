import type { schemas } from '../../../sdk/src/index.ts';
import { operationName } from '../../operations/operation-name.ts';
import { formatNumber } from '../../texts/formats.ts';
import { Card } from '../../ui/card.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './running.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

/** Work that runs now, with its progress. */
export function Running({ items }: { readonly items: readonly schemas.RunningItem[] }) {
  if (items.length === 0) return null;
  return (
    <Section title={translate('running')}>
      <Card isFlush>
        <ul>
          {items.map((item) => (
            <RunningRow key={item.id} item={item} />
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function RunningRow({ item }: { readonly item: schemas.RunningItem }) {
  const { done, total, started_at } = item;
  const label = operationName(item);
  return (
    <li className={classes.item}>
      {total === null || total === 0 ? (
        <span className={classes.name}>{label}</span>
      ) : (
        <ProgressBar
          label={label}
          value={done}
          maxValue={total}
          valueText={translate('running.progress', { done: formatNumber(done), total: formatNumber(total) })}
        />
      )}
      <span className={classes.since}>
        <RelativeTime value={started_at} />
      </span>
    </li>
  );
}
