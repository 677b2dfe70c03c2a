import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { SearchBox } from '../../filters/search-box.tsx';
import { kindTitle } from '../../kinds/kind-title.ts';
import { useMembership } from '../../session/session-context.tsx';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { LoadFailure } from '../../shell/load-failure.tsx';
import { useFoundRecordPath } from '../../shell/record-path.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { searchRoute } from './index.ts';
import classes from './search.module.css';
import { texts } from './texts.ts';

const { translate } = texts;
/** Results on the page: the maximum of the API. */
const MAX_RESULTS = 100;

/** Records of all kinds that match the text in the URL. */
export function Search() {
  const { q = '' } = searchRoute.useSearch();
  const navigate = useNavigate({ from: searchRoute.fullPath });
  return (
    <Page>
      <PageHeader title={translate('title')} description={translate('intro')} />
      <div className={classes.field}>
        <SearchBox
          label={translate('field')}
          value={q}
          onSearch={(text) => void navigate({ search: text === '' ? {} : { q: text }, replace: true })}
        />
      </div>
      {q.trim() === '' ? <EmptyState drawing="search" title={translate('empty')} /> : <Results text={q} />}
    </Page>
  );
}

function Results({ text }: { readonly text: string }) {
  const { data, error, refetch, isFetching, isPlaceholderData } = useTenantQuery(
    ['search', text, MAX_RESULTS],
    (api, options) => api.search.records({ query: text, limit: MAX_RESULTS }, options),
  );
  if (error !== null)
    return <LoadFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />;
  if (data === undefined) return <Skeleton shape="rows" count={4} />;
  const { results } = data;
  const kinds = Map.groupBy(results, ({ entity_type }) => entity_type);
  return (
    <>
      <p className={classes.count} role="status">
        {isPlaceholderData
          ? ''
          : results.length === 0
            ? translate('none', { text })
            : translate('count', { count: results.length })}
      </p>
      {results.length === 0 ? <EmptyState drawing="search" title={translate('empty')} /> : null}
      <div>
        {[...kinds].map(([kind, ofKind]) => (
          <Section key={kind} title={kindTitle(kind)}>
            <Card isFlush>
              <ul className={classes.results}>
                {ofKind.map((result) => (
                  <Result key={result.key} result={result} />
                ))}
              </ul>
            </Card>
          </Section>
        ))}
      </div>
    </>
  );
}

/** A record: a link to its screen or its history, if it has one. */
function Result({ result }: { readonly result: schemas.SearchResult }) {
  const { entity_type, key, title, subtitle, business_unit } = result;
  const href = useFoundRecordPath()(entity_type, key);
  const { units } = useMembership();
  const unit = units.length > 1 ? units.find(({ bu_id }) => bu_id === business_unit) : undefined;
  return (
    <li className={classes.result}>
      <div className={classes.words}>
        <p className={classes.title} dir="auto">
          {href === null ? title : <TextLink href={href}>{title}</TextLink>}
        </p>
        <p className={classes.details}>
          {[subtitle, unit?.name].filter((part) => typeof part === 'string' && part !== '').join(' · ')}
        </p>
      </div>
    </li>
  );
}
