import { useState } from 'react';
import { fullName } from '../../people/full-name.ts';
import { useApi } from '../../session/session-context.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import type { Option } from '../../ui/option.ts';
import { texts } from './texts.ts';

const { translate } = texts;
const MAX_OPTIONS = 20;

/** A choice of a subscriber, found by name or address. `onChange` gets the id, or null if nobody is chosen. */
export function SubscriberChoice({ onChange }: { readonly onChange: (id: string | null) => void }) {
  const api = useApi();
  const [chosen, setChosen] = useState<Option | null>(null);
  const search = async (text: string, signal: AbortSignal): Promise<readonly Option[]> => {
    const body = { page: 1, limit: MAX_OPTIONS, filters: {}, count: false };
    const { results } = await api.subscribers.list(text === '' ? body : { ...body, search: text }, {
      signal,
    });
    return results.map((each) => ({ id: each.id, title: each.email, description: fullName(each) }));
  };
  return (
    <ComboBox
      label={translate('why.subscriber')}
      value={chosen}
      search={search}
      onChange={(option) => {
        setChosen(option);
        onChange(option?.id ?? null);
      }}
    />
  );
}
