import { useState } from 'react';
import { TesseraError } from '../../../sdk/src/index.ts';
import type { Change } from '../../drafts/changes.ts';
import { CompareDialog } from '../../drafts/compare-dialog.tsx';
import { ConflictDialog } from '../../drafts/conflict-dialog.tsx';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import type { DraftFields } from '../../drafts/draft-fields.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import type { Conflict } from '../../drafts/merge.ts';
import { RestoredNotice } from '../../drafts/restored-notice.tsx';
import { UndoButtons } from '../../drafts/undo-buttons.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import classes from './draft-parts.module.css';
import { LONG_TEXT } from './samples.ts';
import { Specimen } from './specimen.tsx';

const FIELDS: DraftFields = {
  name: { label: 'Name' },
  note: { label: 'Note' },
  days: { label: 'Days', format: (days) => `${days} days` },
};

const CONFLICTS: readonly Conflict[] = [
  { path: ['name'], base: 'Newsletter', mine: 'Newsletter Europe', theirs: 'Newsletter DACH' },
  { path: ['note'], base: '', mine: LONG_TEXT, theirs: undefined },
  { path: ['days'], base: 7, mine: 14, theirs: 30 },
];

const CHANGES: readonly Change[] = CONFLICTS.map(({ path, base, mine }) => ({
  path,
  before: base,
  after: mine,
}));

/** Unsaved changes: stored in the browser, undone, restored, and merged with those of others. */
export function DraftParts() {
  return (
    <>
      <Notices />
      <Dialogs />
      <Editor />
    </>
  );
}

function Notices() {
  const sample = { restoredAt: Date.now(), changes: () => CHANGES, fields: FIELDS };
  const actions = { closeNotice: () => undefined, discard: () => undefined, undo: () => undefined };
  return (
    <Specimen name="RestoredNotice" isGrid>
      <RestoredNotice draft={{ ...sample, ...actions, hasConflicts: false }} />
      <RestoredNotice draft={{ ...sample, ...actions, hasConflicts: true }} />
    </Specimen>
  );
}

function Dialogs() {
  const [open, setOpen] = useState<'compare' | 'conflict' | null>(null);
  const close = () => setOpen(null);
  return (
    <Specimen name="CompareDialog, ConflictDialog">
      <Button onPress={() => setOpen('compare')}>Compare with what is saved</Button>
      <Button onPress={() => setOpen('conflict')}>Choose between changes</Button>
      {open === 'compare' ? <CompareDialog changes={CHANGES} fields={FIELDS} onClose={close} /> : null}
      {open === 'conflict' ? <ConflictDialog conflicts={CONFLICTS} fields={FIELDS} answer={close} /> : null}
    </Specimen>
  );
}

const START = { name: 'Newsletter', note: '', days: 7, version: 1 };

/** A draft of an item that this component keeps, as the server keeps others. */
function Editor() {
  const [item, setItem] = useState(START);
  const [shown, setShown] = useState(START);
  const draft = useDraft({
    type: 'sample',
    itemKey: 'newsletter',
    saved: shown,
    read: async () => item,
    fields: FIELDS,
  });
  const { value, change } = draft;
  const send = async (sent: typeof START) => {
    if (sent.version !== item.version) throw STALE;
    const saved = { ...sent, version: sent.version + 1 };
    setItem(saved);
    setShown(saved);
  };
  const saveElsewhere = () => setItem({ ...item, name: `${item.name}, too`, version: item.version + 1 });
  return (
    <Specimen name="DraftFrame, DraftBadge, UndoButtons" isGrid>
      <DraftFrame draft={draft}>
        <TextField label="Name" value={value.name} onChange={(name) => change({ name })} />
        <TextArea label="Note" value={value.note} onChange={(note) => change({ note })} />
        <NumberField label="Days" value={value.days} onChange={(days) => change({ days })} />
        <div className={classes.actions}>
          <UndoButtons draft={draft} />
          <Button variant="primary" onPress={() => void draft.save(send)}>
            Save
          </Button>
        </div>
      </DraftFrame>
      <div>
        <DraftBadge type="sample" itemKey="newsletter" />
        <p>{`Saved as version ${item.version}: ${item.name}, ${item.days} days`}</p>
        <Button onPress={saveElsewhere}>Let somebody else save another name</Button>
      </div>
    </Specimen>
  );
}

const STALE = new TesseraError({
  status: 409,
  code: 'VERSION_CONFLICT',
  message: 'The record has changed since the version you sent.',
});
