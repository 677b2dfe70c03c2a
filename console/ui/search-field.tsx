import { Button } from 'react-aria-components/Button';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import { Icon } from './icon.tsx';
import classes from './input.module.css';
import { Kbd } from './kbd.tsx';
import searchClasses from './search-field.module.css';
import { uiTexts } from './texts.ts';

interface SearchFieldProps {
  /** Name and hint of the field, such as "Search forms". */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Runs with Enter. */
  readonly onSubmit?: (value: string) => void;
  /** Keys that focus the field. */
  readonly keys?: string;
}

/** A text to search for. Escape clears it. */
export function SearchField({ label, value, onChange, onSubmit, keys }: SearchFieldProps) {
  return (
    <AriaSearchField
      className={searchClasses.field ?? ''}
      aria-label={label}
      value={value}
      onChange={onChange}
      {...(onSubmit === undefined ? {} : { onSubmit })}
    >
      <Group className={classes.box ?? ''}>
        <span className={classes.prefix}>
          <Icon name="search" />
        </span>
        <Input className={classes.input ?? ''} placeholder={label} dir="auto" />
        {value === '' ? (
          keys === undefined ? null : (
            <span className={searchClasses.keys}>
              <Kbd keys={keys} />
            </span>
          )
        ) : (
          <Button className={classes.action ?? ''} aria-label={uiTexts.translate('search.clear')}>
            <Icon name="x" size={14} />
          </Button>
        )}
      </Group>
    </AriaSearchField>
  );
}
