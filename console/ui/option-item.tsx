import { ListBoxItem } from 'react-aria-components/ListBox';
import { Icon } from './icon.tsx';
import type { Option } from './option.ts';
import classes from './option-item.module.css';

/** An option in the list of a {@link Select} or {@link ComboBox}. */
export function OptionItem({ id, title, description, icon, isDisabled = false }: Option) {
  return (
    <ListBoxItem id={id} textValue={title} isDisabled={isDisabled} className={classes.item ?? ''}>
      {icon === undefined ? null : <Icon name={icon} />}
      <span className={classes.text}>
        <span>{title}</span>
        {description === undefined ? null : <span className={classes.description}>{description}</span>}
      </span>
      <Icon name="check" className={classes.check} />
    </ListBoxItem>
  );
}
