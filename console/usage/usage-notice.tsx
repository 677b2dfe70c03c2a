import type { schemas } from '../../sdk/src/index.ts';
import { kindTitle } from '../kinds/kind-title.ts';
import { activeLocale } from '../texts/texts.ts';
import { Banner } from '../ui/banner.tsx';
import { usageTexts } from './texts.ts';

const { translate } = usageTexts;

/** Records that the notice names; it counts the others. */
const NAMED = 5;

/** Names the records that use another one, for the question before its deletion. Shows nothing if there are none. */
export function UsageNotice({ usage: { results } }: { readonly usage: schemas.Usage }) {
  const count = results.length;
  if (count === 0) return null;
  // Active records first: they are the ones that the deletion concerns now.
  const sorted = results.toSorted((one, other) => Number(other.is_active) - Number(one.is_active));
  const named = sorted
    .slice(0, NAMED)
    .map(({ entity_type, title, is_active }) =>
      translate(is_active ? 'item' : 'item.inactive', { kind: kindTitle(entity_type), title }),
    );
  const parts = count > NAMED ? [...named, translate('more', { count: count - NAMED })] : named;
  const list = new Intl.ListFormat(activeLocale(), { type: 'conjunction' }).format(parts);
  return (
    <Banner tone="warning" title={translate('notice', { count })}>
      {list}
    </Banner>
  );
}
