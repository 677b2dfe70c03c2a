import { shellTexts } from '../shell/texts.ts';
import { ComboBox } from '../ui/combo-box.tsx';
import type { Option } from '../ui/option.ts';

interface ZoneFieldProps {
  readonly label: string;
  readonly help: string;
  /** Name of a zone such as `Europe/Berlin`; null: none is chosen. */
  readonly value: string | null;
  readonly onChange: (zone: string | null) => void;
  readonly error: string | undefined;
  readonly disabledReason?: string | undefined;
}

/** Chooses a time zone by a part of its name. */
export function ZoneField({ value, onChange, ...field }: ZoneFieldProps) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <ComboBox
      {...field}
      value={value === null ? null : toOption(value)}
      onChange={(option) => onChange(option?.id ?? null)}
      placeholder={shellTexts.translate('zone.browser', { zone: timeZone })}
      search={async (query) => findZones(query)}
    />
  );
}

function findZones(query: string): Option[] {
  const words = query.toLowerCase().split(/[\s/_]+/);
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  return zones.filter((zone) => words.every((word) => zone.toLowerCase().includes(word))).map(toOption);
}

function toOption(zone: string): Option {
  return { id: zone, title: zone.replaceAll('_', ' ') };
}
