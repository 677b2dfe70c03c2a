import { useId, useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { SERVER_URL } from '../../base-path.ts';
import { type FieldGroup, useField } from '../../forms/field-group.ts';
import { OptionFilter } from '../../forms/option-filter.tsx';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { LoadFailure } from '../../shell/load-failure.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { CheckboxGroup } from '../../ui/checkbox-group.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import classes from './change-choice.module.css';
import { CHANGES } from './record-webhook-draft.ts';
import { texts } from './texts.ts';

const { translate } = texts;
/** Number of entities from which they can be searched. */
const MANY_ENTITIES = 10;

/** The changes that are sent, for each entity. */
export function ChangeChoice({ form }: { readonly form: FieldGroup<schemas.EntityWebhookCreate> }) {
  const { value = [], ...field } = useField(form, 'events');
  const query = useTenantQuery(['entities'], (api, options) => api.entities.list(options));
  if (query.data === undefined)
    return query.error === null ? (
      <Skeleton shape="fields" count={2} />
    ) : (
      <LoadFailure error={query.error} onRetry={() => void query.refetch()} isRetrying={query.isFetching} />
    );
  const entities = query.data.results.toSorted((one, other) => titleOf(one).localeCompare(titleOf(other)));
  return (
    <CheckboxGroup {...field} label={translate('changes')} help={translate('changes.help')} value={value}>
      {entities.length === 0 ? <NoEntities /> : <EntityList entities={entities} />}
    </CheckboxGroup>
  );
}

function titleOf({ label, name }: schemas.Entity): string {
  return label ?? name;
}

function NoEntities() {
  return (
    <p>
      {translate('entities.empty')}.{' '}
      <TextLink href={`${SERVER_URL}/docs`} isExternal>
        {translate('entities.link')}
      </TextLink>
    </p>
  );
}

function EntityList({ entities }: { readonly entities: readonly schemas.Entity[] }) {
  const [search, setSearch] = useState('');
  const searched = search.trim().toLowerCase();
  const found = entities.filter((entity) =>
    `${entity.name} ${entity.label ?? ''}`.toLowerCase().includes(searched),
  );
  return (
    <>
      {entities.length < MANY_ENTITIES ? null : (
        <OptionFilter label={translate('changes.search')} value={search} onChange={setSearch} />
      )}
      {found.length === 0 ? (
        <p>{translate('changes.nothing')}</p>
      ) : (
        <ul className={classes.entities}>
          {found.map((entity) => (
            <li key={entity.name}>
              <EntityChanges name={entity.name} title={titleOf(entity)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function EntityChanges({ name, title }: { readonly name: string; readonly title: string }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in all browsers.
    <div role="group" aria-labelledby={id} className={classes.entity}>
      <span id={id} className={classes.title}>
        {title}
      </span>
      <div className={classes.changes}>
        {CHANGES.map((change) => (
          <Checkbox key={change} value={`${name}.${change}`} label={translate(`change.${change}`)} />
        ))}
      </div>
    </div>
  );
}
