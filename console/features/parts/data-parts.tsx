import { useState } from 'react';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import type { Column } from '../../ui/column.ts';
import { DateText } from '../../ui/date-text.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LinkTabs } from '../../ui/link-tabs.tsx';
import { Num } from '../../ui/num.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Person } from '../../ui/person.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SimpleTable } from '../../ui/simple-table.tsx';
import { SortableList } from '../../ui/sortable-list.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import classes from './data-parts.module.css';
import { LONG_TEXT } from './samples.ts';
import { Specimen } from './specimen.tsx';

/** Tables, facts, numbers and times. */
export function DataParts() {
  return (
    <>
      <Specimen name="SimpleTable, Pagination">
        <div className={classes.whole}>
          <Forms />
        </div>
      </Specimen>
      <Specimen name="Tabs, LinkTabs" isGrid>
        <Views />
      </Specimen>
      <Specimen name="ProgressBar, DescriptionList, Person" isGrid>
        <Facts />
      </Specimen>
      <Specimen name="SortableList" isGrid>
        <Order />
      </Specimen>
      <Specimen name="Num, RelativeTime, DateText">
        <Num value={1234567.5} />
        <Num value={0.254} format={{ style: 'percent', maximumFractionDigits: 1 }} />
        <Num value={null} />
        <RelativeTime value={ago(0)} />
        <RelativeTime value={ago(3)} />
        <RelativeTime value={ago(3 * 24 * 60)} />
        <DateText value="2026-11-09T08:00:00Z" />
        <DateText value="2024-02-29T08:00:00Z" parts="date" />
        <DateText value="2026-11-09T08:00:00Z" parts="time" />
      </Specimen>
    </>
  );
}

function Order() {
  const [names, setNames] = useState(['Product news', LONG_TEXT, 'Offers']);
  const move = (name: string, to: number) =>
    setNames(names.filter((each) => each !== name).toSpliced(to, 0, name));
  return [false, true].map((isDisabled) => (
    <Card key={String(isDisabled)} isFlush>
      <SortableList
        label="Names"
        items={names}
        keyOf={(name) => name}
        nameOf={(name) => name}
        onMove={move}
        isDisabled={isDisabled}
      >
        {(name) => <p className={classes.sortable}>{name}</p>}
      </SortableList>
    </Card>
  ));
}

/** Returns the time some minutes ago. */
function ago(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly status: readonly [Tone, string];
  readonly answers: number;
  readonly minutes: number;
}

const ROWS: readonly Row[] = [
  { id: 'a', name: 'Newsletter sign-up', status: ['success', 'Published'], answers: 41203, minutes: 3 },
  { id: 'b', name: 'Customer survey', status: ['warning', 'Closing'], answers: 1020, minutes: 95 },
  { id: 'c', name: LONG_TEXT, status: ['neutral', 'Draft'], answers: 0, minutes: 4000 },
  { id: 'd', name: 'Contact', status: ['danger', 'Failing'], answers: 87, minutes: 90_000 },
];

const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', title: 'Name', cell: ({ name }) => name },
  { id: 'status', title: 'Status', cell: ({ status: [tone, word] }) => <Badge tone={tone}>{word}</Badge> },
  { id: 'answers', title: 'Answers', isNumber: true, cell: ({ answers }) => <Num value={answers} /> },
  { id: 'changed', title: 'Changed', cell: ({ minutes }) => <RelativeTime value={ago(minutes)} /> },
];

function Forms() {
  return (
    <>
      <SimpleTable
        label="Forms"
        columns={COLUMNS}
        rows={ROWS}
        keyOf={({ id }) => id}
        hrefOf={() => '/dev/parts'}
        actionsOf={({ name }) => (
          <>
            <IconButton icon="pencil" size="small" label={`Edit ${name}`} />
            <IconButton icon="ellipsis" size="small" label={`More actions for ${name}`} />
          </>
        )}
      />
      <Pagination page={12} pages={12} hrefOf={(page) => `/dev/parts?page=${page}`} />
    </>
  );
}

function Views() {
  const [view, setView] = useState('html');
  return (
    <>
      <Tabs
        label="Preview"
        selected={view}
        onSelect={setView}
        tabs={[
          { id: 'html', title: 'HTML', content: 'The message as most readers see it.' },
          { id: 'text', title: 'Text', content: 'The message without markup.' },
          { id: 'amp', title: 'AMP', content: '', isDisabled: true },
        ]}
      />
      <LinkTabs
        label="Settings"
        current="/dev/parts"
        tabs={[
          { href: '/dev/parts', title: 'Profile' },
          { href: '/dev/parts?tab=security', title: 'Security' },
          { href: '/dev/parts?tab=notifications', title: 'Notifications' },
        ]}
      />
    </>
  );
}

function Facts() {
  return (
    <>
      <div className={classes.stack}>
        <ProgressBar label="Sending" value={12400} maxValue={41203} valueText="12,400 of 41,203" />
        <ProgressBar label="Import" value={100} />
        <ProgressBar label="Export" value={0} isLabelHidden />
      </div>
      <Card>
        <DescriptionList
          items={[
            { term: 'Created', value: <DateText value="2026-11-09T08:00:00Z" /> },
            { term: 'Answers', value: <Num value={41203} /> },
            { term: 'Description', value: LONG_TEXT },
            { term: 'Closed', value: null },
          ]}
        />
      </Card>
      <div className={classes.stack}>
        <Person name="Ada Lovelace" email="ada@example.com" note="You" />
        <Person name={LONG_TEXT} email={`${'long'.repeat(20)}@example.com`} />
      </div>
    </>
  );
}
