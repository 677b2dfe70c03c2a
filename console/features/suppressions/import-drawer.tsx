import { type FormEvent, useState } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { FileField } from '../../ui/file-field.tsx';
import classes from './import-drawer.module.css';
import { texts } from './texts.ts';

const { translate } = texts;
const SAMPLE = [
  'recipient,type,description',
  'ada@example.com,bounce,Mailbox does not exist',
  'bob@example.com,unsubscribe,',
].join('\n');

interface ImportDrawerProps {
  readonly isOpen: boolean;
  readonly disabledReason: string | undefined;
  readonly onImport: (file: File) => void;
  readonly onClose: () => void;
}

/** The drawer that asks for a file of suppressions, and shows its format. */
export function ImportDrawer({ isOpen, onClose, ...form }: ImportDrawerProps) {
  return (
    <Drawer title={translate('import.title')} isOpen={isOpen} onClose={onClose}>
      <ImportForm {...form} />
    </Drawer>
  );
}

function ImportForm({ disabledReason, onImport }: Pick<ImportDrawerProps, 'disabledReason' | 'onImport'>) {
  const [file, setFile] = useState<File | null>(null);
  const [isMissing, setMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (disabledReason !== undefined) return;
    if (file === null) setMissing(true);
    else onImport(file);
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      {disabledReason === undefined ? null : <Banner tone="neutral">{disabledReason}</Banner>}
      <p>{translate('import.text')}</p>
      <CodeBlock label={translate('import.sample')} code={SAMPLE} />
      <FileField
        label={translate('import.file')}
        action={translate('import.choose')}
        help={translate('import.help')}
        types={['text/csv', '.csv']}
        file={file}
        onChange={setFile}
        error={isMissing && file === null ? translate('import.missing') : null}
        disabledReason={disabledReason}
        isReasonHidden
      />
      <div className={classes.actions}>
        <Button type="submit" variant="primary" disabledReason={disabledReason}>
          {translate('import.action')}
        </Button>
      </div>
    </form>
  );
}
