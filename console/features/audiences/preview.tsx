import { useEffect, useState } from 'react';
import { TesseraError } from '../../../sdk/src/index.ts';
import type { ApiFilters } from '../../filters/api-filters.ts';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { formatNumber } from '../../texts/formats.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { withoutEmptyItems } from './audience-filters.ts';
import classes from './preview.module.css';
import { texts } from './texts.ts';

const { translate } = texts;
/** Time without a change before the server counts, in ms. */
const DELAY_MS = 300;

interface PreviewProps {
  readonly filters: ApiFilters;
  /** Unit of the audience; undefined for the usual one. */
  readonly unit: string | undefined;
}

/** How many people the conditions match, and some of them. Counted again after each change. */
export function Preview({ filters, unit }: PreviewProps) {
  const text = useSettled(JSON.stringify(withoutEmptyItems(filters)));
  const { data, error, isFetching } = useTenantQuery(
    ['audiences', 'preview', text, unit ?? null],
    (api, options) =>
      api.audiences.preview(
        { filters: JSON.parse(text), ...(unit === undefined ? {} : { business_unit: unit }) },
        options,
      ),
  );
  if (error !== null) return <p className={classes.error}>{messageOf(error)}</p>;
  if (data === undefined) return <Skeleton shape="rows" count={3} />;
  const { count, is_exact: isExact, sample } = data;
  const number = formatNumber(count);
  return (
    <section className={classes.preview} aria-label={translate('preview')} data-busy={isFetching}>
      <p className={classes.count} aria-live="polite">
        {translate(isExact ? 'preview.count' : 'preview.at-least', { count, number })}
      </p>
      {sample.length === 0 ? null : (
        <ul className={classes.sample}>
          {sample.map(({ id, first_name: first, last_name: last, email }) => (
            <li key={id} className={classes.person}>
              <span dir="auto">{`${first} ${last}`.trim()}</span>{' '}
              <span className={classes.email}>{email}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Returns a text once it has not changed for a moment; the first one at once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Returns why the server does not count, in its words. */
function messageOf(error: Error): string {
  if (!(error instanceof TesseraError)) return translate('preview.failed');
  const [issue] = error.issues;
  return issue === undefined ? error.message : `${issue.field}: ${issue.message}`;
}
