import type { schemas } from '../../../sdk/src/index.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { formatNumber } from '../../texts/formats.ts';
import { PlainLink } from '../../ui/plain-link.tsx';
import { Section } from '../../ui/section.tsx';
import { DayBars } from './day-bars.tsx';
import { texts } from './texts.ts';
import classes from './today.module.css';

const { translate } = texts;

type Figures = schemas.Overview['today'];
type Figure = Figures[string];

/** The figures of the API that are shown, in their order, with the rows that they count. */
const FIGURES = [
  { name: 'sent_mails', path: null, filter: '' },
  { name: 'deliveries', path: 'connections/deliveries', filter: 'status is success' },
  { name: 'failed_deliveries', path: 'connections/deliveries', filter: 'status is failed' },
] as const;

/** Figures of today, each with the usual value at this time and the previous days as bars. */
export function Today({ figures }: { readonly figures: Figures }) {
  const shown = FIGURES.flatMap(({ name, ...target }) => {
    const figure = figures[name];
    return figure === undefined || isUnused(figure) ? [] : [{ name, figure, ...target }];
  });
  if (shown.length === 0) return null;
  const hasUsual = shown.some(({ figure }) => figure.usual.length > 0);
  return (
    <Section title={translate('day')} description={translate(hasUsual ? 'day.text' : 'day.first')}>
      <ul className={classes.figures}>
        {shown.map((each) => (
          <FigureCard key={each.name} {...each} />
        ))}
      </ul>
    </Section>
  );
}

/** True if nothing was counted, today or before: a tenant that sends no mail needs no figure of it. */
function isUnused({ value, usual }: Figure): boolean {
  return [value, ...usual].every((count) => count === 0);
}

interface FigureCardProps {
  readonly name: (typeof FIGURES)[number]['name'];
  readonly figure: Figure;
  /** Path of the rows that it counts; null if there is no screen for them. */
  readonly path: string | null;
  readonly filter: string;
}

function FigureCard({ name, figure: { value, usual }, path, filter }: FigureCardProps) {
  const pathOf = useTenantPath();
  const title = translate(`figure.${name}`);
  const oldestFirst = usual.toReversed();
  return (
    <li className={classes.figure}>
      {path === null ? (
        <span className={classes.name}>{title}</span>
      ) : (
        <PlainLink className={`${classes.name} ${classes.link}`} href={pathOf(path, { filter })}>
          {title}
        </PlainLink>
      )}
      <span className={classes.value}>{formatNumber(value)}</span>
      {usual.length === 0 ? null : (
        <>
          <DayBars values={[...oldestFirst, value]} />
          <span className={classes.usual}>
            {translate('usual', { value: formatNumber(medianOf(usual)) })}
            <span className="visually-hidden">
              {' '}
              {translate('usual.days', { values: oldestFirst.map((day) => formatNumber(day)).join(', ') })}
            </span>
          </span>
        </>
      )}
    </li>
  );
}

/** The median, which one unusual day does not move. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return Math.round(((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2);
}
