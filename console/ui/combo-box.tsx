import { useContext, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox as AriaComboBox, ComboBoxStateContext } from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { ListBox } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { useAsyncList } from 'react-aria-components/useAsyncList';
import { FieldLabel, FieldNotes, type FieldProps, fieldState } from './field.tsx';
import { Icon } from './icon.tsx';
import inputClasses from './input.module.css';
import type { Option } from './option.ts';
import listClasses from './option-item.module.css';
import { OptionItem } from './option-item.tsx';
import { Spinner } from './spinner.tsx';
import { uiTexts } from './texts.ts';

/** Time without a keystroke before a search starts, in ms. */
const SEARCH_DELAY_MS = 150;

interface ComboBoxProps extends FieldProps {
  readonly value: Option | null;
  readonly onChange: (value: Option | null) => void;
  /** Returns the options for a text, all or the first ones for ''. An error is shown in the list. */
  readonly search: (query: string, signal: AbortSignal) => Promise<readonly Option[]>;
  readonly placeholder?: string;
}

/** A choice between many options, found by typing. */
export function ComboBox(props: ComboBoxProps) {
  const { value, onChange, search, placeholder = '' } = props;
  const [text, setText] = useState(value?.title ?? '');
  // The list also loads when it is created, but nobody has asked for options by then.
  const isAsked = useRef(false);
  const list = useAsyncList<Option, string>({
    async load({ filterText = '', signal }) {
      if (!isAsked.current) return { items: [] };
      if (filterText !== '') await delay(signal);
      return { items: await search(filterText, signal) };
    },
  });
  const select = (key: unknown) => {
    // Leaving the field chooses the same option again, which may not be among those that were found.
    const option = key === value?.id ? value : (list.items.find(({ id }) => id === key) ?? null);
    if (option !== null) setText(option.title);
    onChange(option);
  };
  const find = (query: string) => {
    isAsked.current = true;
    list.setFilterText(query);
  };
  const type = (next: string) => {
    setText(next);
    if (next !== value?.title) find(next);
  };
  const { translate } = uiTexts;
  const emptyText = list.isLoading ? 'loading' : list.error === undefined ? 'combo.empty' : 'combo.error';
  return (
    <AriaComboBox
      {...fieldState(props)}
      items={list.items}
      value={value?.id ?? null}
      onChange={select}
      inputValue={text}
      onInputChange={type}
      onOpenChange={(isOpen, trigger) => isOpen && trigger !== 'input' && find('')}
      menuTrigger="input"
      allowsEmptyCollection
    >
      <CloseWhenLeft />
      <FieldLabel {...props} />
      <Group className={inputClasses.box ?? ''}>
        <Input className={inputClasses.input ?? ''} placeholder={placeholder} />
        {list.isLoading && text !== '' ? <Spinner size={14} /> : null}
        <Button className={inputClasses.action ?? ''}>
          <Icon name="chevrons-up-down" size={14} />
        </Button>
      </Group>
      <FieldNotes {...props} />
      <Popover className={listClasses.popover ?? ''} offset={4}>
        <ListBox<Option>
          className={listClasses.list ?? ''}
          renderEmptyState={() => <span>{translate(emptyText)}</span>}
        >
          {(option) => <OptionItem {...option} />}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}

/**
 * Closes the list of a field that has lost the focus. React Aria opens it once more when the field is left, because the
 * chosen option is not among those that were found, and misses it on slow devices.
 */
function CloseWhenLeft() {
  const state = useContext(ComboBoxStateContext);
  useEffect(() => {
    if (state?.isOpen && !state.isFocused) state.close();
  });
  return null;
}

function delay(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, SEARCH_DELAY_MS);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
