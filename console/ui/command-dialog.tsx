import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import classes from './command-dialog.module.css';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

/** A command of the dialog. */
export interface DialogCommand {
  readonly id: string;
  readonly title: string;
  /** Further facts beside the title. */
  readonly detail?: string;
  readonly icon: IconName;
  /** The title and further words that find the command. */
  readonly keywords: string;
  readonly run: () => void;
}

/** Commands under one heading. */
export interface DialogSection {
  readonly title: string;
  readonly commands: readonly DialogCommand[];
}

interface CommandDialogProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly sections: readonly DialogSection[];
  /** Name of the dialog, and hint of its empty field. */
  readonly placeholder: string;
  readonly empty: string;
  /** Called with the text of the field. */
  readonly onTextChange?: (text: string) => void;
}

/** A dialog to find a command by its words and run it, by keyboard alone. */
export function CommandDialog({
  isOpen,
  onOpenChange,
  sections,
  placeholder,
  empty,
  onTextChange,
}: CommandDialogProps) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const matches = (text: string, query: string) => query.split(/\s+/).every((word) => contains(text, word));
  return (
    <ModalOverlay className={classes.overlay ?? ''} isOpen={isOpen} onOpenChange={onOpenChange} isDismissable>
      <Modal className={classes.modal ?? ''}>
        <Dialog className={classes.dialog ?? ''} aria-label={placeholder}>
          <Autocomplete
            filter={matches}
            {...(onTextChange === undefined ? {} : { onInputChange: onTextChange })}
          >
            <SearchField className={classes.field ?? ''} aria-label={placeholder} autoFocus>
              <Icon name="search" />
              <Input className={classes.input ?? ''} placeholder={placeholder} />
            </SearchField>
            <Menu
              className={classes.menu ?? ''}
              aria-label={placeholder}
              onAction={() => onOpenChange(false)}
              renderEmptyState={() => <p className={classes.empty}>{empty}</p>}
            >
              {sections.map((section) => (
                <CommandSection key={section.title} {...section} />
              ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function CommandSection({ title, commands }: DialogSection) {
  return (
    <MenuSection className={classes.section ?? ''}>
      <Header className={classes.heading ?? ''}>{title}</Header>
      {commands.map(({ id, title: text, detail, icon, keywords, run }) => (
        <MenuItem key={id} id={id} textValue={keywords} className={classes.item ?? ''} onAction={run}>
          <Icon name={icon} />
          <span className={classes.text}>{text}</span>
          {detail === undefined ? null : <span className={classes.detail}>{detail}</span>}
        </MenuItem>
      ))}
    </MenuSection>
  );
}
