import { useState } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { FilePreview } from './file-preview.tsx';
import classes from './import.module.css';
import { texts } from './texts.ts';
import { useUpload } from './use-upload.ts';

const { translate } = texts;

/** Imports a file of subscribers: the file, what its columns mean, then the upload. */
export function ImportScreen() {
  const [file, setFile] = useState<File | null>(null);
  const upload = useUpload();
  const { disabledReason } = upload;
  return (
    <Page>
      <PageHeader title={translate('title')} description={translate('intro')} />
      <div className={classes.steps}>
        {disabledReason === undefined ? null : <Banner tone="neutral">{disabledReason}</Banner>}
        <FileField
          label={translate('file')}
          action={translate('file.choose')}
          help={translate('file.help')}
          types={['text/csv', '.csv', '.txt', '.tsv']}
          file={file}
          onChange={setFile}
          disabledReason={disabledReason ?? (upload.progress === null ? undefined : translate('sending'))}
          isReasonHidden
        />
        {file === null ? null : (
          <FilePreview key={`${file.name} ${file.size} ${file.lastModified}`} file={file} upload={upload} />
        )}
      </div>
    </Page>
  );
}
