import type { schemas } from '../../../sdk/src/index.ts';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { LoadFailure } from '../../shell/load-failure.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './import.module.css';
import { ImportForm } from './import-form.tsx';
import { texts } from './texts.ts';
import type { Upload } from './use-upload.ts';

const { translate } = texts;
/** Bytes that the server looks at. */
const PREVIEW_BYTES = 1024 * 1024;

interface FilePreviewProps {
  readonly file: File;
  readonly upload: Upload;
}

/** Shows what the server makes of the beginning of a file, and the form that imports it. */
export function FilePreview({ file, upload }: FilePreviewProps) {
  const { name, size, lastModified } = file;
  const { data, error, refetch, isFetching } = useTenantQuery(
    ['imports', 'preview', name, size, lastModified],
    (api, options) =>
      api.subscribers.previewImport(new Blob([file.slice(0, PREVIEW_BYTES)], { type: 'text/csv' }), options),
  );
  if (data === undefined)
    return error === null ? (
      <Skeleton shape="rows" count={5} />
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
    );
  if (data.format === 'workbook')
    return (
      <Banner tone="warning" title={translate('workbook')}>
        {translate('workbook.text')}
      </Banner>
    );
  return (
    <>
      <Problems problems={data.problems} />
      <ImportForm file={file} preview={data} upload={upload} />
    </>
  );
}

/** Problems of the rows at the beginning. They fail alone: the others can be imported. */
function Problems({ problems }: { readonly problems: schemas.SubscriberImportPreview['problems'] }) {
  if (problems.length === 0) return null;
  return (
    <Banner tone="warning" title={translate('problems')}>
      <ul className={classes.problems}>
        {problems.map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`}>
            {line === undefined ? message : translate('problem', { line, message })}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
