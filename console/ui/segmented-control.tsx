import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { Icon } from './icon.tsx';
import type { Option } from './option.ts';
import classes from './segmented-control.module.css';

interface SegmentedControlProps<Id extends string> {
  /** Name for screen readers. */
  readonly label: string;
  /** Two to five options with short titles. */
  readonly options: readonly Option<Id>[];
  readonly value: Id;
  readonly onChange: (value: Id) => void;
  /** Shows icons only. */
  readonly isIconOnly?: boolean;
}

/** Switches between views of the same content, at once. */
export function SegmentedControl<Id extends string>(props: SegmentedControlProps<Id>) {
  const { label, options, value, onChange, isIconOnly = false } = props;
  return (
    <ToggleButtonGroup
      className={classes.group ?? ''}
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const option = options.find(({ id }) => keys.has(id));
        if (option !== undefined) onChange(option.id);
      }}
    >
      {options.map(({ id, title, icon, isDisabled = false }) => (
        <ToggleButton
          key={id}
          id={id}
          className={classes.segment ?? ''}
          isDisabled={isDisabled}
          {...(isIconOnly ? { 'aria-label': title } : {})}
        >
          {icon === undefined ? null : <Icon name={icon} />}
          {isIconOnly ? null : title}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
