import type { ApiFilters } from '../../filters/api-filters.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { Select } from '../../ui/select.tsx';
import classes from './condition-builder.module.css';
import { engagementOptions, readEngagement } from './engagement.ts';
import { texts } from './texts.ts';

const { translate } = texts;
const USUAL_DAYS = 90;
const MAX_DAYS = 3650;

interface EngagementFieldProps {
  readonly value: ApiFilters;
  readonly onChange: (value: ApiFilters) => void;
}

/** Chooses whether the people of an audience have opened or clicked mail lately. */
export function EngagementField({ value, onChange }: EngagementFieldProps) {
  const { engagement, ...others } = value;
  const read = readEngagement(engagement);
  return (
    <div className={classes.engagement}>
      <Select
        label={translate('engagement')}
        value={read?.rule ?? 'always'}
        options={engagementOptions()}
        onChange={(rule) =>
          onChange(
            rule === 'always' ? others : { ...others, engagement: { [rule]: read?.days ?? USUAL_DAYS } },
          )
        }
      />
      {read === null ? null : (
        <NumberField
          label={translate('engagement.days')}
          value={read.days}
          minValue={1}
          maxValue={MAX_DAYS}
          step={1}
          onChange={(days) =>
            onChange({ ...others, engagement: { [read.rule]: Number.isNaN(days) ? USUAL_DAYS : days } })
          }
        />
      )}
    </div>
  );
}
