import { type FormEvent, useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { useLists } from '../../people/use-lists.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Section } from '../../ui/section.tsx';
import { Select } from '../../ui/select.tsx';
import { findFault, IGNORED, mappingOf } from './column-fields.ts';
import { ColumnMapping } from './column-mapping.tsx';
import classes from './import.module.css';
import { texts } from './texts.ts';
import type { ImportMode, Upload } from './use-upload.ts';

const { translate } = texts;
const NO_LIST = 'none';

interface ImportFormProps {
  readonly file: File;
  readonly preview: schemas.SubscriberImportPreview;
  readonly upload: Upload;
}

/** Says what the columns become and how people are imported, and sends the file. */
export function ImportForm({ file, preview: { columns, source }, upload }: ImportFormProps) {
  const [fields, setFields] = useState(() => columns.map((column) => column.suggested_field ?? IGNORED));
  const [mode, setMode] = useState<ImportMode>('upsert');
  const [listId, setListId] = useState<string | null>(null);
  const fault = source === null ? findFault(fields) : null;
  const disabledReason = upload.disabledReason ?? fault ?? undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (disabledReason !== undefined || upload.progress !== null) return;
    upload.start({ file, mode, listId, source, mapping: mappingOf(columns, fields) });
  };
  return (
    <form className={classes.steps} onSubmit={submit}>
      {source === null ? (
        <ColumnMapping columns={columns} fields={fields} onChange={setFields} />
      ) : (
        <Banner title={translate(`source.${source}`)}>{translate('source.text')}</Banner>
      )}
      <Section title={translate('options')}>
        <div className={classes.options}>
          <RadioGroup
            label={translate('mode')}
            value={mode}
            options={[
              { id: 'upsert', title: translate('mode.upsert'), description: translate('mode.upsert.help') },
              { id: 'insert', title: translate('mode.insert'), description: translate('mode.insert.help') },
            ]}
            onChange={setMode}
          />
          <ListChoice listId={listId} onChange={setListId} />
        </div>
      </Section>
      {upload.failure === null ? null : (
        <Banner tone="danger" title={translate('failed')} isLive>
          {upload.failure}
        </Banner>
      )}
      {upload.progress === null ? (
        <div>
          <Button type="submit" variant="primary" disabledReason={disabledReason}>
            {translate('start')}
          </Button>
        </div>
      ) : (
        <ProgressBar
          label={translate('sending')}
          value={upload.progress.sent}
          maxValue={Math.max(1, upload.progress.total)}
        />
      )}
    </form>
  );
}

interface ListChoiceProps {
  readonly listId: string | null;
  readonly onChange: (listId: string | null) => void;
}

/** The list that all imported people join. */
function ListChoice({ listId, onChange }: ListChoiceProps) {
  const { data: lists = [] } = useLists();
  return (
    <Select
      label={translate('list')}
      help={translate('list.help')}
      value={listId ?? NO_LIST}
      options={[
        { id: NO_LIST, title: translate('list.none') },
        ...lists.map(({ id, name }) => ({ id, title: name })),
      ]}
      onChange={(id) => onChange(id === NO_LIST ? null : id)}
    />
  );
}
