import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { describeFault } from './describe-fault.ts';
import type { FieldTitles } from './field-titles.ts';
import classes from './filter-bar.module.css';
import type { FilterState } from './filter-state.ts';
import { parseFilter, printFilter } from './filter-text.ts';
import { filterTexts } from './texts.ts';

const { translate } = filterTexts;

interface FilterTextFieldProps {
  readonly table: FilterState;
  readonly titles: FieldTitles;
  readonly onClose: () => void;
}

/** All conditions as text. Enter applies it, if it has no fault. */
export function FilterTextField({ table, titles, onClose }: FilterTextFieldProps) {
  const { filters, conditions, change } = table;
  const [text, setText] = useState(() => printFilter(conditions, filters));
  const [error, setError] = useState<string | null>(null);
  const apply = () => {
    const { conditions: read, faults } = parseFilter(text, filters);
    const [fault] = faults;
    if (fault !== undefined) return setError(describeFault(fault, titles));
    const printed = printFilter(read, filters);
    change({ filter: printed === '' ? undefined : printed });
    onClose();
  };
  return (
    // No form of its own: it can be part of one.
    <div className={classes.text}>
      <div className={classes.line}>
        <TextField
          label={translate('text')}
          isLabelHidden
          isMono
          autoFocus
          spellCheck="false"
          placeholder={translate('text.example', { field: Object.keys(filters.fields)[0] ?? '' })}
          value={text}
          onChange={(next) => {
            setText(next);
            setError(null);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onClose();
            if (event.key !== 'Enter') return;
            event.preventDefault();
            apply();
          }}
          error={error}
        />
        <Button variant="primary" onPress={apply}>
          {translate('apply')}
        </Button>
        <Button variant="quiet" onPress={onClose}>
          {translate('as-chips')}
        </Button>
      </div>
    </div>
  );
}
