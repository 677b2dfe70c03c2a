import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';
import classes from './link-tabs.module.css';

/** A tab and what it shows. */
export interface TabEntry {
  readonly id: string;
  readonly title: string;
  readonly content: ReactNode;
  readonly isDisabled?: boolean;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly TabEntry[];
  /** Default: the first tab. */
  readonly selected?: string;
  readonly onSelect?: (id: string) => void;
}

/** Views within a part of a screen, such as a preview as HTML and as text. Screens use {@link LinkTabs}. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  return (
    <AriaTabs
      {...(selected === undefined ? {} : { selectedKey: selected })}
      onSelectionChange={(key) => onSelect?.(String(key))}
    >
      <TabList className={classes.tabs ?? ''} aria-label={label}>
        {tabs.map(({ id, title, isDisabled = false }) => (
          <Tab key={id} id={id} isDisabled={isDisabled} className={classes.tab ?? ''}>
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={classes.panel ?? ''}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
