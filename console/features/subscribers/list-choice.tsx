import { useState } from 'react';
import { type FieldGroup, useField } from '../../forms/field-group.ts';
import { OptionFilter } from '../../forms/option-filter.tsx';
import { useLists } from '../../people/use-lists.ts';
import { LoadFailure } from '../../shell/load-failure.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { CheckboxGroup } from '../../ui/checkbox-group.tsx';
import type { FieldProps } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
/** Number of lists from which they can be searched. */
const MANY_LISTS = 10;

/** The lists of a subscriber. */
export function ListChoice({ form }: { readonly form: FieldGroup<{ lists: string[] }> }) {
  const { value = [], ...field } = useField(form, 'lists');
  return <ListCheckboxes {...field} isRequired={false} value={value} />;
}

interface ListCheckboxesProps extends Omit<FieldProps, 'label'> {
  /** Ids of the chosen lists. */
  readonly value: string[];
  readonly onChange: (value: string[]) => void;
}

/** A choice of lists by their names. */
export function ListCheckboxes(props: ListCheckboxesProps) {
  const { data: lists, error, refetch, isFetching } = useLists();
  const [search, setSearch] = useState('');
  if (lists === undefined)
    return error === null ? (
      <Skeleton shape="fields" count={1} />
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
    );
  const searched = search.trim().toLowerCase();
  const found = lists.filter(({ name }) => name.toLowerCase().includes(searched));
  return (
    <CheckboxGroup {...props} label={translate('lists')}>
      {lists.length < MANY_LISTS ? null : (
        <OptionFilter label={translate('lists.search')} value={search} onChange={setSearch} />
      )}
      {found.map(({ id, name }) => (
        <Checkbox key={id} value={id} label={name} />
      ))}
      {found.length > 0 ? null : <p>{translate(lists.length === 0 ? 'lists.none' : 'lists.no-match')}</p>}
    </CheckboxGroup>
  );
}
