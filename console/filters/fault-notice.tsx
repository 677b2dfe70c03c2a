import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { describeFault } from './describe-fault.ts';
import type { FieldTitles } from './field-titles.ts';
import { type FilterState, setConditions } from './filter-state.ts';
import { filterTexts } from './texts.ts';

const { translate } = filterTexts;

interface FaultNoticeProps {
  readonly table: FilterState;
  readonly titles: FieldTitles;
}

/** Says which parts of the filter in the URL do not apply. */
export function FaultNotice({ table, titles }: FaultNoticeProps) {
  const { filters: faults } = table.unknown;
  if (faults.length === 0) return null;
  return (
    <Banner
      tone="warning"
      title={translate('fault.title')}
      action={
        <Button size="small" onPress={() => setConditions(table, table.conditions)}>
          {translate('fault.remove')}
        </Button>
      }
    >
      {faults.map((fault) => describeFault(fault, titles)).join(' ')}
    </Banner>
  );
}
